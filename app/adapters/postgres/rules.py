"""Rules in Postgres."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased

from app.adapters.postgres.event_views import person_ref
from app.adapters.postgres.events import actor_of
from app.adapters.postgres.models import OrganisationRow, PersonRow, RulesRow
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import rows_of
from app.domain.rules import NO_RULES, Rules
from app.domain.subjects import OrgSubject
from app.domain.tenancy import ActorType
from app.ports.paging import Page, PageRequest

_Author = aliased(PersonRow)
_newest = select(func.max(aliased(RulesRow).version)).scalar_subquery()
_written = (_Author.ref == RulesRow.actor_ref) & _Author.role.is_not(None)

_columns: tuple[Any, ...] = (RulesRow, _Author.user_id)

WITH_ORGANISATION: Select[Any] = (
    select(OrganisationRow, *_columns)
    .select_from(OrganisationRow)
    .outerjoin(RulesRow, (RulesRow.org_id == OrganisationRow.org_id) & (RulesRow.version == _newest))
    .outerjoin(_Author, _written)
)
"""The organisation's row with its latest rules, if it has any, and their author."""


class PostgresRules:
    """The rules of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, rules: Rules) -> None:
        kind, who = (rules.author.type, rules.author.id) if rules.author else (ActorType.PERSON, "")
        row = {
            "version": rules.version,
            "markdown": rules.markdown,
            "actor_type": kind.value,
            "actor_ref": person_ref(who) if kind is ActorType.PERSON else UUID(who),
            "created_at": rules.created_at,
        }
        await self._session.execute(self._session.insertion(RulesRow, [row]))
        self._session.touch(OrgSubject())

    async def page(self, request: PageRequest) -> Page[Rules]:
        query = _versions().order_by(RulesRow.version.desc())
        total = None
        if request.with_total:
            total = (await self._session.execute(select(func.count()).select_from(RulesRow))).scalar_one()
        if request.after is not None:
            query = query.where(RulesRow.version < request.after[0])
        rows = (await self._session.execute(query.limit(request.limit + 1))).all()
        shown = [rules_of(*row) for row in rows[: request.limit]]
        return Page(shown, (shown[-1].version,) if len(rows) > request.limit else None, total)

    async def everything(self) -> AsyncIterator[Rules]:
        query = _versions().order_by(RulesRow.version)
        async for row in rows_of(self._session, query):
            yield rules_of(*row)


def _versions() -> Select[Any]:
    return select(*_columns).select_from(RulesRow).outerjoin(_Author, _written)


def rules_of(row: RulesRow | None, author: str | None) -> Rules:
    """The rules of a row, whose author is `author` where that is a person."""
    if row is None:
        return NO_RULES
    return Rules(row.version, row.markdown, actor_of(row, author), row.created_at)
