"""Turns in, and what became of them."""

from datetime import UTC
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import AgentId, Answer, Body, CallerId, RowId, SentAt, bytes_at_most
from app.api.schemas.refusals import Refusal
from app.domain.tenancy import ATLAS
from app.services.turns import Skip, TurnIn, TurnTaken, Utterance

MESSAGE_BYTES = 65_536
MOST_ITEMS = 100
EXAMPLE: dict[str, Any] = {
    "conversation_id": "c1",
    "channel": "web",
    "user_id": "alice",
    "store_id": "shop1",
    "user_message": {
        "id": "m1",
        "content": "Chez nous, la livraison est offerte dès 60 €.",
        "sent_at": "2026-03-02T10:00:00+01:00",
    },
    "assistant_message": {"id": "m2", "content": "C'est noté.", "sent_at": "2026-03-02T10:00:05+01:00"},
}


class MessageIn(Body):
    """One message. Its id is unique in its conversation: the same again is a replay."""

    id: CallerId
    content: Annotated[str, StringConstraints(min_length=1), bytes_at_most(MESSAGE_BYTES)]
    sent_at: SentAt

    def said(self) -> Utterance:
        """With the sender's offset apart; `Z` names none."""
        offset = None if self.sent_at.tzinfo is UTC else self.sent_at.utcoffset()
        minutes = None if offset is None else int(offset.total_seconds() // 60)
        return Utterance(self.id, self.content, self.sent_at.astimezone(UTC), minutes)


class TurnBody(Body):
    """One turn. The person is `user_id`, or whom `channel_address` is linked to, or X-User-Id."""

    model_config = ConfigDict(json_schema_extra={"example": EXAMPLE})

    conversation_id: CallerId
    channel: CallerId = Field(description="`web`, `whatsapp`, `sms`, `slack`, …")
    user_id: CallerId | None = None
    channel_address: CallerId | None = Field(
        default=None, description="Stands for the person and store it is linked to."
    )
    store_id: CallerId | None = None
    agent_id: AgentId = ATLAS
    user_message: MessageIn
    assistant_message: MessageIn | None = None
    receipt_id: RowId | None = Field(default=None, description="Of the block that the assistant had before it.")

    @model_validator(mode="after")
    def _one_name(self) -> "TurnBody":
        if self.user_id is not None and self.channel_address is not None:
            raise PydanticCustomError("two_people", "Give user_id or channel_address, not both")
        return self

    def turn(self, linked_store: str | None) -> TurnIn:
        """The turn; the store that it names itself comes before the linked one."""
        return TurnIn(
            conversation_id=self.conversation_id,
            channel=self.channel,
            agent_id=self.agent_id,
            user_message=self.user_message.said(),
            assistant_message=self.assistant_message.said() if self.assistant_message else None,
            store_id=self.store_id or linked_store,
            receipt_id=self.receipt_id,
        )


class TurnBatch(Body):
    """Several turns; each is checked and kept for itself."""

    items: Annotated[list[Any], Field(min_length=1, max_length=MOST_ITEMS)]


class TurnOut(Answer):
    """`stored` counts messages that were new; where there is a job, `/memory/jobs/{id}` follows it.

    Where extraction is skipped, nothing of the turn is kept, but for `extractor_off`: then it is kept, and its job
    looks for query patterns alone. `erased`: the message was erased, or its person or store was since it was sent.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "job_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3b001",
                "stored": 2,
                "extraction": "scheduled",
                "reason": None,
                "correction": False,
            }
        }
    )

    job_id: UUID | None
    stored: int
    extraction: str
    reason: Skip | None
    correction: bool

    @classmethod
    def of(cls, taken: TurnTaken) -> "TurnOut":
        """As callers read it."""
        return cls(
            job_id=taken.job_id,
            stored=taken.stored,
            extraction="skipped" if taken.skipped else "scheduled",
            reason=taken.skipped,
            correction=taken.correction,
        )


class RefusedTurnOut(Answer):
    """An item of which nothing was kept."""

    error: Refusal


class TurnsOut(Answer):
    """One answer for each item, in their order."""

    items: list[TurnOut | RefusedTurnOut]
