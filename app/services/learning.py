"""Reading a turn: from stored messages to drafts to facts. The work of a turn's job, done by the worker."""

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from app.domain.drafts import Draft, ExtractionRequest, check_all
from app.domain.errors import RetenirError
from app.domain.events import Change
from app.domain.identifiers import uuid7
from app.domain.jobs import PATIENCE, Claim, Job, NotNow, pause_while_away
from app.domain.messages import Message
from app.domain.query_patterns import query_patterns
from app.domain.sources import Origin, Reason, Relation, Source, Traits, Trust
from app.domain.subjects import KeyRef, OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.domain.usage import TURNS_USED_UP, ModelUse, Quotas, day_of, next_day, used_up
from app.domain.values import JsonValue, normalise
from app.ports.clock import Clock
from app.ports.extractors import Extraction, ExtractionFailed, Extractor, ExtractorAway
from app.ports.storage import Storage, UnitOfWork
from app.services.duplicates import Duplicates
from app.services.folds import Author, extend
from app.services.reading import Reading, read_turn, remembering

COMPARING_SECONDS: Final = 5.0
"""So long a turn's job compares what is new, once it is done."""


class StaleClaimError(Exception):
    """Another worker took the job over: nothing of this attempt is kept."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Runs turn jobs. No transaction is open while the extractor works. What is learnt is compared afterwards."""

    storage: Storage
    extractor: Extractor
    clock: Clock
    duplicates: Duplicates | None = None

    async def run(self, scope: TenantScope, claim: Claim) -> None:
        """Read the turn and mark its job done, in the transaction that keeps what was learnt.

        A message erased meanwhile teaches nothing, nor does one of an organisation or a person who wants nothing
        remembered by then. Where the extractor is off, query patterns are all that is looked for. What a model was
        asked for in vain is counted, too. Raises NotNow where the day's quota is used up or the extractor is away,
        StaleClaimError, or what the extractor and storage raise.
        """
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
            reading = await read_turn(uow, job) if job else None
            asks = reading is not None and reading.with_extractor
            if asks:
                await self._require_room(uow)
        extraction = await self._ask(scope, job, reading.request) if job and reading and asks else Extraction()
        drafts, dropped = check_all(extraction.drafts, reading.request) if reading else ([], Counter[str]())
        try:
            async with self.storage.transaction(scope) as uow:
                result = await self._keep(uow, reading, drafts, dropped) if reading else _result([], dropped)
                if not await uow.jobs.finish(claim, result, self.clock()):
                    raise StaleClaimError
                if asks:  # last: until the commit no other turn of the organisation can count itself
                    await self._count(uow, extraction.use)
        except (RetenirError, NotNow, StaleClaimError):
            await self._count_vain(scope, extraction.use)
            raise
        if self.duplicates is not None and result["facts_created"]:
            ends_at = monotonic() + COMPARING_SECONDS
            with suppress(RetenirError):  # the day's consolidation compares what is left
                await self.duplicates.run(scope, lambda: monotonic() <= ends_at)

    async def _require_room(self, uow: UnitOfWork) -> None:
        quotas, now = await _quotas(uow), self.clock()
        if quotas == Quotas():
            return
        used = await uow.usage.of(day_of(now))
        reason = used_up(quotas, used, metered=self.extractor.metered)
        if reason is not None:
            raise NotNow(reason, next_day(now))

    async def _ask(self, scope: TenantScope, job: Job, request: ExtractionRequest) -> Extraction:
        """What the extractor answers. While it is away the job waits, for as long as there is patience."""
        try:
            return await self.extractor.extract(request)
        except ExtractionFailed as failure:
            await self._count_vain(scope, failure.use)
            now = self.clock()
            age = now - job.created_at
            if not isinstance(failure, ExtractorAway) or age > PATIENCE:
                raise
            told = timedelta(seconds=failure.retry_after or 0)
            raise NotNow(failure.code, now + pause_while_away(age, told, random.random())) from failure  # noqa: S311

    async def _count(self, uow: UnitOfWork, use: ModelUse) -> None:
        """Of turns that are read at once, those that come too late for the quota are read again on the next day."""
        quotas, now = await _quotas(uow), self.clock()
        if not await uow.usage.add(day_of(now), use, turns=1, most_turns=quotas.turns_per_day):
            raise NotNow(TURNS_USED_UP, next_day(now))

    async def _count_vain(self, scope: TenantScope, use: ModelUse) -> None:
        if use.calls:
            with suppress(RetenirError):  # why there was nothing of it matters more
                async with self.storage.transaction(scope) as uow:
                    await uow.usage.add(day_of(self.clock()), use)

    async def _keep(
        self, uow: UnitOfWork, reading: Reading, drafts: Sequence[Draft], dropped: Counter[str]
    ) -> dict[str, JsonValue]:
        held = await uow.messages.get([reading.asked.id], hold=True)
        if not held or await remembering(uow, reading.asked.user_id) is None:
            return _result([], Counter())
        placed: dict[KeyRef, list[Draft]] = {}
        for draft in drafts:
            ref = _place(draft, reading)
            if ref is None:
                dropped["not_allowed"] += 1
            else:
                placed.setdefault(ref, []).append(draft)
        await uow.facts.lock(list(placed))
        # Only now: a row is named by its first recorded source, and must not be renamed by one that waited.
        now = self.clock()
        await uow.observations.add(query_patterns(reading.asked, reading.domains, now))
        author = Author(Actor(ActorType.PERSON, reading.asked.user_id), now)
        changed: list[Change] = []
        for ref, stated in placed.items():
            changed += await extend(uow, ref, [_source(draft, reading, now) for draft in stated], author)
        return _result(changed, dropped)


