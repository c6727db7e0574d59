"""Tool affinities: how much a person's sessions speak for each tool, or against it (design: seed 000)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.precedence import prevailing
from app.domain.tenancy import TenantScope

CATEGORIES: Final = (FactCategory.TOOL_AFFINITY, FactCategory.TOOL_AVOIDANCE)
"""The kinds of behaviour that speak of tools."""
_SIGNS: Final = {FactCategory.TOOL_AFFINITY: 1.0, FactCategory.TOOL_AVOIDANCE: -1.0}


def tool_affinities(facts: Iterable[Fact], *, reader: TenantScope, agent_id: str, now: datetime) -> dict[str, float]:
    """By tool, in order of name: strength of the affinity minus strength of the avoidance, in [-1, 1].

    Of a tool that the agent's own pocket and the shared one both know, the own pocket tells. The caller adds
    affinity × 2 to what it scores the tool by.
    """
    found: dict[str, float] = {}
    for fact in prevailing(facts, reader=reader, agent_id=agent_id, now=now):
        kind, _, tool = fact.ref.key.partition(":")
        if fact.behaviour is not None and kind in _SIGNS:
            found[tool] = found.get(tool, 0.0) + _SIGNS[FactCategory(kind)] * fact.strength(now)
    return dict(sorted(found.items()))
