"""From observations to the sources of behavioural facts."""

from collections.abc import Sequence

import pytest

from app.domain.consolidation import Sightings
from app.domain.decay import Policy
from app.domain.observations import ErrorFamily, Failures, Observation, ObservationType
from app.domain.organisations import Language
from app.domain.sources import Origin, Source, Trust, extended
from app.domain.subjects import KeyRef, UserSubject
from tests.unit.memories import START, day, said
from tests.unit.observed import observed
from tests.unit.sessions import shown

SUCCESS, FAILURE = ObservationType.TOOL_SUCCESS, ObservationType.TOOL_FAILURE
ENTITY, QUERY, NOTE = ObservationType.ENTITY_ACCESS, ObservationType.QUERY_PATTERN, ObservationType.NOTE


def sightings(language: Language = Language.ENGLISH, policy: Policy = Policy.EXPONENTIAL) -> Sightings:
    return Sightings("alice", policy, language, Trust.MEMBER, day(9))


def see(*observations: Observation, language: Language = Language.ENGLISH) -> Sightings:
    found = sightings(language)
    found.see(observations)
    return found


def only(found: Sightings) -> tuple[KeyRef, Source]:
    ((ref, sessions),) = found.sources.items()
    (source,) = sessions.values()
    return ref, source


def failed(*sessions: str, agent: str = "atlas", family: ErrorFamily = ErrorFamily.TIMEOUT) -> Sequence[Failures]:
    return [Failures(agent, "get_order", family, session, day(place)) for place, session in enumerate(sessions)]


@pytest.mark.parametrize(
    ("kind", "key", "value", "english", "french"),
    [
        (
            SUCCESS,
            "tool_affinity:get_order",
            {"tool": "get_order"},
            "The tool get_order works well",
            "L'outil get_order lui réussit",
        ),
        (
            FAILURE,
            "tool_avoidance:get_order",
            {"tool": "get_order"},
            "The tool get_order tends to fail",
            "L'outil get_order échoue souvent",
        ),
        (ENTITY, "entity_frequency:order:1042", {"type": "order", "id": "1042"}, "order 1042", "order 1042"),
        (
            QUERY,
            "domain_preference:shipping",
            {"domain": "shipping"},
            "Often asks about: shipping",
            "Demande souvent : shipping",
        ),
    ],
)
def test_each_type_shows_a_fact_of_its_category(
    kind: ObservationType, key: str, value: object, english: str, french: str
) -> None:
    ref, source = only(see(observed(kind, agent_id="maya")))

    assert ref == KeyRef(UserSubject("alice"), "maya", key)
    assert (source.origin, source.value, source.content) == (Origin.OBSERVATION, value, english)
    assert (source.traits.category, source.traits.confidence) == (key.partition(":")[0], 0.5)
    assert (source.at, source.recorded_at) == (START, day(9))
    assert only(see(observed(kind), language=Language.FRENCH))[1].content == french


def test_a_note_shows_nothing() -> None:
    assert see(observed(NOTE, content="call back")).sources == {}


def test_a_session_is_one_source_of_its_latest_quality_and_holds_all_ids() -> None:
    first = observed(number=1, at=0, metadata={"toolName": "get_order", "quality": 0.2})
    last = observed(number=2, at=0.5, metadata={"toolName": "get_order", "quality": 0.7})
    _, source = only(see(last, first))

    assert source.observed is not None
    assert (source.at, source.observed.quality, source.observed.session) == (day(0.5), 0.7, "s1")
    assert source.observed.ids == (first.id, last.id)
    assert source.valid_from == START


def test_an_entity_is_known_by_its_id_and_told_by_its_latest_name() -> None:
    told = {"entityType": "account", "entityId": "42"}
    old = observed(ENTITY, 1, 0, metadata={**told, "entityName": "Acme"})
    new = observed(ENTITY, 2, 1, metadata={**told, "entityName": "Acme SA"})
    _, source = only(see(new, old))

    assert source.content == "account Acme SA (42)"
    assert source.value == {"type": "account", "id": "42"}


def test_braces_in_a_name_are_a_name() -> None:
    _, source = only(see(observed(metadata={"toolName": "{tool} {0}"})))

    assert source.content == "The tool {tool} {0} works well"


def test_three_sessions_that_fail_alike_are_a_pattern_in_which_each_counts() -> None:
    found = sightings()
    found.see_failures(failed("s1", "s2"))
    assert found.sources == {}

    found.see_failures(failed("s1", "s2", "s3"))
    ((ref, sessions),) = found.sources.items()
    assert ref.key == "failure_pattern:get_order:timeout"
    assert {session: source.at for session, source in sessions.items()} == {"s1": day(0), "s2": day(1), "s3": day(2)}
    assert sessions["s1"].content == "The tool get_order keeps failing: timeout"
    assert sessions["s1"].value == {"tool": "get_order", "error": "timeout"}


def test_other_pockets_and_other_errors_make_no_pattern_together() -> None:
    found = sightings()
    found.see_failures([*failed("s1", "s2"), *failed("s3", agent="maya"), *failed("s4", family=ErrorFamily.AUTH)])

    assert found.sources == {}


def test_a_late_observation_of_a_session_extends_its_source_and_keeps_its_name() -> None:
    known, late = shown(1, 2, session="s", quality=0.4, ids=(10,)), shown(7, 3, session="s", quality=0.9, ids=(11,))
    after = extended(known, late)

    assert (after.id, after.recorded_at, after.at) == (known.id, known.recorded_at, late.at)
    assert after.observed is not None
    assert (after.observed.quality, [one.int for one in after.observed.ids]) == (0.9, [10, 11])
    assert extended(after, known) == extended(after, late) == after
    assert extended(known, shown(8, 1, session="s", ids=(12,))).at == known.at


def test_only_sessions_are_extended() -> None:
    with pytest.raises(ValueError, match="session"):
        extended(said(1, "60 €", 0), shown(2, 0))
