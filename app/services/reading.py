"""A turn made ready to be read: its words, its place in the conversation, and the facts that it may correct."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.corrections import Candidate
from app.domain.drafts import ExtractionRequest
from app.domain.facts import Fact
from app.domain.jobs import Job
from app.domain.messages import Message, Speaker
from app.domain.organisations import ExtractorChoice, OrgSettings, Person
from app.domain.query_patterns import WordLists
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Rank
from app.ports.storage import UnitOfWork
from app.services.turns import LOOK_BACK, corrects, last_spoken

_ABOUT = {Scope.ORG: "organisation", Scope.STORE: "store", Scope.USER: "person"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A turn as it is read: the user's message, the facts it may correct, what the speaker may write, the domains."""

    asked: Message
    local_time: datetime
    candidates: Mapping[str, Fact]
    request: ExtractionRequest
    rank: Rank
    limited: bool
    domains: WordLists
    with_extractor: bool


async def read_turn(uow: UnitOfWork, job: Job) -> Reading | None:
    """The turn of a job; None when its message is gone, and where nothing is to be remembered any more."""
    found = await uow.messages.get([job.id])
    remembered = await remembering(uow, found[0].user_id) if found else None
    if remembered is None:
        return None
    asked, (settings, person) = found[0], remembered
    rank = Rank(int(str(job.payload["rank"])))
    earlier = await uow.messages.before(asked, LOOK_BACK)
    answer_id = job.payload.get("assistant_message_id")
    spoken = last_spoken(earlier, str(answer_id) if answer_id else None)
    facts = await _candidates(uow, job, asked, earlier)
    local_time = asked.local_time(*await _zones(uow, asked, person), settings.time_zone)
    request = ExtractionRequest(
        user_text=asked.content,
        assistant_text=None,
        previous_assistant=spoken.content if spoken else None,
        sent_at=local_time,
        language=settings.language,
        languages=settings.languages,
        contact=rank <= Rank.CONTACT,
        has_store=asked.store_id is not None,
        correction=corrects(asked, spoken),
        candidates=tuple(_candidate(fact) for fact in facts),
    )
    by_ref = {str(fact.id): fact for fact in facts}
    return Reading(
        asked,
        local_time,
        by_ref,
        request,
        rank,
        limited=bool(job.payload["limited"]),
        domains=settings.domains,
        with_extractor=bool(job.payload.get("read", True)) and settings.extractor is not ExtractorChoice.OFF,
    )


async def remembering(uow: UnitOfWork, user_id: str) -> tuple[OrgSettings, Person | None] | None:
    """The organisation's settings and the person; None where either of the two wants nothing remembered."""
    organisation = await uow.organisations.get()
    if organisation is None or not organisation.settings.enabled:
        return None
    person = await uow.people.get(user_id)
    return (organisation.settings, person) if person is None or person.remember else None


async def _zones(uow: UnitOfWork, asked: Message, person: Person | None) -> tuple[str | None, str | None]:
    """The time zones of the person and of the store, nearest first."""
    store = await uow.stores.get(asked.store_id) if asked.store_id else None
    return person.time_zone if person else None, store.time_zone if store else None


async def _candidates(uow: UnitOfWork, job: Job, asked: Message, earlier: Sequence[Message]) -> list[Fact]:
    """What a correction may be about: the facts that the last block served, then those the last turn stated."""
    subjects = _subjects(asked)
    named = job.payload.get("receipt_id")
    receipt = await uow.receipts.get(UUID(str(named))) if named else None
    if receipt is None or receipt.user_id != asked.user_id:
        receipt = await uow.receipts.latest(asked.user_id, asked.conversation_id)
    served = await uow.facts.among(receipt.fact_ids, subjects) if receipt else []
    said = [message.ref for message in earlier if message.speaker is Speaker.USER]
    refs = await uow.sources.refs_of(said) if said else []
    stated = [fact for ref in refs if ref.subject in subjects for fact in await uow.facts.of_key(ref) if fact.live]
    return list({fact.id: fact for fact in (*stated, *served) if fact.behaviour is None}.values())


def _subjects(asked: Message) -> list[Subject]:
    shop: list[Subject] = [StoreSubject(asked.store_id)] if asked.store_id else []
    return [UserSubject(asked.user_id), *shop, OrgSubject()]


def _candidate(fact: Fact) -> Candidate:
    return Candidate(str(fact.id), _ABOUT[fact.ref.subject.scope], fact.ref.key, fact.value, fact.content)
