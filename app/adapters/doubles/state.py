"""What is kept of one organisation: frozen values in plain collections, so that a copy is cheap and whole."""

from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from uuid import UUID

from app.domain.consolidation import Checkpoint
from app.domain.contradictions import Contradiction
from app.domain.embedding import Vector
from app.domain.erasures import Closings, Erased, Erasure, PlatformErasure, Thing
from app.domain.errors import Conflict
from app.domain.events import MemoryEvent
from app.domain.idempotency import Claim, Outcome
from app.domain.imports import Staged
from app.domain.jobs import Job
from app.domain.messages import Message
from app.domain.observations import Observation
from app.domain.organisations import ApiKey, ChannelLink, Organisation, Person, Store
from app.domain.receipts import Receipt
from app.domain.rules import Rules
from app.domain.seals import Line, Seal
from app.domain.search import Document, DocumentKind
from app.domain.sources import Decision, Source
from app.domain.subjects import KeyRef, Scope, Subject, UserSubject, store_of, user_of
from app.domain.tenancy import Actor, ActorType
from app.domain.usage import UsageDay
from app.ports.facts import FactRecord
from app.ports.vectors import Place


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A job with when it may run, and until when a worker holds it."""

    job: Job
    run_at: datetime
    lease_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """An idempotency key that somebody holds, or that is finished."""

    claim: Claim
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """Vectors of a document in a space, with the words that they were made of. None: that failed."""

    subject: Subject
    stamp: str
    space: str | None
    vectors: tuple[Vector, ...] = ()
    beside: Place | None = None


@dataclass(frozen=True, slots=True)
class KeptErasure:
    """A receipt, and who may read it."""

    erasure: Erasure
    readers: frozenset[Thing]


@dataclass(slots=True)
class State:
    """The tables of one organisation, by id; jobs stand in the order in which they were added."""

    organisation: Organisation | None = None
    stores: dict[str, Store] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    links: dict[tuple[str, str], ChannelLink] = field(default_factory=dict)
    keys: dict[UUID, tuple[ApiKey, bytes]] = field(default_factory=dict)
    messages: dict[UUID, Message] = field(default_factory=dict)
    facts: dict[tuple[Scope, UUID], FactRecord] = field(default_factory=dict)
    compared: frozenset[UUID] | set[UUID] = frozenset()
    sources: dict[UUID, tuple[KeyRef, Source]] = field(default_factory=dict)
    decisions: dict[UUID, tuple[KeyRef, Decision]] = field(default_factory=dict)
    events: dict[UUID, MemoryEvent] = field(default_factory=dict)
    lines: dict[UUID, Line] = field(default_factory=dict)
    """The events as they were written, in order of place; who is gone since is still stood for."""
    seals: dict[int, Seal] = field(default_factory=dict)
    jobs: dict[UUID, QueuedJob] = field(default_factory=dict)
    staged: dict[tuple[UUID, int], Staged] = field(default_factory=dict)
    receipts: dict[UUID, Receipt] = field(default_factory=dict)
    observations: dict[UUID, Observation] = field(default_factory=dict)
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    contradictions: dict[UUID, Contradiction] = field(default_factory=dict)
    rules: dict[int, Rules] = field(default_factory=dict)
    claims: dict[bytes, Claimed] = field(default_factory=dict)
    usage: dict[date, UsageDay] = field(default_factory=dict)
    documents: dict[tuple[DocumentKind, UUID], Document] = field(default_factory=dict)
    """Those that are indexed by hand; the others are made of what is kept when they are looked for."""
    disowned: dict[UUID, bool] = field(default_factory=dict)
    vectors: dict[Place, KeptVectors] = field(default_factory=dict)
    """As far as they were made of what the document says now."""
    generations: dict[Subject, int] = field(default_factory=dict)
    erasures: dict[UUID, KeptErasure] = field(default_factory=dict)
    erased: dict[bytes, Erased] = field(default_factory=dict)
    platform: dict[UUID, tuple[PlatformErasure, int]] = field(default_factory=dict)
    """Receipts that outlive the organisation, with how many parts of each are under way."""
    closings: Closings = field(default_factory=Closings)
    """What is hidden here."""

    def copy(self) -> "State":
        """Another one with the same values, which may change on its own."""
        other = copy(self)
        for item in fields(self):
            table = getattr(self, item.name)
            if isinstance(table, dict):
                setattr(other, item.name, dict(table))
        return other

    def clear(self) -> None:
        """Nothing is left but the idempotency keys that are being worked on: one of them stands for this very act."""
        claims = {key: held for key, held in self.claims.items() if held.outcome is None}
        self.restore(State(claims=claims, platform=self.platform))

    def restore(self, other: "State") -> None:
        """It is what the other one is."""
        for item in fields(self):
            setattr(self, item.name, getattr(other, item.name))

    def require(self, *, user_id: str | None = None, store_id: str | None = None) -> None:
        """Raises Conflict when what a new row would belong to is not there."""
        self.require_open(user_id=user_id, store_id=store_id)
        person_is_there = user_id is None or user_id in self.people
        store_is_there = store_id is None or store_id in self.stores
        if not (self.organisation and person_is_there and store_is_there):
            raise Conflict("conflict", "What this belongs to was removed at the same time.")

    def require_open(self, *, user_id: str | None = None, store_id: str | None = None) -> None:
        """Raises Conflict where a new row would come into what is being erased."""
        if self.closings.organisation or user_id in self.closings.people or store_id in self.closings.stores:
            raise Conflict("erasing", "This is being erased; try again when that is done.")

    def require_subject(self, subject: Subject) -> None:
        """As `require`, for whom a fact is about."""
        if self.closings.hides(subject):
            raise Conflict("erasing", "This is being erased; try again when that is done.")
        self.require(user_id=user_of(subject), store_id=store_of(subject))

    def require_new(self, is_there: bool) -> None:
        """Raises Conflict when a row of this id is there already."""
        if is_there:
            raise Conflict("conflict", "Somebody else wrote the same thing at the same time; try again.")

    def forget_subject(self, subject: Subject) -> None:
        """All that is about a person or a store goes with them; in the trail they lose their name."""
        user_id, store_id = user_of(subject), store_of(subject)
        self.facts = {place: kept for place, kept in self.facts.items() if kept.fact.ref.subject != subject}
        self.sources = {place: kept for place, kept in self.sources.items() if kept[0].subject != subject}
        self.decisions = {place: kept for place, kept in self.decisions.items() if kept[0].subject != subject}
        self.contradictions = {
            place: kept for place, kept in self.contradictions.items() if kept.ref.subject != subject
        }
        self.messages = {
            place: kept for place, kept in self.messages.items() if not _either(kept.user_id, kept.store_id, subject)
        }
        self.documents = {
            place: kept
            for place, kept in self.documents.items()
            if not _either(user_of(kept.subject), kept.store_id, subject)
        }
        self.observations = {
            place: kept
            for place, kept in self.observations.items()
            if not _either(kept.user_id, kept.store_id, subject)
        }
        self.events = {place: unnamed(kept, subject) for place, kept in self.events.items()}
        self.rules = {version: _unsigned(kept, subject) for version, kept in self.rules.items()}
        if user_id is not None:
            self.links = {place: kept for place, kept in self.links.items() if kept.user_id != user_id}
            self.checkpoints = {place: kept for place, kept in self.checkpoints.items() if place != user_id}
            self.jobs = {place: kept for place, kept in self.jobs.items() if kept.job.user_id != user_id}
            self.receipts = {place: kept for place, kept in self.receipts.items() if kept.user_id != user_id}
        else:
            self.links = {
                place: replace(kept, store_id=None) if kept.store_id == store_id else kept
                for place, kept in self.links.items()
            }


def unnamed(event: MemoryEvent, subject: Subject) -> MemoryEvent:
    """The event without this person or store in it."""
    if event.subject == subject:
        event = replace(event, subject=None)
    gone = isinstance(subject, UserSubject) and event.actor == Actor(ActorType.PERSON, subject.user_id)
    return replace(event, actor=None) if gone else event


def _unsigned(rules: Rules, subject: Subject) -> Rules:
    gone = isinstance(subject, UserSubject) and rules.author == Actor(ActorType.PERSON, subject.user_id)
    return replace(rules, author=None) if gone else rules


def _either(user_id: str | None, store_id: str | None, subject: Subject) -> bool:
    return user_id == user_of(subject) if isinstance(subject, UserSubject) else store_id == store_of(subject)
