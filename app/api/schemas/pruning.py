"""Pruning, as admins ask for it."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from app.api.examples import example_of
from app.api.schemas.common import Answer, Body
from app.api.schemas.fact_answers import FactOut
from app.services.pruning import MOST, Pruned, PruneMode

LONGEST = 36_500
"""Days."""


class PruneIn(Body):
    """What to look for, and whether to delete it."""

    model_config = ConfigDict(json_schema_extra={"example": {"mode": "dry-run", "older_than_days": 365}})

    mode: Annotated[PruneMode, Field(strict=False)] = PruneMode.DRY_RUN
    older_than_days: int | None = Field(
        default=None, ge=0, le=LONGEST, description="Also what was neither seen nor reinforced for so long."
    )


class PruneOut(Answer):
    """The candidates, with `on` as they were before they went. `more`: there are others, for another call."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"mode": "dry-run", "candidates": [example_of(FactOut)], "deleted": 0, "more": False}
        }
    )

    mode: PruneMode
    candidates: list[FactOut] = Field(description=f"At most {MOST}.")
    deleted: int
    more: bool

    @classmethod
    def at(cls, mode: PruneMode, pruned: Pruned, now: datetime) -> "PruneOut":
        """The answer, with facts as they stand at `now`."""
        shown = [FactOut.at(record, now) for record in pruned.candidates]
        return cls(mode=mode, candidates=shown, deleted=pruned.deleted, more=pruned.more)
