"""The filters of a list of facts, as conditions."""

import math
from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, case, func, literal, select, true

from app.adapters.postgres.fact_rows import subject_values
from app.adapters.postgres.models import OrgFactRow, PersonRow, StoreFactRow, UserFactRow
from app.domain.decay import BEHAVIOUR_HALF_LIFE_DAYS, DAY_SECONDS, Policy
from app.domain.tenancy import ATLAS
from app.domain.tiers import TIERS
from app.ports.facts import FactFilter

MOST_HALVINGS = 900.0
Table = type[OrgFactRow] | type[StoreFactRow] | type[UserFactRow]


def conditions(table: Table, wanted: FactFilter) -> Iterator[ColumnElement[bool]]:
    """What a row must meet; an empty set of allowed stores or pockets lets nothing through."""
    yield from _reach(table, wanted)
    if wanted.archived is not None:
        yield table.archived_at.is_not(None) if wanted.archived else table.archived_at.is_(None)
    for column, value in (
        (table.category, wanted.category),
        (table.agent_id, wanted.agent_id),
        (table.pinned, wanted.pinned),
        (table.contradicted, wanted.contradicted),
        (table.audience, wanted.audience),
    ):
        if value is not None:
            yield column == value
    if wanted.tag is not None:
        yield literal(wanted.tag) == func.any(table.tags)
    if wanted.key_prefix is not None:
        yield table.key.startswith(wanted.key_prefix, autoescape=True)
    if wanted.text is not None:
        yield func.strpos(func.lower(table.content), wanted.text.lower()) > 0
    if wanted.min_score is not None:
        yield _scores(table, wanted.now, wanted.min_score)


def _reach(table: Table, wanted: FactFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.subject is not None:
        for name, value in subject_values(wanted.subject).items():
            yield getattr(table, name) == value
    if wanted.stores is not None and issubclass(table, StoreFactRow):
        yield table.store_id.in_(wanted.stores)
    if wanted.agents is not None:
        yield table.agent_id.in_({*wanted.agents, ATLAS})
    if wanted.contacts_only and issubclass(table, UserFactRow):
        contacts = select(PersonRow.user_id).where(PersonRow.role.is_(None))
        yield table.user_id.in_(contacts)


def _scores(table: Table, now: datetime, least: float) -> ColumnElement[bool]:
    """Whether the score reaches `least`: confidence, halved by age and by each newer rival.

    The other side is doubled instead, for Postgres refuses to compute what is too small to be held; where that grows
    too large in turn, logarithms are compared, which do not tell whether what looks equal is enough.
    """
    if least <= 0:
        return true()
    usual = {tier.value: rule.half_life_days for tier, rule in TIERS.items() if rule.half_life_days is not None}
    by_tier = func.coalesce(table.tier_half_life_days, case(usual, value=table.tier, else_=None))
    eased = case((table.policy == Policy.ADAPTIVE.value, table.ease), else_=1.0) * BEHAVIOUR_HALF_LIFE_DAYS
    half_life = func.coalesce(table.half_life_days, case((table.policy.is_(None), by_tier), else_=eased))
    age = func.greatest(0, func.extract("epoch", literal(now) - table.last_reinforced_at) / DAY_SECONDS)
    halvings = func.coalesce(age / half_life, 0.0) + table.newer_rivals
    doubled = least * func.power(2.0, func.least(halvings, MOST_HALVINGS))
    beyond = func.ln(table.confidence) >= math.log(least) + halvings * math.log(2)
    return case((halvings > MOST_HALVINGS, beyond), else_=table.confidence >= doubled)
