"""Receipts of erasures."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer
from app.domain.erasures import Erasure, ErasureKind, PlatformErasure

COUNTED: dict[str, Any] = {
    "facts": 1,
    "messages": 0,
    "observations": 0,
    "vectors": 1,
    "event_values": 2,
    "jobs": 0,
    "cache_entries": 1,
}


class MessageRefOut(Answer):
    conversation_id: str
    message_id: str


class KeptOut(Answer):
    """What stays by the rule of this kind of erasure: messages that still say it, and how many facts about somebody or
    something else that were said in what went. They stay without their message.
    """

    messages: list[MessageRefOut]
    facts: int = 0


class ErasureOut(Answer):
    """The receipt of an erasure. `erased` counts what went, by place; `remaining` is what a fresh look at all places
    that were `searched` still found, by id, and by text in those that have no ids.

    With 202 a job is at it, `completed_at` is null, and nothing of it can be read or written already. The receipt can
    be read again under `GET /memory/erasures/{receipt_id}`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "receipt_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a0ff",
                "kind": "fact",
                "job_id": None,
                "erased": COUNTED,
                "kept": {"messages": [{"conversation_id": "c1", "message_id": "m3"}], "facts": 0},
                "remaining": 0,
                "searched": ["messages", "org_facts", "store_facts", "user_facts", "cache"],
                "completed_at": "2026-11-30T09:00:00Z",
            }
        }
    )

    receipt_id: UUID
    kind: ErasureKind
    job_id: UUID | None
    erased: dict[str, int] = Field(description="Counts by place; the seven of the example are always there.")
    kept: KeptOut
    remaining: int
    searched: list[str]
    completed_at: datetime | None

    @classmethod
    def of(cls, erasure: Erasure) -> "ErasureOut":
        """The receipt."""
        messages = [
            MessageRefOut(conversation_id=message.conversation_id, message_id=message.message_id)
            for message in erasure.kept
        ]
        return cls(
            receipt_id=erasure.receipt_id,
            kind=erasure.extent.kind,
            job_id=None if erasure.completed_at else erasure.receipt_id,
            erased=erasure.told,
            kept=KeptOut(messages=messages, facts=erasure.facts_kept),
            remaining=erasure.remaining,
            searched=list(erasure.searched),
            completed_at=erasure.completed_at,
        )


class PlatformErasureOut(Answer):
    """The receipt of an organisation's erasure, or of a person's in all organisations: counts, which outlive them."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "receipt_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a0ff",
                "kind": "organisation",
                "erased": COUNTED,
                "remaining": 0,
                "completed_at": "2026-11-30T09:00:00Z",
            }
        }
    )

    receipt_id: UUID
    kind: ErasureKind
    erased: dict[str, int]
    remaining: int
    completed_at: datetime | None

    @classmethod
    def of(cls, erasure: PlatformErasure) -> "PlatformErasureOut":
        """The receipt."""
        return cls(
            receipt_id=erasure.receipt_id,
            kind=erasure.kind,
            erased=erasure.told,
            remaining=erasure.remaining,
            completed_at=erasure.completed_at,
        )


class PlatformJobOut(Answer):
    """A job of the platform's: it bears the id of its receipt."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a0ff",
                "kind": "erasure",
                "status": "done",
                "created_at": "2026-11-30T09:00:00Z",
                "finished_at": "2026-11-30T09:00:09Z",
                "result": {"receipt_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a0ff"},
            }
        }
    )

    id: UUID
    kind: Literal["erasure"] = "erasure"
    status: Literal["running", "done"]
    created_at: datetime
    finished_at: datetime | None
    result: dict[str, Any] | None

    @classmethod
    def of(cls, erasure: PlatformErasure) -> "PlatformJobOut":
        """The job behind a receipt."""
        done = erasure.completed_at is not None
        return cls(
            id=erasure.receipt_id,
            status="done" if done else "running",
            created_at=erasure.began_at,
            finished_at=erasure.completed_at,
            result={"receipt_id": str(erasure.receipt_id)} if done else None,
        )
