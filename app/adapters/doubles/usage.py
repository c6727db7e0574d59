"""Usage in memory."""

from dataclasses import replace
from datetime import date

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.usage import ModelUse, UsageDay
from app.ports.paging import Page, PageRequest


class InMemoryUsage:
    """The days of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def of(self, day: date) -> UsageDay:
        return self._state.usage.get(day, UsageDay(day))

    async def add(
        self,
        day: date,
        use: ModelUse,
        *,
        turns: int = 0,
        most_turns: int | None = None,
        embeddings: int = 0,
        embedding_tokens: int = 0,
    ) -> bool:
        self._state.require()
        before = await self.of(day)
        if most_turns is not None and before.turns + turns > most_turns:
            return False
        self._state.usage[day] = replace(
            before,
            turns=before.turns + turns,
            model_calls=before.model_calls + use.calls,
            input_tokens=before.input_tokens + use.input_tokens,
            output_tokens=before.output_tokens + use.output_tokens,
            embeddings=before.embeddings + embeddings,
            embedding_tokens=before.embedding_tokens + embedding_tokens,
        )
        return True

    async def page(self, since: date | None, until: date | None, request: PageRequest) -> Page[UsageDay]:
        days = [
            used
            for day, used in self._state.usage.items()
            if (since is None or day >= since) and (until is None or day <= until)
        ]
        return page_of(days, lambda used: (used.day,), request, newest_first=True)
