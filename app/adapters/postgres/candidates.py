"""The rows that a block is chosen from: of one subject, one statement, by index, however many rows there are."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Select, bindparam, select, true, union

from app.adapters.postgres.arrays import pairs
from app.adapters.postgres.fact_rows import TABLES
from app.domain.decay import Tier
from app.domain.subjects import Scope

_SUBJECT_COLUMNS: dict[Scope, tuple[str, ...]] = {
    Scope.ORG: (),
    Scope.STORE: ("store_id",),
    Scope.USER: ("user_id",),
}


@lru_cache(maxsize=1024)
def stated(scope: Scope, agents: tuple[str, ...], limit: int) -> Select[Any]:
    """The live stated rows of one subject (bound by `:store_id` or `:user_id`) in these pockets: the pinned, of each
    pocket and tier the first by rank, and of those with a half-life of their own, whose ranks do not compare, the ones
    that take longest to fade.

    Made once for all who ask alike: that costs more than to run it.
    """
    table = TABLES[scope]
    about = [getattr(table, name) == bindparam(name) for name in _SUBJECT_COLUMNS[scope]]
    live = (*about, table.archived_at.is_(None), table.policy.is_(None))
    mine = table.agent_id.in_(agents)
    shelves = pairs("tier", [(agent_id, tier.value) for agent_id in agents for tier in Tier])
    here = (table.agent_id == shelves.c.agent_id, table.tier == shelves.c.tier, table.half_life_days.is_(None))
    first = select(table.id).where(*live, *here).order_by(table.rank.desc()).limit(limit).lateral()
    longest = select(table.id).where(*live, mine, table.half_life_days.is_not(None))
    chosen = union(
        select(first.c.id).select_from(shelves.join(first, true())),
        longest.order_by(table.fades_at.desc().nulls_first()).limit(limit),
        select(table.id).where(*live, mine, table.pinned),
    )
    return select(table).where(table.id.in_(chosen))
