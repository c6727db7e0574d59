"""The entries of the folds in Postgres."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, literal, or_, select, tuple_, update

from app.adapters.postgres.arrays import one_of
from app.adapters.postgres.entry_rows import decision_of, decision_values, ref_of, source_of, source_values
from app.adapters.postgres.models import DecisionRow, SourceRow
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import entities_of
from app.domain.crossing import CROSSING
from app.domain.sources import Decision, Entry, MessageRef, Source, Verdict
from app.domain.subjects import KeyRef, Scope, Subject, UserSubject, store_of, user_of
from app.domain.tenancy import NOBODY, ActorType

_OF_NO_MESSAGE: dict[str, Any] = dict.fromkeys(
    ("evidence", "reasoning", "conversation_id", "message_id", "channel"), None
)
_Table = type[SourceRow] | type[DecisionRow]


class PostgresSources:
    """The sources and decisions of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, ref: KeyRef, source: Source) -> bool:
        statement = self._session.insertion(SourceRow, [source_values(ref, source)]).on_conflict_do_nothing()
        new = (await self._session.execute(statement.returning(SourceRow.id))).first() is not None
        if new:
            self._session.touch(*_concerned(ref, source))
        return new

    async def begin(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        if sources:
            rows = [source_values(ref, source) for ref, source in sources]
            await self._session.execute(self._session.insertion(SourceRow, rows))
            self._session.touch(*(one for ref, source in sources for one in _concerned(ref, source)))

    async def decide(self, ref: KeyRef, decision: Decision) -> None:
        row = decision_values(ref, decision)
        await self._session.execute(self._session.insertion(DecisionRow, [row]))
        self._session.touch(ref.subject)

    async def restore(self, entries: Sequence[tuple[KeyRef, Entry]]) -> frozenset[UUID]:
        new: set[UUID] = set()
        sources = [(ref, entry) for ref, entry in entries if isinstance(entry, Source)]
        decisions = [(ref, entry) for ref, entry in entries if isinstance(entry, Decision)]
        told: list[tuple[Any, list[dict[str, Any]]]] = [
            (SourceRow, [source_values(ref, source) for ref, source in sources]),
            (DecisionRow, [decision_values(ref, decision) for ref, decision in decisions]),
        ]
        for table, rows in told:
            if rows:
                statement = self._session.insertion(table, rows).on_conflict_do_nothing().returning(table.id)
                new.update((await self._session.execute(statement)).scalars())
        self._session.touch(*(one for ref, source in sources if source.id in new for one in _concerned(ref, source)))
        self._session.touch(*(ref.subject for ref, decision in decisions if decision.id in new))
        return frozenset(new)

    async def entries(self, ref: KeyRef) -> list[Entry]:
        sources = await self._session.execute(select(SourceRow).where(*_at(SourceRow, ref)))
        decisions = await self._session.execute(select(DecisionRow).where(*_at(DecisionRow, ref)))
        return [*map(source_of, sources.scalars()), *map(decision_of, decisions.scalars())]

    async def entries_of(self, refs: Sequence[KeyRef]) -> dict[KeyRef, list[Entry]]:
        found: dict[KeyRef, list[Entry]] = {}
        if not refs:
            return found
        places = [(ref.agent_id, ref.key) for ref in refs]
        tables: tuple[tuple[Any, Callable[[Any], Entry]], ...] = ((SourceRow, source_of), (DecisionRow, decision_of))
        for table, entry_of in tables:
            here = (*_about(table, refs[0].subject), tuple_(table.agent_id, table.key).in_(places))
            for row in (await self._session.execute(select(table).where(*here))).scalars():
                found.setdefault(ref_of(row), []).append(entry_of(row))
        return found

    async def save(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        if not sources:
            return
        rows = [source_values(ref, source) for ref, source in sources]
        statement = self._session.insertion(SourceRow, rows)
        moved = {name: statement.excluded[name] for name in rows[0] if name != "id"}
        await self._session.execute(statement.on_conflict_do_update(index_elements=("org_id", "id"), set_=moved))
        self._session.touch(*(one for ref, source in sources for one in _concerned(ref, source)))

    async def refs_of(self, messages: Sequence[MessageRef]) -> list[KeyRef]:
        rows = await self._session.execute(_sources(_stated_by(messages)))
        return list(dict.fromkeys(map(ref_of, rows.scalars())))

    async def refs_said_by(self, user_id: str) -> list[KeyRef]:
        said = await self._session.execute(_sources(_author(user_id), SourceRow.user_id.is_(None)))
        amended = await self._session.execute(select(DecisionRow).where(*_amended_by(user_id)).order_by(DecisionRow.id))
        return list(dict.fromkeys([*map(ref_of, said.scalars()), *map(ref_of, amended.scalars())]))

    async def stated_by(self, messages: Sequence[MessageRef]) -> list[tuple[KeyRef, Source]]:
        rows = (await self._session.execute(_sources(_stated_by(messages)))).scalars()
        return [(ref_of(row), source_of(row)) for row in rows]

    async def messages_of(self, source_ids: Sequence[UUID]) -> list[MessageRef]:
        rows = await self._session.execute(_sources(one_of(SourceRow.id, source_ids)))
        return [message for source in map(source_of, rows.scalars()) if (message := source.message)]

    async def refs_about(self, user_id: str) -> list[KeyRef]:
        rows = await self._session.execute(_sources(SourceRow.user_id == user_id))
        return list(dict.fromkeys(map(ref_of, rows.scalars())))

    async def reassign(self, user_id: str, heir: str) -> None:
        for table in (SourceRow, DecisionRow):
            said = (table.user_id == user_id, table.author_id == user_id)
            await self._session.execute(update(table).where(*said).values(author_id=heir))
            await self._session.execute(update(table).where(table.user_id == user_id).values(user_id=heir))
        self._session.touch(UserSubject(user_id), UserSubject(heir))

    async def forget(self, source_ids: Sequence[UUID]) -> None:
        await self._delete(SourceRow.id.in_(source_ids))
        await self._session.execute(delete(DecisionRow).where(DecisionRow.fact_id.in_(source_ids)))

    async def remove(self, ref: KeyRef, source_ids: Sequence[UUID]) -> None:
        await self._delete(*_at(SourceRow, ref), SourceRow.id.in_(source_ids))
        named = DecisionRow.fact_id.in_(source_ids)
        await self._session.execute(delete(DecisionRow).where(*_at(DecisionRow, ref), named))

    async def crossing(self, agent_id: str, fact_ids: Collection[UUID]) -> list[tuple[KeyRef, Decision]]:
        names, wanted = [str(fact_id) for fact_id in fact_ids], list[tuple[KeyRef, Decision]]()
        if names:
            crossed = DecisionRow.verdict.in_([literal(one.value, literal_execute=True) for one in sorted(CROSSING)])
            told = DecisionRow.changes["other"].astext.in_(names)
            query = select(DecisionRow).where(DecisionRow.agent_id == agent_id, crossed, told)
            wanted += [(ref_of(row), decision_of(row)) for row in (await self._session.execute(query)).scalars()]
        return wanted

    async def redirect(self, decision_id: UUID, fact_id: UUID) -> None:
        await self._session.execute(update(DecisionRow).where(DecisionRow.id == decision_id).values(fact_id=fact_id))

    async def withdraw(self, decision_ids: Sequence[UUID]) -> None:
        await self._session.execute(delete(DecisionRow).where(DecisionRow.id.in_(decision_ids)))

    async def remove_messages(self, messages: Sequence[MessageRef]) -> None:
        await self._delete(_stated_by(messages))

    async def remove_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> list[UUID]:
        if not refs:
            return []
        gone = await self._delete(*_said_of(user_id, refs))
        await self._session.execute(delete(DecisionRow).where(*_amended_by(user_id), _of(DecisionRow, refs)))
        return gone

    async def detach_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> None:
        if refs:
            nobody = {**_OF_NO_MESSAGE, "author_id": NOBODY}
            theirs = update(SourceRow).where(*_said_of(user_id, refs)).values(nobody).returning(SourceRow)
            changed = (await self._session.execute(theirs)).scalars().all()
            amended = update(DecisionRow).where(*_amended_by(user_id), _of(DecisionRow, refs))
            await self._session.execute(amended.values(author_id=NOBODY))
            self._session.touch(*(ref_of(row).subject for row in changed))

    async def unsign(self, user_id: str) -> None:
        decided = DecisionRow.author_type == ActorType.PERSON.value, DecisionRow.author_id == user_id
        await self._session.execute(update(DecisionRow).where(*decided).values(author_id=NOBODY))

    async def detach_messages(self, messages: Sequence[MessageRef]) -> None:
        await self._session.execute(update(SourceRow).where(_stated_by(messages)).values(_OF_NO_MESSAGE))

    async def everything(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Source]]:
        async for ref, row in self._stream(SourceRow, scope, subject):
            yield ref, source_of(row)

    async def all_decisions(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Decision]]:
        async for ref, row in self._stream(DecisionRow, scope, subject):
            yield ref, decision_of(row)

    async def _delete(self, *which: ColumnElement[bool]) -> list[UUID]:
        gone = (await self._session.execute(delete(SourceRow).where(*which).returning(SourceRow))).scalars().all()
        self._session.touch(*(one for row in gone for one in _concerned(ref_of(row), source_of(row))))
        return [row.id for row in gone]

    async def _stream(self, table: Any, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Any]]:
        query = select(table).where(table.scope == scope.value).order_by(table.id)
        if subject is not None:
            query = query.where(table.store_id.is_not_distinct_from(store_of(subject)))
            query = query.where(table.user_id.is_not_distinct_from(user_of(subject)))
        async for row in entities_of(self._session, query):
            yield ref_of(row), row


