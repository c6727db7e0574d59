"""What holds for all that sessions show, in whatever order and however often it is told."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.consolidation import Sightings
from app.domain.decay import Policy
from app.domain.fold import fold
from app.domain.observations import Observation, ObservationType
from app.domain.organisations import Language
from app.domain.sources import Entry, Source, Trust, Verdict
from tests.unit.memories import START, day, decided, edited, wrote
from tests.unit.observed import observed
from tests.unit.sessions import TOOL, shown

DECIDED = sorted(set(Verdict) - {Verdict.MERGE, Verdict.UNMERGE, Verdict.OVERTAKE, Verdict.OPPOSE})
"""What sessions show is never merged."""

qualities = st.sampled_from([0.0, 0.5, 2 / 3, 1.0])
policies = st.sampled_from(Policy)


@st.composite
def sessions(draw: st.DrawFn) -> list[Source]:
    """Up to eight sessions, at times that may fall together, known at once or later."""
    return [
        shown(
            number,
            draw(st.integers(0, 6)),
            quality=draw(qualities),
            policy=draw(policies),
            recorded=draw(st.integers(0, 20)),
        )
        for number in range(1, draw(st.integers(1, 8)) + 1)
    ]


@st.composite
def happenings(draw: st.DrawFn) -> list[Observation]:
    """Up to twelve observations of a few tools in a few sessions, at times that may fall together."""
    kinds = st.sampled_from([ObservationType.TOOL_SUCCESS, ObservationType.TOOL_FAILURE])
    return [
        observed(
            draw(kinds),
            number,
            draw(st.sampled_from([0, 0.5, 1, 2])),
            session=draw(st.sampled_from(["s1", "s2", "s3"])),
            agent_id=draw(st.sampled_from(["atlas", "maya"])),
            metadata={
                "toolName": draw(st.sampled_from(["get_order", "refund"])),
                "error": "timed out",
                "quality": draw(qualities),
            },
        )
        for number in range(1, draw(st.integers(1, 12)) + 1)
    ]


def seen(*batches: list[Observation]) -> dict[object, object]:
    """What the batches show, one after the other, but for the ids that the service makes."""
    sightings = Sightings("alice", Policy.EXPONENTIAL, Language.ENGLISH, Trust.MEMBER, START)
    for batch in batches:
        sightings.see(batch)
    return {
        (ref, session): (source.at, source.valid_from, source.content, source.observed)
        for ref, kept in sightings.sources.items()
        for session, source in kept.items()
    }


@given(sessions(), st.data())
def test_arrival_in_any_order_gives_the_same_row(heard: list[Source], data: st.DataObject) -> None:
    assert fold(TOOL, data.draw(st.permutations(heard))) == fold(TOOL, heard)


@given(sessions())
def test_every_session_of_a_batch_counts_once(heard: list[Source]) -> None:
    (row,) = fold(TOOL, heard)

    assert row.reinforcement_count == len(heard)
    assert row.traits.confidence == pytest.approx(min(1.0, 0.4 + 0.1 * len(heard)))
    assert row.behaviour is not None
    assert row.behaviour.ease >= 1.3


@given(sessions(), st.sampled_from(DECIDED), st.integers(1, 8), st.integers(0, 7), st.data())
def test_what_people_decide_arrives_in_any_order_too(
    heard: list[Source], verdict: Verdict, named: int, at: int, data: st.DataObject
) -> None:
    by_hand = data.draw(st.sampled_from([[], [wrote(50, "get_order", 3)], [edited(51, "other", 4, replaces=named)]]))
    entries: list[Entry] = [*heard, decided(verdict, named, at), *by_hand]

    assert fold(TOOL, data.draw(st.permutations(entries))) == fold(TOOL, entries)


@given(sessions(), st.floats(0, 200), st.floats(0, 200))
def test_decay_never_rises(heard: list[Source], first: float, more: float) -> None:
    (row,) = fold(TOOL, heard)

    assert row.strength(day(first + more)) <= row.strength(day(first)) <= row.traits.confidence


@given(sessions())
def test_it_fades_exactly_when_it_crosses_the_line(heard: list[Source]) -> None:
    (row,) = fold(TOOL, heard)
    assert row.fades_at is not None

    assert row.strength(row.fades_at - timedelta(minutes=5)) > 0.1 > row.strength(row.fades_at + timedelta(minutes=5))


@given(happenings(), st.data())
def test_observations_may_be_taken_in_any_order_batches_and_number(
    happened: list[Observation], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(happened))
    cut = data.draw(st.integers(0, len(happened)))

    assert seen(shuffled[:cut], shuffled[cut:]) == seen(happened)
    assert seen(happened, happened) == seen(happened)
