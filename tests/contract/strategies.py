"""Values as wild as the domain allows, for round trips."""

from datetime import UTC, datetime
from uuid import UUID

from hypothesis import strategies as st

from app.domain.behaviour import Behaviour, Observed
from app.domain.decay import Policy, Tier
from app.domain.events import EventKind, EventValues, MemoryEvent
from app.domain.facts import Fact, Provenance
from app.domain.sources import (
    Audience,
    Decision,
    MessageRef,
    Origin,
    Reason,
    Relation,
    Source,
    Traits,
    Trust,
    Verdict,
)
from app.domain.subjects import KeyRef, OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
words = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12)
instants = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
subjects: st.SearchStrategy[Subject] = st.sampled_from(
    [OrgSubject(), StoreSubject("shop1"), UserSubject("alice"), UserSubject("bob")]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e15, 1e15) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
actors = st.builds(Actor, st.sampled_from([ActorType.PERSON, ActorType.PLATFORM, ActorType.WORKER]), words) | st.builds(
    Actor, st.just(ActorType.KEY), st.uuids().map(str)
)
message_refs = st.builds(MessageRef, words, words, words)
refs = st.builds(KeyRef, subjects, words, words)
traits = st.builds(
    Traits,
    category=texts,
    tags=st.lists(texts, max_size=3).map(tuple),
    tier=st.sampled_from(Tier),
    half_life_days=st.none() | st.floats(0, 36500, exclude_min=True),
    confidence=st.floats(0, 1, exclude_min=True),
    many=st.booleans(),
    audience=st.sampled_from(Audience),
)
behaviours = st.builds(Behaviour, st.sampled_from(Policy), st.floats(1.3, 100), st.integers(1, 1000))
sightings = st.builds(
    Observed, words, st.floats(0, 1), st.sampled_from(Policy), st.lists(st.uuids(), max_size=3).map(tuple)
)
_said = {
    "value": json_values,
    "normal": texts,
    "content": texts,
    "language": words,
    "traits": traits,
    "trust": st.sampled_from(Trust),
    "valid_from": instants,
}


@st.composite
def facts(draw: st.DrawFn, fact_id: UUID | None = None, ref: KeyRef | None = None) -> Fact:
    """Any row; what supersedes it, if anything, is itself, for that has to be a row too."""
    fact_id = fact_id or draw(st.uuids())
    return draw(
        st.builds(
            Fact,
            id=st.just(fact_id),
            ref=st.just(ref) if ref else refs,
            **_said,
            by_hand=st.booleans(),
            confirmation_count=st.integers(1, 2**31 - 1),
            source=st.builds(
                Provenance,
                actors,
                st.sampled_from(Relation),
                st.none() | st.sampled_from(Reason),
                st.none() | message_refs,
            ),
            created_at=instants,
            last_reinforced_at=instants,
            valid_to=st.none() | instants,
            pinned=st.booleans(),
            archived_at=st.none() | instants,
            superseded_by=st.sampled_from([None, fact_id]),
            merged_into=st.sampled_from([None, fact_id]),
            newer_rivals=st.integers(0, 1000),
            contradicted=st.booleans(),
            behaviour=st.none() | behaviours,
        )
    )


sources = st.builds(
    Source,
    id=st.uuids(),
    at=instants,
    recorded_at=instants,
    origin=st.sampled_from(Origin),
    relation=st.sampled_from(Relation),
    author=actors,
    **_said,
    reason=st.none() | st.sampled_from(Reason),
    evidence=st.none() | texts,
    reasoning=st.none() | texts,
    message=st.none() | message_refs,
    replaces=st.none() | st.uuids(),
    observed=st.none() | sightings,
)
decisions = st.builds(
    Decision,
    id=st.uuids(),
    at=instants,
    recorded_at=instants,
    verdict=st.sampled_from(Verdict),
    fact_id=st.uuids(),
    author=actors,
    changes=st.dictionaries(texts, json_values, max_size=3),
)
event_values = st.builds(EventValues, json_values, json_values, st.none() | texts, words)


@st.composite
def events(draw: st.DrawFn) -> MemoryEvent:
    """Any event by and about those who are there."""
    subject = draw(st.none() | subjects)
    values = draw(st.none() | event_values)
    people = st.sampled_from([Actor(ActorType.PERSON, name) for name in ("alice", "bob", "carl")])
    services = st.sampled_from([Actor(kind, kind.value) for kind in (ActorType.PLATFORM, ActorType.WORKER)])
    keys = st.builds(Actor, st.just(ActorType.KEY), st.uuids().map(str))
    return MemoryEvent(
        id=draw(st.uuids()),
        kind=draw(st.sampled_from(EventKind)),
        actor=draw(people | services | keys),
        created_at=draw(instants),
        subject=subject,
        fact_id=draw(st.none() | st.uuids()),
        values=values,
        scope=subject.scope if subject else None,
        digest=values.digest() if values else draw(words),
    )
