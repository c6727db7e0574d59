"""What an organisation uses by day, and how much of it the platform lets it use. Days are days of UTC."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

TURNS_USED_UP, TOKENS_USED_UP = "turns_per_day_reached", "model_tokens_per_day_reached"
"""Why a turn waits for the next day."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What calls of models cost, in tokens as the provider counted them; estimated where it told nothing."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Quotas:
    """What an organisation may use in a day; None: as much as it likes."""

    turns_per_day: int | None = None
    model_tokens_per_day: int | None = None


@dataclass(frozen=True, slots=True)
class UsageDay:
    """What was used on one day. `turns` are those that were read, `embeddings` the stretches of text that were
    embedded; the tokens of these are apart from those of models, which quotas are about.
    """

    day: date
    turns: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    embeddings: int = 0
    embedding_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Of models, both ways."""
        return self.input_tokens + self.output_tokens


def used_up(quotas: Quotas, used: UsageDay, *, metered: bool) -> str | None:
    """Why another turn must wait, None where it need not. `metered`: reading it costs tokens."""
    if quotas.turns_per_day is not None and used.turns >= quotas.turns_per_day:
        return TURNS_USED_UP
    most = quotas.model_tokens_per_day
    return TOKENS_USED_UP if metered and most is not None and used.tokens >= most else None


def day_of(now: datetime) -> date:
    """The day on which what happens `now` is counted."""
    return now.astimezone(UTC).date()


def next_day(now: datetime) -> datetime:
    """When the next one begins."""
    return datetime.combine(day_of(now) + timedelta(days=1), time(), UTC)
