"""Taking a turn in: its messages and the job that will read them are stored in one transaction, then it is answered."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.domain.corrections import opens_correction
from app.domain.erasures import Thing, message_thing, person_thing, store_thing
from app.domain.errors import Collision, Forbidden, Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.jobs import Job, JobKind
from app.domain.messages import MAX_AHEAD, Message, Speaker
from app.domain.noremember import is_noremember
from app.domain.organisations import ExtractorChoice
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork
from app.services.arrivals import welcome_person, welcome_store

LOOK_BACK = 4
"""Messages of the conversation before this turn among which the assistant's last one is looked for."""


class Skip(StrEnum):
    """Why nothing of a turn is kept; or, where the extractor is off, why no facts come of it."""

    NOREMEMBER = "noremember"
    DISABLED = "disabled"
    OPTED_OUT = "person_opted_out"
    EXTRACTOR_OFF = "extractor_off"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message as sent. `utc_offset` in minutes, None where the time was given as `Z`."""

    id: str
    content: str
    sent_at: datetime
    utc_offset: int | None


@dataclass(frozen=True, slots=True)
class TurnIn:
    """One user message and the assistant's answer to it."""

    conversation_id: str
    channel: str
    agent_id: str
    user_message: Utterance
    assistant_message: Utterance | None = None
    store_id: str | None = None
    receipt_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """What became of a turn. `stored` counts the messages that were new; a replay stores none and names its job.

    The job is there with the extractor off, too: it looks for query patterns.
    """

    job_id: UUID | None
    stored: int
    skipped: Skip | None
    correction: bool


@dataclass(frozen=True, slots=True)
class Turns:
    """Accepts turns. `on_queued` is told when work waits, once it is committed."""

    storage: Storage
    clock: Clock
    on_queued: Callable[[], None] = field(default=lambda: None)

    async def take(self, scope: TenantScope, turn: TurnIn) -> TurnTaken:
        """Keep the turn and queue its reading, or keep nothing of it.

        A repeated turn is a replay. Raises Conflict `message_conflict` for other words under a known id, Invalid for
        a time too far ahead, NotFound and Forbidden as the key's limits have it.
        """
        now = self.clock()
        _require_times(turn, now)
        if not scope.writes_pocket(turn.agent_id):
            raise Forbidden("limited_key", "This key is limited to other agents.")
        async with self.storage.transaction(scope) as uow:
            taken = await _take(uow, scope, turn, now)
        if taken.job_id is not None:
            self.on_queued()
        return taken

    async def linked(self, scope: TenantScope, channel: str, address: str) -> tuple[str, str | None]:
        """The person and store that a channel's address stands for; unlinked, it is a contact of that id."""
        async with self.storage.transaction(scope) as uow:
            link = await uow.channels.get(channel, address)
        return (link.user_id, link.store_id) if link else (address, None)


async def _take(uow: UnitOfWork, scope: TenantScope, turn: TurnIn, now: datetime) -> TurnTaken:
    if scope.person is None:
        raise Invalid("person_required", "A turn has a person.", (("/user_id", "missing"),))
    skip = await _skip(uow, scope, turn)
    if skip not in (None, Skip.EXTRACTOR_OFF):
        await uow.events.append([event(EventKind.TURN_SKIPPED, scope.actor, now)])
        return TurnTaken(None, 0, skip, correction=False)
    said = await unerased(uow, _messages(scope.person, turn, now))
    if not said or said[0].speaker is not Speaker.USER:
        await uow.events.append([event(EventKind.TURN_SKIPPED, scope.actor, now)])
        return TurnTaken(None, 0, Skip.ERASED, correction=False)
    if turn.store_id is not None:
        await welcome_store(uow, scope, turn.store_id, now)
    await welcome_person(uow, scope, scope.person, now)
    stored = await uow.messages.add(said)
    # What was waited for, the message's row or its person's, may have been erased meanwhile.
    if stored and len(await unerased(uow, said, afresh=True)) < len(said):
        raise Collision
    asked = said[0] if stored == len(said) else (await uow.messages.find([said[0].ref]))[0]
    if asked.id == said[0].id:
        await uow.jobs.add(_job(scope, turn, asked, now, read=skip is None))
    return TurnTaken(asked.id, stored, skip, await _is_correction(uow, turn, asked))


