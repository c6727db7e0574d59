"""Short ways to say what sessions show in tests."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from app.domain.behaviour import CONFIDENCE, Behaviour, Observed
from app.domain.decay import Policy
from app.domain.facts import Fact
from app.domain.fold import fold
from app.domain.observations import FactCategory
from app.domain.sources import Entry, Origin, Source
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS
from tests.unit.memories import ME, fact, said

TOOL = KeyRef(ME, ATLAS, "tool_affinity:get_order")


def shown(
    number: int,
    at: float,
    *,
    session: str | None = None,
    quality: float = 1.0,
    policy: Policy = Policy.EXPONENTIAL,
    ids: tuple[int, ...] = (),
    content: str = "The tool get_order works well",
    recorded: float | None = None,
) -> Source:
    """Source `number`: a session, by default one of its own, shows on day `at` that the tool works."""
    source = said(number, "get_order", at, confidence=CONFIDENCE, category="tool_affinity", recorded=recorded)
    observed = Observed(session or f"s{number}", quality, policy, tuple(UUID(int=one) for one in ids))
    return replace(source, origin=Origin.OBSERVATION, message=None, observed=observed, content=content)


def row(*entries: Entry) -> Fact:
    """The one row of the tool's key."""
    (only,) = fold(TOOL, entries)
    return only


def habit(
    number: int,
    key: str = "tool_affinity:get_order",
    content: str = "The tool get_order works well",
    *,
    sessions: int = 1,
    policy: Policy = Policy.EXPONENTIAL,
    ease: float = 2.5,
    **more: Any,
) -> Fact:
    """A row of behaviour as it comes out of storage."""
    fields = {"about": ME, "confidence": 0.5, **more}
    made = fact(number, key, content, behaviour=Behaviour(policy, ease, sessions), **fields)
    return replace(made, traits=replace(made.traits, category=FactCategory(key.partition(":")[0])))
