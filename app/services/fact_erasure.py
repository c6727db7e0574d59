"""Erasing one fact: its value goes everywhere it stood, and does not bring back what it had replaced."""

from collections.abc import Sequence
from uuid import UUID

from app.domain.erasures import Erasure, ErasureKind, entry_thing, message_thing
from app.domain.errors import NotFound
from app.domain.events import EventKind, event
from app.domain.facts import Fact
from app.domain.sources import MessageRef
from app.domain.subjects import Scope, UserSubject, user_of
from app.domain.tenancy import TenantScope
from app.domain.versions import ANY, Expected
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.facts import FactRecord
from app.ports.storage import Storage, UnitOfWork
from app.services.behaviour import forget_found_in
from app.services.erasure_receipts import ErasureReceipts, Found, removed
from app.services.folds import Author, forget_messages, forget_value, sources_of_value
from app.services.reach import require_erasable


class FactErasure:
    """Deletes single facts, each in one transaction."""

    def __init__(self, storage: Storage, clock: Clock, cache: Cache) -> None:
        self._storage = storage
        self._clock = clock
        self._receipts = ErasureReceipts(clock, cache)

    async def delete(
        self, scope: TenantScope, kind: Scope, fact_id: UUID, *, with_sources: bool, expected: Expected = ANY
    ) -> Erasure:
        """Erase the fact, the rows of its key that say the same, what was merged into it, the words of their events,
        and the note that it is.

        The messages that say it stay, are named, and are quoted no more, unless `with_sources`: then they go, with all
        that came of them.
        Raises NotFound, Forbidden, PreconditionFailed where the row stands at another version than `expected`.
        """
        async with self._storage.transaction(scope) as uow:
            uow.erasures.count_vectors()
            fact = await _erasable(uow, scope, kind, fact_id, expected)
            author = Author(scope.actor, self._clock())
            told = [*await _merged(uow, fact), fact]
            sources = [source for row in told for source in await sources_of_value(uow, row)]
            said = await uow.sources.messages_of(sources)
            observed = await uow.observations.delete(sources)  # a note's fact rests on a source of the note's own id
            changed = [change for row in told for change in await forget_value(uow, row, author)]
            gone = 0
            if with_sources and said:
                changed += await forget_messages(uow, said, author)
                changed += await forget_found_in(uow, said, author)
                observed += await uow.observations.delete_found_in(said)
                gone = await _erase_messages(uow, said, author)
            await uow.events.flush()
            await uow.ledger.add([entry_thing(one) for one in (*sources, *(row.id for row in told))], author.now)
            whose = user_of(fact.ref.subject)
            found = Found(sum([len(await _alike(uow, row)) for row in told]), () if with_sources else tuple(said))
            counts = {"facts": removed(changed), "messages": gone, "observations": observed}
            return await self._receipts.write(uow, scope, ErasureKind.FACT, counts, found, whose)


async def _erase_messages(uow: UnitOfWork, said: Sequence[MessageRef], author: Author) -> int:
    """The messages are gone, each with an event; answers how many were there."""
    found = await uow.messages.find(said)
    people = [UserSubject(message.user_id) for message in found]
    await uow.events.append([event(EventKind.ERASED, author.actor, author.now, subject=person) for person in people])
    await uow.ledger.add([message_thing(message.ref) for message in found], author.now)
    return await uow.messages.delete([message.id for message in found])


async def _erasable(uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID, expected: Expected) -> Fact:
    """The fact, its key held. An admin may erase what they may not read."""
    ref = (await _found(uow, scope, kind, fact_id)).fact.ref
    await require_erasable(uow, scope, ref.subject, ref.agent_id)
    await uow.facts.lock([ref])
    record = await _found(uow, scope, kind, fact_id)
    expected.require(record.version)
    return record.fact


async def _found(uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID) -> FactRecord:
    record = await uow.facts.get(kind, fact_id)
    if record is None or not scope.reads_pocket(record.fact.ref.agent_id):
        raise NotFound
    return record


async def _alike(uow: UnitOfWork, fact: Fact) -> list[Fact]:
    """The rows of the fact's key that say the same."""
    return [row for row in await uow.facts.of_key(fact.ref) if row.normal == fact.normal]


async def _merged(uow: UnitOfWork, fact: Fact) -> list[Fact]:
    """What was merged into the fact, or into an earlier row that says the same; their keys are held then."""
    alike = [row.id for row in await _alike(uow, fact)]
    merged = await uow.facts.merged_into(fact.ref.subject.scope, alike)
    await uow.facts.lock([row.ref for row in merged])
    return [row for row in merged if (row.ref, row.normal) != (fact.ref, fact.normal)]
