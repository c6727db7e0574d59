"""Messages and receipts in memory."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.state import State
from app.domain.errors import Conflict
from app.domain.messages import Message, same_words
from app.domain.receipts import Receipt
from app.domain.sources import MessageRef


class InMemoryMessages:
    """The messages of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, messages: Sequence[Message]) -> int:
        before = len(self._state.messages)
        for message in messages:
            stored = {kept.ref: kept for kept in await self.find([message.ref])}
            if not stored and message.id not in self._state.messages:
                self._state.require(user_id=message.user_id, store_id=message.store_id)
                self._state.messages[message.id] = message
            elif message.ref not in stored or not same_words(message, stored[message.ref]):
                raise Conflict("message_conflict", "A message of this id is stored in this conversation, and differs.")
        return len(self._state.messages) - before

    async def get(self, message_ids: Sequence[UUID], *, hold: bool = False) -> list[Message]:
        return sorted((kept for kept in self._state.messages.values() if kept.id in message_ids), key=_in_time)

    async def before(self, message: Message, limit: int) -> list[Message]:
        earlier = [
            kept
            for kept in self._state.messages.values()
            if (kept.conversation_id, kept.user_id) == (message.conversation_id, message.user_id)
            and kept.sent_at <= message.sent_at
            and kept.id != message.id
        ]
        return sorted(earlier, key=_in_time)[-limit:]

    async def just_before(self, message_ids: Sequence[UUID]) -> Mapping[UUID, Message]:
        found: dict[UUID, Message] = {}
        said = sorted(self._state.messages.values(), key=_in_time)
        for message in await self.get(message_ids):
            earlier = [kept for kept in said if kept.conversation_id == message.conversation_id]
            place = earlier.index(message)
            found |= {message.id: earlier[place - 1]} if place else {}
        return found

    async def find(self, refs: Sequence[MessageRef]) -> list[Message]:
        wanted = {(ref.conversation_id, ref.message_id) for ref in refs}
        return [kept for kept in self._state.messages.values() if (kept.conversation_id, kept.message_id) in wanted]

    async def named(
        self, message_id: str, conversation_id: str | None, user_id: str | None, limit: int
    ) -> list[Message]:
        alike = [kept for _, kept in sorted(self._state.messages.items()) if kept.message_id == message_id]
        there = [kept for kept in alike if conversation_id in (None, kept.conversation_id)]
        return [kept for kept in there if user_id in (None, kept.user_id)][:limit]

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        for kept in list(self._state.messages.values()):
            if kept.user_id == user_id:
                self._state.require(user_id=heir, store_id=store_id)
                moved = replace(kept, user_id=heir, store_id=kept.store_id or store_id)
                self._state.messages[kept.id] = moved

    async def delete(self, message_ids: Sequence[UUID]) -> int:
        self._state.disowned = {place: mark for place, mark in self._state.disowned.items() if place not in message_ids}
        return sum(self._state.messages.pop(wanted, None) is not None for wanted in message_ids)

    async def everything(self, user_id: str | None) -> AsyncIterator[Message]:
        for _, kept in sorted(self._state.messages.items()):
            if user_id in (None, kept.user_id):
                yield kept


class InMemoryReceipts:
    """The receipts of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            self._state.require()
            self._state.receipts.setdefault(receipt.receipt_id, receipt)

    async def forget_before(self, instant: datetime) -> None:
        kept = self._state.receipts.items()
        self._state.receipts = {place: receipt for place, receipt in kept if receipt.created_at >= instant}

    async def get(self, receipt_id: UUID) -> Receipt | None:
        return self._state.receipts.get(receipt_id)

    async def latest(self, user_id: str, conversation_id: str) -> Receipt | None:
        place = user_id, conversation_id
        served = [kept for kept in self._state.receipts.values() if (kept.user_id, kept.conversation_id) == place]
        return max(served, key=lambda kept: kept.created_at, default=None)


def _in_time(message: Message) -> tuple[datetime, UUID]:
    return message.sent_at, message.id
