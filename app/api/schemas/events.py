"""The audit trail, as callers ask for it and read it."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import ConfigDict, Field, JsonValue

from app.api.cursors import PageQuery
from app.api.schemas.common import Answer, CallerId, Instant, RowId
from app.domain.events import EventKind, MemoryEvent
from app.domain.subjects import Scope
from app.domain.tenancy import ActorType
from app.ports.events import EventFilter


class EventQuery(PageQuery):
    """Filters of the trail; together they narrow."""

    fact: RowId | None = Field(default=None, description="Events of one fact.")
    kind: EventKind | None = None
    actor: CallerId | None = Field(default=None, description="A person's or an API key's id, where you may know it.")
    since: Instant | None = Field(default=None, description="From this instant on.")
    until: Instant | None = Field(default=None, description="Before this instant.")

    def wanted(self) -> EventFilter:
        """The filter, which says nothing of who reads."""
        return EventFilter(self.fact, self.kind, self.actor, self.since, self.until)


EventsQuery = Annotated[EventQuery, Query()]


class ActorOut(Answer):
    """Who did it. `id` is null for a person who is gone or whom the reader may not know."""

    type: ActorType
    id: str | None


class EventOut(Answer):
    """One line of the trail. `old`, `new` and `reason` are null where they may not be read, or are erased."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3e001",
                "kind": "edited",
                "scope": "store",
                "fact_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
                "actor": {"type": "person", "id": "alice"},
                "old": None,
                "new": {"key": "shipping.free_threshold", "value": "80 €", "content": "Livraison offerte dès 80 €."},
                "reason": None,
                "created_at": "2026-11-30T09:00:00Z",
            }
        }
    )

    id: UUID
    kind: EventKind
    scope: Scope | None
    fact_id: UUID | None
    actor: ActorOut
    old: JsonValue
    new: JsonValue
    reason: str | None
    created_at: datetime

    @classmethod
    def of(cls, event: MemoryEvent) -> "EventOut":
        """As callers read it."""
        actor, values = event.actor, event.values
        return cls(
            id=event.id,
            kind=event.kind,
            scope=event.scope,
            fact_id=event.fact_id,
            actor=ActorOut(type=actor.type, id=actor.id) if actor else ActorOut(type=ActorType.PERSON, id=None),
            old=values.old if values else None,
            new=values.new if values else None,
            reason=values.reason if values else None,
            created_at=event.created_at,
        )
