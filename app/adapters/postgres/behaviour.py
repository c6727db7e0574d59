"""What sessions show of a person, as queries: the strongest of each kind, and what has faded."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, select, true, union

from app.adapters.postgres.arrays import pairs
from app.adapters.postgres.models import UserFactRow
from app.domain.observations import FactCategory


@lru_cache(maxsize=128)
def most_shown(agents: tuple[str, ...], limit: int, categories: tuple[FactCategory, ...]) -> Select[Any]:
    """The live rows of person `:user_id` in these pockets: the pinned, and the first of each pocket and category by
    rank. Made once for all who ask alike: that costs more than to run it.
    """
    shelves = pairs("category", [(agent_id, category.value) for agent_id in agents for category in categories])
    mine = UserFactRow.user_id == bindparam("user_id")
    live = (mine, UserFactRow.archived_at.is_(None), UserFactRow.policy.is_not(None))
    here = (UserFactRow.agent_id == shelves.c.agent_id, UserFactRow.category == shelves.c.category)
    first = select(UserFactRow.id).where(*live, *here).order_by(UserFactRow.rank.desc()).limit(limit).lateral()
    strongest = select(first.c.id).select_from(shelves.join(first, true()))
    there = (UserFactRow.agent_id.in_(agents), UserFactRow.category.in_(categories))
    pinned = select(UserFactRow.id).where(*live, *there, UserFactRow.pinned)
    return select(UserFactRow).where(UserFactRow.id.in_(union(strongest, pinned)))


def faded_at(now: datetime | ColumnElement[datetime]) -> tuple[ColumnElement[bool], ...]:
    """Rows of behaviour under their line; no pinned one is, for it has no time to fade at."""
    return UserFactRow.policy.is_not(None), UserFactRow.fades_at <= now
