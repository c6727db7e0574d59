"""Consolidation: of one person, answered within a deadline, or of many, by a job."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import AgentId, Answer, Body, CallerId
from app.api.schemas.fact_answers import FactOut
from app.domain.tenancy import ATLAS
from app.services.session_start import SessionIn, Started


class ConsolidationBody(Body):
    """A person, who is `user_id` or whom the request speaks for; or a store; or everybody."""

    model_config = ConfigDict(json_schema_extra={"example": {"user_id": "alice", "deadline_ms": 500}})

    user_id: CallerId | None = None
    agent_id: AgentId = ATLAS
    session_id: CallerId | None = Field(default=None, description="The session that starts, for information.")
    deadline_ms: int = Field(default=500, ge=1, le=10_000, description="How long to wait at most.")
    store_id: CallerId | None = Field(default=None, description="Everybody who was observed there; for admins.")
    all: Literal[True] | None = Field(default=None, description="Everybody; for admins.")

    @model_validator(mode="after")
    def _one_extent(self) -> "ConsolidationBody":
        if sum(named is not None for named in (self.user_id, self.store_id, self.all)) > 1:
            raise PydanticCustomError("two_extents", "Give one of user_id, store_id and all")
        return self

    @property
    def many(self) -> bool:
        """Whether it is about more than one person."""
        return self.store_id is not None or self.all is not None

    def asked(self, waited_ms: int) -> SessionIn:
        """The session that starts, for a caller who has waited so long already."""
        return SessionIn(self.agent_id, self.session_id, max(1, self.deadline_ms - waited_ms))


SHOWN: dict[str, Any] = {
    "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a007",
    "scope": "user",
    "store_id": None,
    "user_id": "alice",
    "agent_id": "atlas",
    "key": "tool_affinity:get_order",
    "value": {"tool": "get_order"},
    "content": "L'outil get_order lui réussit",
    "summary": None,
    "category": "tool_affinity",
    "tags": [],
    "tier": "standard",
    "policy": "exponential",
    "half_life_days": 13.513407333964873,
    "ease": None,
    "confidence": 0.6,
    "strength": 0.58,
    "score": 0.58,
    "confirmation_count": 2,
    "reinforcement_count": 2,
    "many": False,
    "audience": "team",
    "trust": "admin",
    "language": "fr",
    "pinned": False,
    "contradicted": False,
    "archived_at": None,
    "superseded_by": None,
    "merged_into": None,
    "last_seen_at": None,
    "valid_from": "2026-11-28T09:00:00Z",
    "valid_to": None,
    "source": {"message_id": None, "conversation_id": None, "channel": None, "reason": None, "author": "alice"},
    "created_at": "2026-11-29T09:00:00Z",
    "updated_at": "2026-11-30T09:00:00Z",
    "last_reinforced_at": "2026-11-29T15:00:00Z",
}


class ConsolidationOut(Answer):
    """What sessions show of the person, strongest × most often first, and what this call changed, counted in facts.

    `degraded` names what was not ready in time: the facts are those of before then, of `consolidated_at`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "facts": [SHOWN],
                "created": 0,
                "reinforced": 1,
                "expired": 0,
                "consolidated_at": "2026-11-30T09:00:00Z",
                "degraded": [],
            }
        }
    )

    facts: list[FactOut]
    created: int
    reinforced: int
    expired: int
    consolidated_at: datetime | None
    degraded: list[str]

    @classmethod
    def at(cls, started: Started, now: datetime) -> "ConsolidationOut":
        """As callers read it."""
        return cls(
            facts=[FactOut.at(record, now) for record in started.facts],
            created=started.outcome.created,
            reinforced=started.outcome.reinforced,
            expired=started.outcome.expired,
            consolidated_at=started.consolidated_at,
            degraded=list(started.degraded),
        )


class ConsolidationJobOut(Answer):
    """`/memory/jobs/{id}` follows it."""

    model_config = ConfigDict(json_schema_extra={"example": {"job_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3b001"}})

    job_id: UUID


class AffinityQuery(BaseModel):
    """Whose, as which agent reads them."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    user_id: CallerId | None = None
    agent: AgentId = ATLAS


AffinitiesOf = Annotated[AffinityQuery, Query()]


class AffinitiesOut(Answer):
    """By tool, in [-1, 1]; add twice the number to what the tool scores otherwise."""

    model_config = ConfigDict(json_schema_extra={"example": {"tool_affinities": {"get_order": 0.58, "refund": -0.3}}})

    tool_affinities: dict[str, float]
