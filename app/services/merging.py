"""Merging facts that mean the same, by hand, and undoing it."""

from uuid import UUID

from app.domain.errors import Conflict, Invalid
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.sources import Decision, Source, Verdict
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.domain.versions import ANY, Expected
from app.ports.clock import Clock
from app.ports.facts import FactRecord
from app.ports.storage import Storage, UnitOfWork
from app.services.fact_editing import decision_on, held, record_of
from app.services.facts import find
from app.services.folds import Author, extend
from app.services.reach import require_writable


class Merging:
    """Mergers of two facts about the same, in one pocket. Rights and refusals as for `FactEditing`."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock

    async def merge(
        self, scope: TenantScope, kind: Scope, fact_id: UUID, into: UUID, expected: Expected = ANY
    ) -> FactRecord:
        """The fact is archived, and counts for the one that the person names: that one takes its confirmations and
        tags, now and whenever it is said again. Answers the fact that was merged away.

        Raises Invalid for a fact of another subject or pocket and for what sessions show; Conflict `not_live` for what
        is not believed, `merge_chain` where a third fact would be involved.
        """
        async with self._storage.transaction(scope) as uow:
            record, target = await _both(uow, scope, kind, fact_id, into)
            expected.require(record.version)
            fact = record.fact
            if fact.merged_into == target.id:
                return await record_of(uow, fact)
            await _require_mergeable(uow, fact, target)
            now = self._clock()
            decision = Decision(
                id=uuid7(),
                at=max(now, fact.last_reinforced_at, target.last_reinforced_at),
                recorded_at=now,
                verdict=Verdict.MERGE,
                fact_id=fact.id,
                author=scope.actor,
                changes={"into": str(target.id), "key": target.ref.key},
            )
            await extend(uow, fact.ref, [decision], Author(scope.actor, now))
            return await record_of(uow, fact)

    async def unmerge(self, scope: TenantScope, kind: Scope, fact_id: UUID, expected: Expected = ANY) -> FactRecord:
        """Both facts are as if they had never been merged. One that is not merged stays as it is."""
        async with self._storage.transaction(scope) as uow:
            fact = await held(uow, scope, kind, fact_id, expected)
            if fact.merged_into is not None:
                now = self._clock()
                undoing = decision_on(scope, fact, Verdict.UNMERGE, now, {"undoes": await _mergers(uow, fact)})
                await extend(uow, fact.ref, [undoing], Author(scope.actor, now))
            return await record_of(uow, fact)


async def _both(uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID, into: UUID) -> tuple[FactRecord, Fact]:
    """The two facts, with their keys held, once the caller's right to change them is clear."""
    refs = [(await find(uow, scope, kind, each)).fact.ref for each in (fact_id, into)]
    for ref in refs:
        await require_writable(uow, scope, ref.subject, ref.agent_id)
    await uow.facts.lock(refs)
    return await find(uow, scope, kind, fact_id), (await find(uow, scope, kind, into)).fact


async def _require_mergeable(uow: UnitOfWork, fact: Fact, target: Fact) -> None:
    if (fact.ref.subject, fact.ref.agent_id) != (target.ref.subject, target.ref.agent_id):
        raise Invalid("merge_elsewhere", "Facts merge within one subject and pocket.", (("/into", "elsewhere"),))
    if fact.behaviour or target.behaviour:
        raise Invalid("not_mergeable", "What sessions show is not merged.", (("/into", "behaviour"),))
    if fact.id == target.id:
        raise Invalid("merge_self", "A fact is not merged into itself.", (("/into", "itself"),))
    third = await uow.facts.merged_into(fact.ref.subject.scope, [fact.id])
    if third or fact.merged_into or target.merged_into:
        raise Conflict("merge_chain", "One of these facts is part of another merger: undo that first.")
    if not (fact.live and target.live):
        raise Conflict("not_live", "A fact that is archived or superseded is not merged: restore it first.")


async def _mergers(uow: UnitOfWork, fact: Fact) -> list[str]:
    """The decisions by which this value was merged away, as text."""
    entries = await uow.sources.entries(fact.ref)
    named = {entry.id for entry in entries if isinstance(entry, Source) and entry.normal == fact.normal}
    decisions = (entry for entry in entries if isinstance(entry, Decision) and entry.fact_id in named)
    return [str(decision.id) for decision in decisions if decision.verdict is Verdict.MERGE]
