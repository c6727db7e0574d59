"""Facts in Postgres: one class for the three tables."""

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Select,
    delete,
    func,
    literal,
    select,
    tuple_,
)

from app.adapters.postgres.arrays import one_of
from app.adapters.postgres.behaviour import faded_at, most_shown
from app.adapters.postgres.candidates import stated
from app.adapters.postgres.fact_filters import conditions
from app.adapters.postgres.fact_rows import TABLES, fact_of, fact_values, record_of, stamping, subject_values
from app.adapters.postgres.models import UserFactRow
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.search import PostgresSearch
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import entities_of
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.search import DocumentKind, fact_document
from app.domain.subjects import KeyRef, Scope, Subject
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest


class PostgresFacts:
    """The facts of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def lock(self, refs: Sequence[KeyRef]) -> None:
        numbers = sorted({_lock_number(self._session.scope.org_id, ref) for ref in refs})
        if numbers:  # taken one by one, in their order
            each = func.unnest(literal(numbers, ARRAY(BigInteger))).column_valued("number")
            await self._session.execute(select(func.pg_advisory_xact_lock(each)))

    async def of_key(self, ref: KeyRef) -> list[Fact]:
        table = TABLES[ref.subject.scope]
        query = _of(ref.subject).where(table.agent_id == ref.agent_id, table.key == ref.key)
        rows = await self._session.execute(query.order_by(table.created_at, table.id))
        return [fact_of(row) for row in rows.scalars()]

    async def of_keys(self, refs: Sequence[KeyRef]) -> list[Fact]:
        if not refs:
            return []
        table = TABLES[refs[0].subject.scope]
        keys = tuple_(table.agent_id, table.key).in_([(ref.agent_id, ref.key) for ref in refs])
        rows = await self._session.execute(_of(refs[0].subject).where(keys).order_by(table.created_at, table.id))
        return [fact_of(row) for row in rows.scalars()]

    async def get(self, scope: Scope, fact_id: UUID) -> FactRecord | None:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(table.id == fact_id)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return record_of(row) if row else None

    async def records(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[FactRecord]:
        if not fact_ids:
            return []
        table = TABLES[scope]
        query: Select[Any] = select(table).where(one_of(table.id, fact_ids))
        return list(map(record_of, (await self._session.execute(query)).scalars()))

    async def merged_into(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[Fact]:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(table.merged_into.in_(fact_ids)).order_by(table.id)
        return list(map(fact_of, (await self._session.execute(query)).scalars()))

    async def page(self, wanted: FactFilter, request: PageRequest) -> Page[FactRecord]:
        table = TABLES[wanted.scope]
        query: Select[Any] = select(table).where(*conditions(table, wanted))
        return await keyset_page(self._session, query, [table.id], request, record_of, newest_first=True)

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        found: list[Fact] = []
        for subject in subjects:
            query = stated(subject.scope, tuple(agents), limit)
            rows = await self._session.execute(query, subject_values(subject))
            found += map(fact_of, rows.scalars())
        return found

    async def across(self, subjects: Sequence[Subject], agents: Sequence[str], keys: Collection[str]) -> list[Fact]:
        found: list[Fact] = []
        for subject in subjects:
            table = TABLES[subject.scope]
            query = _of(subject).where(one_of(table.agent_id, agents), one_of(table.key, keys))
            found += map(fact_of, (await self._session.execute(query)).scalars())
        return found

    async def behaviour(
        self, user_id: str, agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
    ) -> list[FactRecord]:
        query = most_shown(tuple(agents), limit, tuple(categories))
        rows = await self._session.execute(query, {"user_id": user_id})
        return list(map(record_of, rows.scalars()))

    async def faded_behaviour(self, user_id: str, now: datetime, limit: int) -> list[Fact]:
        query = select(UserFactRow).where(UserFactRow.user_id == user_id, *faded_at(now))
        rows = await self._session.execute(query.order_by(UserFactRow.fades_at).limit(limit))
        return [fact_of(row) for row in rows.scalars()]

    async def people_with_faded_behaviour(self, now: datetime, limit: int, after: str | None = None) -> list[str]:
        query = select(UserFactRow.user_id).where(UserFactRow.user_id > (after or ""), *faded_at(now)).distinct()
        return list((await self._session.execute(query.order_by(UserFactRow.user_id).limit(limit))).scalars())

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        found: list[Fact] = []
        for subject in subjects:
            table = TABLES[subject.scope]
            query = _of(subject).where(one_of(table.id, fact_ids), table.archived_at.is_(None))
            found += map(fact_of, (await self._session.execute(query)).scalars())
        return found

    async def apply(self, changed: Sequence[Change], now: datetime) -> None:
        by_scope = sorted(changed, key=lambda change: change.row.ref.subject.scope)
        for scope, group in groupby(by_scope, key=lambda change: change.row.ref.subject.scope):
            await self._apply(scope, list(group), now)
        await self._index(changed)
        self._session.touch(*(change.row.ref.subject for change in changed))

    async def _index(self, changed: Sequence[Change]) -> None:
        """The search index follows: what reads as before stays as it is."""
        before = {change.before.id: fact_document(change.before) for change in changed if change.before}
        after = {change.after.id: fact_document(change.after) for change in changed if change.after}
        search = PostgresSearch(self._session)
        await search.unindex(DocumentKind.FACT, [id for id, old in before.items() if after.get(id) != old])
        await search.index([new for id, new in after.items() if before.get(id) != new])

    async def stamp(self, records: Sequence[FactRecord]) -> None:
        scopes: dict[Scope, list[FactRecord]] = {}
        for record in records:
            scopes.setdefault(record.fact.ref.subject.scope, []).append(record)
        for scope, told in scopes.items():
            await self._session.execute(stamping(TABLES[scope], told))

    async def everything(self, wanted: FactFilter) -> AsyncIterator[FactRecord]:
        table = TABLES[wanted.scope]
        query: Select[Any] = select(table).where(*conditions(table, wanted)).order_by(table.id)
        async for row in entities_of(self._session, query):
            yield record_of(row)

    async def _apply(self, scope: Scope, changed: Iterable[Change], now: datetime) -> None:
        table = TABLES[scope]
        changed = list(changed)
        gone = [change.before.id for change in changed if change.before and change.after is None]
        if gone:
            await self._session.execute(delete(table).where(table.id.in_(gone)))
        made = [change.after for change in changed if change.after and change.before is None]
        if made:
            await self._session.execute(self._session.insertion(table, [_new_row(fact, now) for fact in made]))
        moved = [change.after for change in changed if change.after and change.before]
        if moved:
            statement = self._session.insertion(table, [_new_row(fact, now) for fact in moved])
            decided = {name: statement.excluded[name] for name in fact_values(moved[0], now)}
            columns = {**decided, "version": table.version + 1}
            await self._session.execute(statement.on_conflict_do_update(index_elements=("org_id", "id"), set_=columns))


def _of(subject: Subject) -> Select[Any]:
    """The rows about one subject."""
    return select(TABLES[subject.scope]).filter_by(**subject_values(subject))


def _new_row(fact: Fact, now: datetime) -> dict[str, Any]:
    place = {"id": fact.id, "agent_id": fact.ref.agent_id, "key": fact.ref.key, "version": 1}
    return {**place, **subject_values(fact.ref.subject), **fact_values(fact, now)}


def _lock_number(org_id: str, ref: KeyRef) -> int:
    """A key's place among the advisory locks; two keys that share one only wait for each other."""
    name = repr((org_id, ref.subject, ref.agent_id, ref.key)).encode()
    return int.from_bytes(sha256(name).digest()[:8], signed=True)
