"""Numbers that an organisation sets: how facts fade, what a block may cost, how long things are kept."""

from typing import Annotated

from pydantic import Field

from app.api.schemas.common import Answer, Body
from app.domain.draft_fields import MAX_HALF_LIFE_DAYS
from app.domain.lifecycle import Retention

MOST_TOKENS = 4000
MOST_TOKENS_IN_ALL = 10_000
LONGEST = Retention()
_LONGEST_STAY = 36_500

HalfLife = Annotated[float, Field(gt=0, le=MAX_HALF_LIFE_DAYS, description="Days until half the confidence is left.")]
Line = Annotated[float, Field(ge=0, lt=1, description="A fact whose score falls under it is archived; 0: never.")]
Stay = Annotated[
    int,
    Field(ge=1, le=_LONGEST_STAY, description="Days after which what is archived of a value goes for good."),
]
Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class TierIn(Body):
    """What is to change of a tier."""

    half_life_days: HalfLife | None = None
    archive_below: Line | None = None
    hard_delete_days: Stay | None = None


class TiersIn(Body):
    """By tier. Facts of `identity` neither fade nor go: it has no numbers."""

    stable: TierIn | None = None
    standard: TierIn | None = None
    watch: TierIn | None = None
    volatile: TierIn | None = None
    session: TierIn | None = None


class BudgetsIn(Body):
    """What is to change of the budgets."""

    core: Tokens | None = None
    working: Tokens | None = None
    behavioural: Tokens | None = Field(default=None, description="How much of `working` what sessions show may take.")
    archival: Tokens | None = None
    total: int | None = Field(default=None, ge=0, le=MOST_TOKENS_IN_ALL, description="A whole block at most.")


class RetentionIn(Body):
    """What is to change of how many days things are kept, from when they came."""

    message_days: int | None = Field(default=None, ge=1, le=LONGEST.message_days)
    receipt_days: int | None = Field(default=None, ge=1, le=LONGEST.receipt_days)
    job_days: int | None = Field(default=None, ge=1, le=LONGEST.job_days, description="Of jobs that are done.")


class TierOut(Answer):
    """A tier's numbers; null: neither fades nor goes."""

    half_life_days: float | None
    archive_below: float
    hard_delete_days: int | None


class BudgetsOut(Answer):
    """Tokens that a block may cost, by tier and in all."""

    core: int
    working: int
    behavioural: int
    archival: int
    total: int


class RetentionOut(Answer):
    """Days for which things are kept; observations have `observation_days`."""

    message_days: int
    receipt_days: int
    job_days: int
