"""The entries that the past is folded from, in Postgres."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, literal, select, tuple_

from app.adapters.postgres.entry_rows import decision_of, ref_of, source_of
from app.adapters.postgres.models import DecisionRow, PersonRow, SourceRow
from app.adapters.postgres.session import TenantSession
from app.domain.sources import Entry, Verdict
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, Subject, UserSubject, store_of, user_of
from app.domain.tenancy import ATLAS
from app.ports.facts import FactFilter

_TABLES: tuple[tuple[Any, Callable[[Any], Entry]], ...] = ((SourceRow, source_of), (DecisionRow, decision_of))
_PLACE = (SourceRow.store_id, SourceRow.user_id, SourceRow.agent_id, SourceRow.key)


class PostgresPast:
    """The entries of the scope's organisation: many keys in one statement for each table."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def about(self, subject: Subject, agents: Sequence[str], limit: int) -> Mapping[KeyRef, Sequence[Entry]]:
        return await self._entries(
            lambda table: select(table).where(*_about(table, subject), table.agent_id.in_(agents)).limit(limit)
        )

    async def of(self, refs: Collection[KeyRef]) -> Mapping[KeyRef, Sequence[Entry]]:
        return await self._entries(lambda table: select(table).where(*_at(table, refs))) if refs else {}

    async def merged_into(self, refs: Collection[KeyRef]) -> list[KeyRef]:
        if not refs:
            return []
        here = tuple_(*_named(DecisionRow, refs), DecisionRow.agent_id).in_({_names(ref)[:-1] for ref in refs})
        merger = DecisionRow.verdict == literal(Verdict.MERGE.value, literal_execute=True)
        mergers = (await self._session.execute(select(DecisionRow).where(merger, here))).scalars()
        targets = {(ref.subject, ref.agent_id, ref.key) for ref in refs}
        found = ((ref_of(row), row.changes.get("key")) for row in mergers)
        theirs = [ref for ref, key in found if key != ref.key and (ref.subject, ref.agent_id, key) in targets]
        return list(dict.fromkeys(theirs))

    async def places(
        self, wanted: FactFilter, known_at: datetime | None, after: UUID | None, limit: int
    ) -> list[tuple[UUID, KeyRef]]:
        query = select(SourceRow.id, *_PLACE).where(*_within(wanted))
        if known_at is not None:
            query = query.where(SourceRow.recorded_at <= known_at)
        if after is not None:
            query = query.where(SourceRow.id < after)
        rows = await self._session.execute(query.order_by(SourceRow.id.desc()).limit(limit))
        return [(source_id, _ref(place)) for source_id, *place in rows]

    async def key_of(self, scope: Scope, source_id: UUID) -> KeyRef | None:
        query = select(*_PLACE).where(SourceRow.id == source_id, SourceRow.scope == scope.value)
        row = (await self._session.execute(query)).one_or_none()
        return _ref(row) if row else None

    async def _entries(self, query: Callable[[Any], Select[Any]]) -> Mapping[KeyRef, Sequence[Entry]]:
        found: dict[KeyRef, list[Entry]] = {}
        for table, entry_of in _TABLES:
            for row in (await self._session.execute(query(table))).scalars():
                found.setdefault(ref_of(row), []).append(entry_of(row))
        return found


def _ref(place: Any) -> KeyRef:
    store_id, user_id, agent_id, key = place
    subject: Subject = OrgSubject()
    if store_id is not None:
        subject = StoreSubject(store_id)
    elif user_id is not None:
        subject = UserSubject(user_id)
    return KeyRef(subject, agent_id, key)


def _about(table: Any, subject: Subject) -> tuple[ColumnElement[bool], ...]:
    """The entries about one subject; `is null` where it has no such id, which the indexes serve."""
    store_id, user_id = store_of(subject), user_of(subject)
    return (
        table.store_id.is_(None) if store_id is None else table.store_id == store_id,
        table.user_id.is_(None) if user_id is None else table.user_id == user_id,
    )


def _at(table: Any, refs: Collection[KeyRef]) -> tuple[ColumnElement[bool], ...]:
    """The entries of these keys of one scope."""
    here = tuple_(*_named(table, refs), table.agent_id, table.key).in_({_names(ref) for ref in refs})
    scope = next(iter(refs)).subject.scope
    return (here,) if scope is not Scope.ORG else (here, *_about(table, OrgSubject()))


def _named(table: Any, refs: Collection[KeyRef]) -> tuple[Any, ...]:
    """The column that names a subject of the keys' scope; an organisation needs none."""
    return {Scope.ORG: (), Scope.STORE: (table.store_id,), Scope.USER: (table.user_id,)}[next(iter(refs)).subject.scope]


def _names(ref: KeyRef) -> tuple[str, ...]:
    """What tells the key from others of its scope, the key itself last."""
    subject = tuple(filter(None, (store_of(ref.subject), user_of(ref.subject))))
    return (*subject, ref.agent_id, ref.key)


def _within(wanted: FactFilter) -> Iterator[ColumnElement[bool]]:
    """What is known of a row by its key alone; see `fact_filters` for the rest."""
    yield SourceRow.scope == wanted.scope.value
    if wanted.subject is not None:
        yield from _about(SourceRow, wanted.subject)
    if wanted.stores is not None and wanted.scope is Scope.STORE:
        yield SourceRow.store_id.in_(wanted.stores)
    if wanted.agents is not None:
        yield SourceRow.agent_id.in_({*wanted.agents, ATLAS})
    if wanted.contacts_only:
        yield SourceRow.user_id.in_(select(PersonRow.user_id).where(PersonRow.role.is_(None)))
    if wanted.agent_id is not None:
        yield SourceRow.agent_id == wanted.agent_id
    if wanted.key_prefix is not None:
        yield SourceRow.key.startswith(wanted.key_prefix, autoescape=True)
