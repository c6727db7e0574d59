"""Usage, as callers ask for it and read it."""

from datetime import date
from typing import Annotated

from fastapi import Query
from pydantic import ConfigDict, Field

from app.api.cursors import PageQuery
from app.api.schemas.common import Answer


class UsageDays(PageQuery):
    """Which days to list."""

    since: date | None = Field(default=None, description="From this day on.")
    until: date | None = Field(default=None, description="Up to this day, which is included.")


UsageQuery = Annotated[UsageDays, Query()]


class UsageDayOut(Answer):
    """One day of UTC. `turns` are those that were read; `tokens` those of models that read them, in and out.

    `embeddings` are the stretches of text that were embedded to be kept or compared, not the questions;
    `embedding_tokens` are their tokens at a provider.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "day": "2026-11-30",
                "turns": 120,
                "tokens": 61_400,
                "model_calls": 121,
                "input_tokens": 55_000,
                "output_tokens": 6_400,
                "embeddings": 310,
                "embedding_tokens": 18_600,
            }
        }
    )

    day: date
    turns: int
    tokens: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    embeddings: int
    embedding_tokens: int