async def _quotas(uow: UnitOfWork) -> Quotas:
    organisation = await uow.organisations.known()
    return organisation.quotas if organisation else Quotas()


def _place(draft: Draft, reading: Reading) -> KeyRef | None:
    """Where a draft is kept: where the fact that it corrects is, else by what it is about; None where it may not be."""
    corrected = reading.candidates.get(draft.corrects or "")
    ref = corrected.ref if corrected else KeyRef(_subject(draft, reading.asked), reading.asked.agent_id, draft.key)
    shared = not isinstance(ref.subject, UserSubject)
    if shared and reading.rank <= Rank.CONTACT:
        return None
    return None if reading.limited and isinstance(ref.subject, OrgSubject) else ref


def _subject(draft: Draft, asked: Message) -> Subject:
    if draft.about == "person":
        return UserSubject(asked.user_id)
    in_shop = draft.about == "store" and asked.store_id is not None
    return StoreSubject(asked.store_id) if in_shop and asked.store_id else OrgSubject()


def _source(draft: Draft, reading: Reading, now: datetime) -> Source:
    asked = reading.asked
    since = asked.sent_at
    if draft.valid_from is not None:
        since = datetime.combine(draft.valid_from, time(), reading.local_time.tzinfo)
    return Source(
        id=uuid7(),
        at=asked.sent_at,
        recorded_at=now,
        origin=Origin.MESSAGE,
        relation=draft.relation,
        author=Actor(ActorType.PERSON, asked.user_id),
        trust=Trust.of(reading.rank),
        value=draft.value,
        normal=normalise(draft.value),
        content=draft.content,
        language=draft.language,
        valid_from=since,
        traits=_traits(draft, reading),
        reason=Reason.CORRECTION if draft.relation is Relation.CORRECTION else None,
        evidence=draft.evidence,
        reasoning=draft.reasoning,
        message=asked.ref,
        replaces=UUID(draft.corrects) if draft.corrects else None,
    )


def _traits(draft: Draft, reading: Reading) -> Traits:
    """What the draft says of itself; a correction says it of the fact that it corrects."""
    corrected = reading.candidates.get(draft.corrects or "")
    if corrected is not None:
        return replace(corrected.traits, confidence=draft.confidence)
    return Traits(draft.category, draft.tags, draft.tier, draft.half_life_days, draft.confidence, draft.many)


def _result(changed: Sequence[Change], dropped: Counter[str]) -> dict[str, JsonValue]:
    """What callers are told of a reading: counts, no words."""
    return {
        "facts_created": sum(change.before is None for change in changed),
        "facts_confirmed": sum(map(_confirms, changed)),
        "facts_superseded": sum(map(_supersedes, changed)),
        "drafts_dropped": dict(dropped),
    }


def _confirms(change: Change) -> bool:
    before, after = change.before, change.after
    return before is not None and after is not None and after.confirmation_count > before.confirmation_count


def _supersedes(change: Change) -> bool:
    before, after = change.before, change.after
    return before is not None and before.live and after is not None and not after.live
