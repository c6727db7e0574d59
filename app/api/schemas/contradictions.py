"""Contradictions, as callers list and settle them."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from pydantic import ConfigDict, Field

from app.api.cursors import PageQuery
from app.api.examples import example_of
from app.api.schemas.common import Answer, Body, CallerId, RowId
from app.api.schemas.fact_answers import FactOut
from app.api.schemas.facts import Key
from app.domain.contradictions import Standing
from app.domain.subjects import Scope
from app.ports.contradictions import ContradictionFilter
from app.services.contradictions import Dispute

_EXAMPLE = example_of(FactOut)


class ContradictionQuery(PageQuery):
    """Filters of the list; together they narrow."""

    status: Standing | None = Field(default=None, description="Both, where left out.")
    scope: Scope | None = None
    store_id: CallerId | None = None
    user_id: CallerId | None = None
    key: Key | None = None

    def wanted(self) -> ContradictionFilter:
        """The filter, which says nothing of who reads."""
        return ContradictionFilter(
            standing=self.status, scope=self.scope, store_id=self.store_id, user_id=self.user_id, key=self.key
        )


ContradictionsQuery = Annotated[ContradictionQuery, Query()]


class SettleIn(Body):
    """Which of the two facts holds, or that both do."""

    model_config = ConfigDict(json_schema_extra={"example": {"keep": "both"}})

    keep: Annotated[RowId | Literal["both"], Field(description="The id of one of the two facts, or `both`.")]

    def kept(self) -> UUID | None:
        """The one that holds; None for both."""
        return self.keep if isinstance(self.keep, UUID) else None


class ContradictionOut(Answer):
    """Two facts of one key that cannot both hold, the older first. It is settled when a person says so, and when one of
    the two is believed no longer, whatever the reason.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "3b1f8f5e-6f0e-5a55-9a5d-5a1a4b1f2c3d",
                "scope": "store",
                "key": "shipping.free_threshold",
                "facts": [
                    {**_EXAMPLE, "value": "60 €", "content": "Livraison offerte dès 60 €.", "contradicted": True},
                    {**_EXAMPLE, "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a002", "contradicted": True},
                ],
                "status": "open",
                "opened_at": "2026-11-30T09:00:00Z",
                "settled_at": None,
            }
        }
    )

    id: UUID
    scope: Scope
    key: str
    facts: list[FactOut]
    status: Standing
    opened_at: datetime
    settled_at: datetime | None

    @classmethod
    def at(cls, dispute: Dispute, now: datetime) -> "ContradictionOut":
        """A contradiction, its facts as they stand at `now`."""
        found = dispute.contradiction
        return cls(
            id=found.id,
            scope=found.ref.subject.scope,
            key=found.ref.key,
            facts=[FactOut.at(record, now) for record in dispute.facts],
            status=found.standing,
            opened_at=found.opened_at,
            settled_at=found.settled_at,
        )