async def _skip(uow: UnitOfWork, scope: TenantScope, turn: TurnIn) -> Skip | None:
    if is_noremember(turn.user_message.content):
        return Skip.NOREMEMBER
    organisation = await uow.organisations.get()
    if organisation is None:
        raise NotFound
    if not organisation.settings.enabled:
        return Skip.DISABLED
    person = await uow.people.get(scope.person or "")
    if person is not None and not person.remember:
        return Skip.OPTED_OUT
    return Skip.EXTRACTOR_OFF if organisation.settings.extractor is ExtractorChoice.OFF else None


def _messages(user_id: str, turn: TurnIn, now: datetime) -> list[Message]:
    def message(speaker: Speaker, said: Utterance) -> Message:
        return Message(
            id=uuid7(),
            conversation_id=turn.conversation_id,
            message_id=said.id,
            channel=turn.channel,
            speaker=speaker,
            content=said.content,
            sent_at=said.sent_at,
            utc_offset=said.utc_offset,
            user_id=user_id,
            store_id=turn.store_id,
            agent_id=turn.agent_id,
            recorded_at=now,
        )

    said = [message(Speaker.USER, turn.user_message)]
    if turn.assistant_message is not None:
        said.append(message(Speaker.ASSISTANT, turn.assistant_message))
    return said


async def unerased(uow: UnitOfWork, messages: Sequence[Message], *, afresh: bool = False) -> list[Message]:
    """Those that were not erased: neither they themselves, nor their person or store since they were sent."""
    things = {thing for message in messages for thing in _things(message)}
    erased = await uow.ledger.among(things, afresh=afresh)

    def stands(message: Message) -> bool:
        itself, *around = _things(message)
        later = [erased[thing] for thing in around if thing in erased]
        return itself not in erased and all(at < message.sent_at for at in later)

    return [message for message in messages if stands(message)] if erased else list(messages)


def _things(message: Message) -> Iterator[Thing]:
    yield message_thing(message.ref)
    yield person_thing(message.user_id)
    if message.store_id is not None:
        yield store_thing(message.store_id)


def _job(scope: TenantScope, turn: TurnIn, asked: Message, now: datetime, *, read: bool) -> Job:
    """The turn's reading. It bears the id of the user's message, so that a replay finds it.

    `read`: by the extractor, too.
    """
    return Job(
        id=asked.id,
        kind=JobKind.TURN,
        lane=f"{asked.user_id} {turn.conversation_id}",
        payload={
            "assistant_message_id": turn.assistant_message.id if turn.assistant_message else None,
            "receipt_id": str(turn.receipt_id) if turn.receipt_id else None,
            "rank": int(scope.rank),
            "limited": scope.stores is not None,
            "read": read,
        },
        created_by=scope.actor,
        created_at=now,
        key_id=scope.key_id,
        user_id=asked.user_id,
    )


async def _is_correction(uow: UnitOfWork, turn: TurnIn, asked: Message) -> bool:
    answer = turn.assistant_message.id if turn.assistant_message else None
    return corrects(asked, last_spoken(await uow.messages.before(asked, LOOK_BACK), answer))


def corrects(asked: Message, spoken: Message | None) -> bool:
    """Whether the message opens by putting right what the assistant had just said."""
    since = asked.sent_at - spoken.sent_at if spoken else None
    return opens_correction(asked.content, since, spoken.content if spoken else None)


def last_spoken(earlier: Sequence[Message], answer_id: str | None) -> Message | None:
    """The assistant's last words among `earlier` ones, which are not the answer to the message itself."""
    return next(
        (said for said in reversed(earlier) if said.speaker is Speaker.ASSISTANT and said.message_id != answer_id),
        None,
    )


def _require_times(turn: TurnIn, now: datetime) -> None:
    said = {"/user_message/sent_at": turn.user_message, "/assistant_message/sent_at": turn.assistant_message}
    ahead = tuple((place, "time_ahead") for place, one in said.items() if one and one.sent_at > now + MAX_AHEAD)
    if ahead:
        raise Invalid("time_ahead", "A message lies more than 24 hours ahead.", ahead)
    if turn.assistant_message and turn.assistant_message.id == turn.user_message.id:
        fault = (("/assistant_message/id", "repeated"),)
        raise Invalid("repeated_id", "The two messages of a turn have two ids.", fault)
