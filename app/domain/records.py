"""The records of an export, read back into what they are of. What does not fit raises Unfit, with its place."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.events import EventKind, EventValues, MemoryEvent
from app.domain.fields import (
    Fields,
    Unfit,
    anything,
    flag,
    identifier,
    instant,
    listed,
    mapping,
    name,
    one_of,
    text,
    time_zone,
    unique,
    whole,
)
from app.domain.messages import Message, Speaker
from app.domain.observations import Observation, ObservationType, faults
from app.domain.organisations import ChannelLink, Person, Store
from app.domain.rules import MAX_BYTES, Rules
from app.domain.sources import MessageRef
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType, Role

_DAY = 14 * 60 + 59


@dataclass(frozen=True, slots=True)
class Named:
    """The organisation that was exported. `created_at` and `version` are there where it was exported whole."""

    org_id: str
    name: str
    created_at: datetime | None = None
    version: int | None = None


def organisation_of(told: object) -> Named:
    """The organisation's own record."""
    at = Fields(told)
    named = Named(
        at.of("org_id", identifier),
        at.of("name", name),
        at.younger("created_at", instant),
        at.younger("version", whole(1)),
    )
    at.end()
    return named


def store_of(told: object) -> Store:
    """A store."""
    at = Fields(told)
    store = Store(
        at.of("store_id", identifier),
        at.of("name", name),
        at.of("created_at", instant),
        at.maybe("time_zone", time_zone),
    )
    at.end()
    return store


def person_of(told: object) -> Person:
    """A person."""
    at = Fields(told)
    person = Person(
        user_id=at.of("user_id", identifier),
        created_at=at.of("created_at", instant),
        role=at.maybe("role", one_of(Role)),
        display_name=at.maybe("display_name", name),
        remember=at.of("remember", flag),
        time_zone=at.maybe("time_zone", time_zone),
    )
    at.end()
    return person


def channel_of(told: object) -> ChannelLink:
    """A channel link."""
    at = Fields(told)
    link = ChannelLink(
        at.of("channel", identifier),
        at.of("address", identifier),
        at.of("user_id", identifier),
        at.of("created_at", instant),
        at.maybe("store_id", identifier),
    )
    at.end()
    return link


def rules_of(told: object) -> Rules:
    """A version of the rules."""
    at = Fields(told)
    rules = Rules(
        at.of("version", whole(1)),
        at.of("markdown", text),
        at.maybe("author", actor_of),
        at.of("created_at", instant),
    )
    at.end()
    if len(rules.markdown.encode()) > MAX_BYTES:
        raise Unfit("too_long", "/markdown")
    return rules


def message_of(told: object) -> tuple[Message, bool]:
    """A message, and whether what it says was deleted as a fact, so that it is quoted no more."""
    at = Fields(told)
    message = Message(
        id=at.of("id", unique),
        conversation_id=at.of("conversation_id", identifier),
        message_id=at.of("message_id", identifier),
        channel=at.of("channel", identifier),
        speaker=at.of("speaker", one_of(Speaker)),
        content=at.of("content", text),
        sent_at=at.of("sent_at", instant),
        utc_offset=at.maybe("utc_offset", whole(-_DAY, _DAY)),
        user_id=at.of("user_id", identifier),
        store_id=at.maybe("store_id", identifier),
        agent_id=at.of("agent_id", identifier),
        recorded_at=at.of("recorded_at", instant),
    )
    disowned = at.younger("disowned", flag) or False
    at.end()
    return message, disowned


def observation_of(told: object) -> Observation:
    """An observation."""
    at = Fields(told)
    observation = Observation(
        id=at.of("id", unique),
        type=at.of("type", one_of(ObservationType)),
        user_id=at.of("user_id", identifier),
        agent_id=at.of("agent_id", identifier),
        session=at.of("session", name),
        occurred_at=at.of("occurred_at", instant),
        recorded_at=at.of("recorded_at", instant),
        store_id=at.maybe("store_id", identifier),
        content=at.maybe("content", text),
        metadata=at.of("metadata", mapping),
        tags=at.of("tags", listed(name)),
        message=at.maybe("message", message_ref_of),
        consolidated_at=at.maybe("consolidated_at", instant),
    )
    at.end()
    for pointer, kind in faults(observation.type, observation.content, observation.metadata):
        raise Unfit(kind, pointer)
    return observation


def event_of(told: object) -> MemoryEvent:
    """A line of the trail. Raises Unfit where its digest is not that of its words."""
    at = Fields(told)
    scope = at.maybe("scope", one_of(Scope))
    event = MemoryEvent(
        id=at.of("id", unique),
        kind=at.of("kind", one_of(EventKind)),
        subject=subject_of(scope, at.maybe("store_id", identifier), at.maybe("user_id", identifier), named=False),
        fact_id=at.maybe("fact_id", unique),
        actor=at.maybe("actor", actor_of),
        values=_values(at),
        scope=scope,
        digest=at.of("digest", name),
        created_at=at.of("created_at", instant),
    )
    at.end()
    if event.values is not None and event.values.digest() != event.digest:
        raise Unfit("digest_differs", "/digest")
    return event


def _values(at: Fields) -> EventValues | None:
    old, new = at.of("old", anything), at.of("new", anything)
    reason, salt = at.maybe("reason", text), at.maybe("salt", name)
    if salt is None:
        if (old, new, reason) != (None, None, None):
            raise Unfit("missing", "/salt")
        return None
    return EventValues(old, new, reason, salt)


def subject_of(scope: Scope | None, store_id: str | None, user_id: str | None, *, named: bool) -> Subject | None:
    """Whom a record is about; only what is `named` must say which store or person."""
    if (scope is not Scope.STORE and store_id is not None) or (scope is not Scope.USER and user_id is not None):
        raise Unfit("out_of_scope", "/scope")
    match scope:
        case Scope.ORG:
            return OrgSubject()
        case Scope.STORE if store_id is not None:
            return StoreSubject(store_id)
        case Scope.USER if user_id is not None:
            return UserSubject(user_id)
        case _ if named:
            raise Unfit("missing", "/store_id" if scope is Scope.STORE else "/user_id")
        case _:
            return None


def actor_of(told: object) -> Actor:
    """Who did it."""
    at = Fields(told)
    actor = Actor(at.of("type", one_of(ActorType)), at.of("id", identifier))
    at.end()
    if actor.type is ActorType.KEY:
        Fields({"id": actor.id}).of("id", unique)
    return actor


def message_ref_of(told: object) -> MessageRef:
    """One message, by the caller's ids."""
    at = Fields(told)
    message = MessageRef(
        at.of("conversation_id", identifier), at.of("message_id", identifier), at.of("channel", identifier)
    )
    at.end()
    return message
