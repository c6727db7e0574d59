"""Contradictions in Postgres."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, or_, select

from app.adapters.postgres.entry_rows import place_values, ref_of
from app.adapters.postgres.models import ContradictionRow, PersonRow
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.session import TenantSession
from app.domain.contradictions import Contradiction, Standing
from app.domain.subjects import KeyRef, Scope, store_of, user_of
from app.domain.tenancy import ATLAS
from app.ports.contradictions import ContradictionFilter
from app.ports.paging import Page, PageRequest

_MOVES = ("opened_at", "settled_at")


class PostgresContradictions:
    """The contradictions of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def save(self, ref: KeyRef, contradictions: Sequence[Contradiction]) -> None:
        rows = await self._session.execute(select(ContradictionRow).where(*_at(ref)))
        known = {kept.id: kept for kept in map(_contradiction, rows.scalars())}
        wanted = {kept.id: kept for kept in contradictions}
        if known != wanted:
            self._session.touch(ref.subject)
        if gone := known.keys() - wanted.keys():
            await self._session.execute(delete(ContradictionRow).where(ContradictionRow.id.in_(gone)))
        if moved := [_values(kept) for kept in contradictions if kept != known.get(kept.id)]:
            statement = self._session.insertion(ContradictionRow, moved)
            again = {name: statement.excluded[name] for name in _MOVES}
            await self._session.execute(statement.on_conflict_do_update(index_elements=("org_id", "id"), set_=again))

    async def get(self, contradiction_id: UUID) -> Contradiction | None:
        query = select(ContradictionRow).where(ContradictionRow.id == contradiction_id)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _contradiction(row) if row else None

    async def page(self, wanted: ContradictionFilter, request: PageRequest) -> Page[Contradiction]:
        query = select(ContradictionRow).where(*_chosen(wanted), *_reach(wanted))
        keys = [ContradictionRow.opened_at, ContradictionRow.id]
        return await keyset_page(self._session, query, keys, request, _contradiction, newest_first=True)


def _at(ref: KeyRef) -> tuple[ColumnElement[bool], ...]:
    store_id, user_id = store_of(ref.subject), user_of(ref.subject)
    return (
        ContradictionRow.agent_id == ref.agent_id,
        ContradictionRow.key == ref.key,
        ContradictionRow.store_id.is_(None) if store_id is None else ContradictionRow.store_id == store_id,
        ContradictionRow.user_id.is_(None) if user_id is None else ContradictionRow.user_id == user_id,
    )


def _chosen(wanted: ContradictionFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.standing is not None:
        settled = wanted.standing is Standing.SETTLED
        yield ContradictionRow.settled_at.is_not(None) if settled else ContradictionRow.settled_at.is_(None)
    for column, value in (
        (ContradictionRow.scope, wanted.scope),
        (ContradictionRow.store_id, wanted.store_id),
        (ContradictionRow.user_id, wanted.user_id),
        (ContradictionRow.key, wanted.key),
    ):
        if value is not None:
            yield column == value


def _reach(wanted: ContradictionFilter) -> Iterator[ColumnElement[bool]]:
    """What the reader may see; an empty set of stores or pockets lets nothing of these through."""
    whose: list[ColumnElement[bool]] = [ContradictionRow.scope != Scope.USER.value]
    if wanted.reader is not None:
        whose.append(ContradictionRow.user_id == wanted.reader)
    if wanted.contacts:
        whose.append(ContradictionRow.user_id.in_(select(PersonRow.user_id).where(PersonRow.role.is_(None))))
    yield or_(*whose)
    if wanted.stores is not None:
        yield ContradictionRow.store_id.is_(None) | ContradictionRow.store_id.in_(wanted.stores)
    if wanted.agents is not None:
        yield ContradictionRow.agent_id.in_({*wanted.agents, ATLAS})


def _values(contradiction: Contradiction) -> dict[str, Any]:
    return {
        "id": contradiction.id,
        **place_values(contradiction.ref),
        "older": contradiction.older,
        "newer": contradiction.newer,
        "opened_at": contradiction.opened_at,
        "settled_at": contradiction.settled_at,
    }


def _contradiction(row: ContradictionRow) -> Contradiction:
    return Contradiction(row.id, ref_of(row), row.older, row.newer, row.opened_at, row.settled_at)