def _sources(*where: ColumnElement[bool]) -> Select[Any]:
    """Sources, the oldest first: what is asked for twice is answered alike."""
    return select(SourceRow).where(*where).order_by(SourceRow.id)


def _concerned(ref: KeyRef, source: Source) -> tuple[Subject, ...]:
    """Whom the fact is about, and who said so: it decides whether their words may be quoted."""
    said = source.message is not None and source.author.type is ActorType.PERSON
    return (ref.subject, UserSubject(source.author.id)) if said else (ref.subject,)


def _at(table: _Table, ref: KeyRef) -> tuple[ColumnElement[bool], ...]:
    """The entries of one key; `is null` where the subject has no such id, which the index serves."""
    return (table.agent_id == ref.agent_id, table.key == ref.key, *_about(table, ref.subject))


def _about(table: _Table, subject: Subject) -> tuple[ColumnElement[bool], ...]:
    store_id, user_id = store_of(subject), user_of(subject)
    return (
        table.store_id.is_(None) if store_id is None else table.store_id == store_id,
        table.user_id.is_(None) if user_id is None else table.user_id == user_id,
    )


def _stated_by(messages: Sequence[MessageRef]) -> ColumnElement[bool]:
    wanted = [(message.conversation_id, message.message_id) for message in messages]
    return tuple_(SourceRow.conversation_id, SourceRow.message_id).in_(wanted)


def _said_of(user_id: str, refs: Sequence[KeyRef]) -> tuple[ColumnElement[bool], ...]:
    """What the person stated for these shared keys."""
    return _author(user_id), SourceRow.user_id.is_(None), _of(SourceRow, refs)


def _amended_by(user_id: str) -> tuple[ColumnElement[bool], ...]:
    """In what other words, or under what, the person put shared facts."""
    theirs = (DecisionRow.author_type == ActorType.PERSON.value) & (DecisionRow.author_id == user_id)
    return theirs, DecisionRow.user_id.is_(None), DecisionRow.verdict == Verdict.AMEND.value


def _of(table: _Table, refs: Sequence[KeyRef]) -> ColumnElement[bool]:
    return or_(*(and_(*_at(table, ref)) for ref in refs))


def _author(user_id: str) -> ColumnElement[bool]:
    return (SourceRow.author_type == ActorType.PERSON.value) & (SourceRow.author_id == user_id)
