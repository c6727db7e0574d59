"""A recorded conversation, ready to be said again to a running service."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta


class UnknownShapeError(ValueError):
    """The document is no transcript of the kind it was taken for; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Store:
    id: str
    org: str
    name: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of one organisation; no role: a contact."""

    id: str
    org: str
    role: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    content: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """What one person said, and what the assistant answered, if there is one."""

    person: str
    user: Message
    assistant: Message | None = None

    def messages(self) -> Iterator[Message]:
        yield self.user
        if self.assistant:
            yield self.assistant


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation on one channel; `id` is its conversation id."""

    id: str
    channel: str
    org: str
    store: str
    agent: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Pin:
    """Once session `after` is over, its speaker pins every fact that holds one of `needles`."""

    after: int
    needles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Erasure:
    """Once session `after` is over, the speaker erases the user's message of that session and turn."""

    after: int
    session: int
    turn: int


@dataclass(frozen=True, slots=True)
class Question:
    """What the memory block is asked for, once session `after` is over and its actions are done."""

    id: str
    after: int
    at: datetime
    org: str
    person: str
    store: str
    agent: str
    query: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """Sessions in the order of their times, with everybody and every store that they name.

    `org` of a store, a person, a session and a question is a name inside this transcript: the player gives each of
    them an organisation of its own.
    """

    name: str
    language: str
    stores: tuple[Store, ...]
    people: tuple[Person, ...]
    sessions: tuple[Session, ...]
    share_messages: str = "person"
    actions: tuple[Pin | Erasure, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def orgs(self) -> tuple[str, ...]:
        """Each organisation once, in the order of its first store."""
        return tuple(dict.fromkeys(store.org for store in self.stores))

    @property
    def turn_count(self) -> int:
        return sum(len(session.turns) for session in self.sessions)

    @property
    def last_said_at(self) -> datetime:
        """The time of the latest message. Raises ValueError where nothing was said."""
        return max(m.sent_at for session in self.sessions for turn in session.turns for m in turn.messages())


def moved(transcript: Transcript, by: timedelta) -> Transcript:
    """The same transcript with `by` added to every time: what lies between two of them stays exactly the same."""

    def message(old: Message) -> Message:
        return replace(old, sent_at=old.sent_at + by)

    def turn(old: Turn) -> Turn:
        return replace(old, user=message(old.user), assistant=old.assistant and message(old.assistant))

    return replace(
        transcript,
        sessions=tuple(replace(s, turns=tuple(map(turn, s.turns))) for s in transcript.sessions),
        questions=tuple(replace(q, at=q.at + by) for q in transcript.questions),
    )


def ending_at(transcript: Transcript, now: datetime) -> Transcript:
    """The same transcript, moved so that its last message is said at `now`."""
    return moved(transcript, now - transcript.last_said_at)


def shortened(transcript: Transcript, turns: int) -> Transcript:
    """Its first `turns` turns; actions and questions stay where the session they follow is still whole."""
    sessions: list[Session] = []
    whole = 0
    for session in transcript.sessions:
        kept = session.turns[: turns - sum(len(s.turns) for s in sessions)]
        if kept:
            sessions.append(replace(session, turns=kept))
        whole += len(kept) == len(session.turns)
    return replace(
        transcript,
        sessions=tuple(sessions),
        actions=tuple(a for a in transcript.actions if a.after < whole),
        questions=tuple(q for q in transcript.questions if q.after < whole),
    )


def up_to(transcript: Transcript, question: Question) -> Transcript:
    """What had happened when `question` was asked; no question in it."""
    return replace(
        transcript,
        sessions=transcript.sessions[: question.after + 1],
        actions=tuple(a for a in transcript.actions if a.after <= question.after),
        questions=(),
    )


def identifier(text: str) -> str:
    """`text` as an id that the service takes: printable ASCII without space, 1 to 100 characters."""
    return re.sub(r"[^!-~]+", "-", text)[:100].strip("-.") or "x"
