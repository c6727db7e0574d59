"""Reading as of another time, as callers ask for it."""

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from app.api.schemas.common import Instant
from app.domain.past import Moment

EXAMPLE = "2026-03-02T10:00:00Z"
AsOf = Annotated[
    Instant | None,
    Field(
        examples=[EXAMPLE],
        description="What held at this instant, by validity: strengths, rivals and what counts as superseded are those "
        "of then. With `known_at`, by what was known then. An instant to come is a 422.",
    ),
]
KnownAt = Annotated[
    Instant | None,
    Field(
        examples=[EXAMPLE],
        description="By what had been recorded at this instant, and was not erased since; with `as_of` left out, as it "
        "was answered then. An instant to come is a 422.",
    ),
]


class MomentQuery(BaseModel):
    """When something is read; the present unless told otherwise."""

    as_of: AsOf = None
    known_at: KnownAt = None

    @property
    def moment(self) -> Moment:
        """The two as one."""
        return Moment(self.as_of, self.known_at)


When = Annotated[MomentQuery, Query()]
