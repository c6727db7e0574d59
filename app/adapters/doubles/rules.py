"""Rules in memory."""

from collections.abc import AsyncIterator
from dataclasses import replace

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.rules import NO_RULES, Rules
from app.domain.tenancy import ActorType
from app.ports.paging import Page, PageRequest


class InMemoryRules:
    """The rules of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, rules: Rules) -> None:
        self._state.require()
        self._state.require_new(rules.version in self._state.rules)
        self._state.rules[rules.version] = rules

    async def page(self, request: PageRequest) -> Page[Rules]:
        shown = [_shown(self._state, rules) for rules in self._state.rules.values()]
        return page_of(shown, lambda rules: (rules.version,), request, newest_first=True)

    async def everything(self) -> AsyncIterator[Rules]:
        for _, rules in sorted(self._state.rules.items()):
            yield _shown(self._state, rules)


def latest(state: State) -> Rules:
    """The rules that stand."""
    return _shown(state, state.rules[max(state.rules)]) if state.rules else NO_RULES


def _shown(state: State, rules: Rules) -> Rules:
    author = rules.author
    if author is None or author.type is not ActorType.PERSON or state.people[author.id].role is not None:
        return rules
    return replace(rules, author=None)
