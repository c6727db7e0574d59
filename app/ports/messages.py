"""Messages and receipts, as kept."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.messages import Message
from app.domain.receipts import Receipt
from app.domain.sources import MessageRef


class Messages(Protocol):
    async def add(self, messages: Sequence[Message]) -> int:
        """Stores those not yet there; answers how many were new.

        Raises Conflict `message_conflict` when a stored one has other words.
        """
        ...

    async def get(self, message_ids: Sequence[UUID], *, hold: bool = False) -> list[Message]:
        """Those that are still there, in time order; `hold` keeps them there until the transaction ends."""
        ...

    async def before(self, message: Message, limit: int) -> list[Message]:
        """The latest messages of the same conversation and person before this one, oldest first."""
        ...

    async def just_before(self, message_ids: Sequence[UUID]) -> Mapping[UUID, Message]:
        """Of each of these the message before it in its conversation, whoever said it; none for the first."""
        ...

    async def find(self, refs: Sequence[MessageRef]) -> list[Message]: ...

    async def named(
        self, message_id: str, conversation_id: str | None, user_id: str | None, limit: int
    ) -> list[Message]:
        """At most `limit` messages that bear the caller's id, of that conversation and person or of any."""
        ...

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        """The first one's messages are the second's then; those of no store are of `store_id`."""
        ...

    async def delete(self, message_ids: Sequence[UUID]) -> int: ...

    def everything(self, user_id: str | None) -> AsyncIterator[Message]:
        """All messages, or one person's, in order of id, without holding them in memory."""
        ...


class Receipts(Protocol):
    async def add(self, receipts: Sequence[Receipt]) -> None: ...

    async def forget_before(self, instant: datetime) -> None:
        """Removes those that were written earlier."""
        ...

    async def get(self, receipt_id: UUID) -> Receipt | None: ...

    async def latest(self, user_id: str, conversation_id: str) -> Receipt | None:
        """What this person was last served in this conversation."""
        ...
