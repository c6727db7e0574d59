"""Tool affinities in numbers."""

from typing import Any

import pytest

from app.domain.affinity import tool_affinities
from app.domain.facts import Fact
from app.domain.subjects import UserSubject
from app.domain.tenancy import Rank
from tests.unit.memories import day, fact, reader
from tests.unit.sessions import habit

LIKES, AVOIDS = "tool_affinity:get_order", "tool_avoidance:get_order"


def affinities(*facts: Fact, agent_id: str = "atlas", at: float = 0, **asked: Any) -> dict[str, float]:
    return tool_affinities(facts, reader=asked.get("reader", reader()), agent_id=agent_id, now=day(at))


def test_an_affinity_counts_for_the_tool_and_an_avoidance_against_it() -> None:
    facts = [
        habit(1, LIKES, confidence=0.9, sessions=5),
        habit(2, AVOIDS, confidence=0.6),
        habit(3, "tool_avoidance:refund", confidence=0.7),
        habit(4, "tool_affinity:a:b", confidence=1.0),
    ]

    assert affinities(*facts) == {
        "a:b": pytest.approx(1.0),
        "get_order": pytest.approx(0.3),
        "refund": pytest.approx(-0.7),
    }
    assert list(affinities(*facts)) == ["a:b", "get_order", "refund"]


def test_both_fade() -> None:
    assert affinities(habit(1, LIKES, confidence=1.0), at=13.5134) == {"get_order": pytest.approx(0.5, abs=1e-4)}
    assert affinities(habit(1, LIKES, confidence=0.5), at=32) == {}


def test_the_agents_own_pocket_tells_and_no_other_is_read() -> None:
    shared, own = habit(1, LIKES, confidence=0.9), habit(2, LIKES, confidence=0.4, agent_id="maya")

    assert affinities(shared, own, agent_id="maya") == {"get_order": pytest.approx(0.4)}
    assert affinities(shared, agent_id="maya") == {"get_order": pytest.approx(0.9)}


def test_nothing_else_speaks_of_tools() -> None:
    others = [habit(1, "entity_frequency:order:1042"), habit(2, "failure_pattern:get_order:timeout"), fact(3, "tool")]

    assert affinities(*others) == {}


def test_nobody_is_told_of_another() -> None:
    assert affinities(habit(1, LIKES, about=UserSubject("bob")), reader=reader(Rank.OWNER)) == {}
