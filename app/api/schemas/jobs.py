"""Jobs, as callers see them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import ConfigDict, JsonValue

from app.api.cursors import PageQuery
from app.api.schemas.common import Answer
from app.domain.jobs import JobKind, JobStatus


class JobQuery(PageQuery):
    """Which jobs to list."""

    status: JobStatus | None = None


JobsQuery = Annotated[JobQuery, Query()]


class JobOut(Answer):
    """`failed`: an attempt failed and another follows; `dead`: given up until retried.

    `error` is a code; of a `queued` job it says what it waits for, such as `turns_per_day_reached`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3b001",
                "kind": "turn",
                "status": "done",
                "attempts": 1,
                "error": None,
                "created_at": "2026-11-30T09:00:00Z",
                "finished_at": "2026-11-30T09:00:00.120Z",
                "result": {"facts_created": 1, "facts_confirmed": 0, "facts_superseded": 0, "drafts_dropped": {}},
            }
        }
    )

    id: UUID
    kind: JobKind
    status: JobStatus
    attempts: int
    error: str | None
    created_at: datetime
    finished_at: datetime | None
    result: dict[str, JsonValue] | None
