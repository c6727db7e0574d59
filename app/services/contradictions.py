"""Contradictions: listed with the facts that stand against each other, and settled by whoever may change these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from app.domain.contradictions import Contradiction
from app.domain.crossing import overtaking
from app.domain.errors import Conflict, Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.sources import Decision, Verdict
from app.domain.subjects import KeyRef, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Rank, TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.contradictions import ContradictionFilter
from app.ports.facts import FactRecord
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.folds import Author, extend
from app.services.reach import reads_as_admin, require_readable, require_writable


@dataclass(frozen=True, slots=True)
class Dispute:
    """A contradiction with its facts, the older first."""

    contradiction: Contradiction
    facts: tuple[FactRecord, ...]


class Contradictions:
    """What callers see and decide of the contradictions within their reach."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock

    async def page(self, scope: TenantScope, wanted: ContradictionFilter, request: PageRequest) -> Page[Dispute]:
        """Newest first. What is about a person is listed to that person, and to admins where it is a contact, which
        leaves an event. Raises NotFound for a person or a store that is named and out of reach.
        """
        reach = replace(
            wanted,
            reader=scope.person,
            contacts=scope.rank >= Rank.ADMIN,
            stores=scope.stores,
            agents=scope.agents,
        )
        async with self._storage.transaction(scope) as uow:
            if wanted.user_id is not None:
                await require_readable(uow, scope, UserSubject(wanted.user_id))
            if wanted.store_id is not None:
                await require_readable(uow, scope, StoreSubject(wanted.store_id))
            page = await uow.contradictions.page(reach, request)
            await self._note_reading(uow, scope, [contradiction.ref.subject for contradiction in page.items])
            return Page(await _with_facts(uow, page.items), page.next, page.total)

    async def get(self, scope: TenantScope, contradiction_id: UUID) -> Dispute:
        """One contradiction. Raises NotFound when it is not there for this caller, Forbidden as for its facts."""
        async with self._storage.transaction(scope) as uow:
            found = await _reachable(uow, scope, contradiction_id)
            await self._note_reading(uow, scope, [found.ref.subject])
            return (await _with_facts(uow, [found]))[0]

    async def settle(self, scope: TenantScope, contradiction_id: UUID, keep: UUID | None) -> Dispute:
        """Decide it: the kept fact supersedes every rival that is believed; None lets both hold, and neither is halved.

        The kept one is shielded from the chat, as what is written by hand. Raises NotFound, Forbidden, Invalid for a
        fact that is not of this contradiction, Conflict `not_open`.
        """
        async with self._storage.transaction(scope) as uow:
            found = await _reachable(uow, scope, contradiction_id)
            await require_writable(uow, scope, found.ref.subject, found.ref.agent_id)
            await uow.facts.lock(await _keys_of(uow, found))
            found = await _reachable(uow, scope, contradiction_id)
            if found.settled_at is not None:
                raise Conflict("not_open", "This contradiction is settled.")
            if keep not in (None, found.older, found.newer):
                raise Invalid("not_of_this", "This fact is not part of the contradiction.", (("/keep", "not_of_this"),))
            await self._decide(uow, scope, found, keep)
            settled = await _reachable(uow, scope, contradiction_id)
            return (await _with_facts(uow, [settled]))[0]

    async def _decide(self, uow: UnitOfWork, scope: TenantScope, found: Contradiction, keep: UUID | None) -> None:
        now, author = self._clock(), Author(scope.actor, self._clock())
        refs = await _keys_of(uow, found)
        if keep is not None and len(refs) > 1:
            await self._put_out(uow, found, keep, author)
        rows = [row for ref in refs for row in await uow.facts.of_key(ref)]
        both: JsonValue = [str(found.older), str(found.newer)]
        decision = Decision(
            id=uuid7(),
            at=max([now, *(row.last_reinforced_at for row in rows)]),
            recorded_at=now,
            verdict=Verdict.SETTLE,
            fact_id=keep or found.newer,
            author=scope.actor,
            changes={} if keep else {"both": both},
        )
        for ref in refs:
            mine = [row.id for row in rows if row.ref == ref and row.id in (found.older, found.newer)]
            if keep in (None, *mine):
                about = keep or (found.newer if found.newer in mine else mine[0])
                await extend(uow, ref, [replace(decision, id=uuid7(), fact_id=about)], author)
        kept: JsonValue = {"keep": str(keep) if keep else "both"}
        told = event(EventKind.SETTLED, scope.actor, now, subject=found.ref.subject, fact_id=decision.fact_id, new=kept)
        await uow.events.append([told])

    async def _put_out(self, uow: UnitOfWork, found: Contradiction, keep: UUID, author: Author) -> None:
        """The kept fact overtakes the one of another key."""
        records = await uow.facts.records(found.ref.subject.scope, [found.older, found.newer])
        facts = {record.fact.id: record.fact for record in records}
        kept, other = facts[keep], facts[found.newer if keep == found.older else found.older]
        decision = overtaking(other, kept, author.actor, author.now)
        await extend(uow, other.ref, [replace(decision, at=max(decision.at, author.now))], author)

    async def _note_reading(self, uow: UnitOfWork, scope: TenantScope, shown: Sequence[Subject]) -> None:
        people = {one for one in shown if isinstance(one, UserSubject) and reads_as_admin(scope, one)}
        now = self._clock()
        await uow.events.append([event(EventKind.READ, scope.actor, now, subject=person) for person in people])


async def _reachable(uow: UnitOfWork, scope: TenantScope, contradiction_id: UUID) -> Contradiction:
    found = await uow.contradictions.get(contradiction_id)
    if found is None or not scope.reads_pocket(found.ref.agent_id):
        raise NotFound
    await require_readable(uow, scope, found.ref.subject)
    return found


async def _keys_of(uow: UnitOfWork, found: Contradiction) -> list[KeyRef]:
    """The key of both facts, or the keys of each."""
    records = await uow.facts.records(found.ref.subject.scope, [found.older, found.newer])
    return list(dict.fromkeys([found.ref, *(record.fact.ref for record in records)]))


async def _with_facts(uow: UnitOfWork, contradictions: Sequence[Contradiction]) -> list[Dispute]:
    records: dict[UUID, FactRecord] = {}
    for scope in {one.ref.subject.scope for one in contradictions}:
        here = [one for one in contradictions if one.ref.subject.scope is scope]
        ids = [fact_id for one in here for fact_id in (one.older, one.newer)]
        records |= {record.fact.id: record for record in await uow.facts.records(scope, ids)}
    return [
        Dispute(one, tuple(records[fact_id] for fact_id in (one.older, one.newer) if fact_id in records))
        for one in contradictions
    ]
