"""Messages and receipts in Postgres."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, true, tuple_, update
from sqlalchemy.orm import aliased

from app.adapters.postgres.arrays import one_of
from app.adapters.postgres.models import DocumentRow, MessageRow, ReceiptRow
from app.adapters.postgres.search import PostgresSearch
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import entities_of
from app.domain.errors import Conflict
from app.domain.messages import Message, Speaker, same_words
from app.domain.receipts import Receipt
from app.domain.search import SPOKEN, message_document
from app.domain.sources import MessageRef
from app.domain.subjects import UserSubject


class PostgresMessages:
    """The messages of the scope's organisation, which the search index follows."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._search = PostgresSearch(session)

    async def add(self, messages: Sequence[Message]) -> int:
        if not messages:
            return 0
        rows = [asdict(message) for message in messages]
        statement = self._session.insertion(MessageRow, rows).on_conflict_do_nothing()
        new = set((await self._session.execute(statement.returning(MessageRow.id))).scalars())
        repeated = [message for message in messages if message.id not in new]
        if repeated:
            stored = {kept.ref: kept for kept in await self.find([message.ref for message in repeated])}
            if not all(message.ref in stored and same_words(message, stored[message.ref]) for message in repeated):
                raise Conflict("message_conflict", "A message of this id is stored in this conversation, and differs.")
        await self._search.index([message_document(message) for message in messages if message.id in new])
        self._session.touch(*(UserSubject(message.user_id) for message in messages if message.id in new))
        return len(new)

    async def get(self, message_ids: Sequence[UUID], *, hold: bool = False) -> list[Message]:
        query = select(MessageRow).where(one_of(MessageRow.id, message_ids)).order_by(MessageRow.sent_at, MessageRow.id)
        if hold:
            query = query.with_for_update(read=True, key_share=True)
        return [message_of(row) for row in (await self._session.execute(query)).scalars()]

    async def before(self, message: Message, limit: int) -> list[Message]:
        query = (
            select(MessageRow)
            .where(
                MessageRow.conversation_id == message.conversation_id,
                MessageRow.user_id == message.user_id,
                MessageRow.sent_at <= message.sent_at,
                MessageRow.id != message.id,
            )
            .order_by(MessageRow.sent_at.desc(), MessageRow.id.desc())
            .limit(limit)
        )
        rows = (await self._session.execute(query)).scalars().all()
        return [message_of(row) for row in reversed(rows)]

    async def just_before(self, message_ids: Sequence[UUID]) -> Mapping[UUID, Message]:
        if not message_ids:
            return {}
        here, other = aliased(DocumentRow), aliased(DocumentRow)
        earlier = tuple_(other.at, other.id) < tuple_(here.at, here.id)
        before = (
            select(other.id)
            .where(other.conversation_id == here.conversation_id, earlier)
            .order_by(other.at.desc(), other.id.desc())
            .limit(1)
            .correlate(here)
            .subquery()
            .lateral()
        )
        query = select(here.id, before.c.id).join(before, true())
        rows = await self._session.execute(query.where(here.kind.in_(SPOKEN), here.id.in_(message_ids)))
        placed: dict[UUID, UUID] = {row[0]: row[1] for row in rows}
        said = {message.id: message for message in await self.get(list(set(placed.values())))}
        return {message: said[previous] for message, previous in placed.items() if previous in said}

    async def find(self, refs: Sequence[MessageRef]) -> list[Message]:
        wanted = [(ref.conversation_id, ref.message_id) for ref in refs]
        place = tuple_(MessageRow.conversation_id, MessageRow.message_id)
        rows = await self._session.execute(select(MessageRow).where(place.in_(wanted)))
        return [message_of(row) for row in rows.scalars()]

    async def named(
        self, message_id: str, conversation_id: str | None, user_id: str | None, limit: int
    ) -> list[Message]:
        query = select(MessageRow).where(MessageRow.message_id == message_id)
        if conversation_id is not None:
            query = query.where(MessageRow.conversation_id == conversation_id)
        if user_id is not None:
            query = query.where(MessageRow.user_id == user_id)
        rows = await self._session.execute(query.order_by(MessageRow.id).limit(limit))
        return [message_of(row) for row in rows.scalars()]

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        moved = {"user_id": heir, "store_id": func.coalesce(MessageRow.store_id, store_id)}
        await self._session.execute(update(MessageRow).where(MessageRow.user_id == user_id).values(moved))
        await self._search.move(SPOKEN, user_id, heir, store_id)
        self._session.touch(UserSubject(user_id), UserSubject(heir))

    async def delete(self, message_ids: Sequence[UUID]) -> int:
        for kind in SPOKEN:
            await self._search.unindex(kind, message_ids)
        statement = delete(MessageRow).where(MessageRow.id.in_(message_ids)).returning(MessageRow.user_id)
        whose = (await self._session.execute(statement)).scalars().all()
        self._session.touch(*map(UserSubject, whose))
        return len(whose)

    async def everything(self, user_id: str | None) -> AsyncIterator[Message]:
        query = select(MessageRow).order_by(MessageRow.id)
        if user_id is not None:
            query = query.where(MessageRow.user_id == user_id)
        async for row in entities_of(self._session, query):
            yield message_of(row)


class PostgresReceipts:
    """The receipts of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, receipts: Sequence[Receipt]) -> None:
        if not receipts:
            return
        rows: list[dict[str, Any]] = [{**asdict(receipt), "fact_ids": list(receipt.fact_ids)} for receipt in receipts]
        await self._session.execute(self._session.insertion(ReceiptRow, rows).on_conflict_do_nothing())

    async def forget_before(self, instant: datetime) -> None:
        await self._session.execute(delete(ReceiptRow).where(ReceiptRow.created_at < instant))

    async def get(self, receipt_id: UUID) -> Receipt | None:
        query = select(ReceiptRow).where(ReceiptRow.receipt_id == receipt_id)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _receipt(row) if row else None

    async def latest(self, user_id: str, conversation_id: str) -> Receipt | None:
        query = (
            select(ReceiptRow)
            .where(ReceiptRow.user_id == user_id, ReceiptRow.conversation_id == conversation_id)
            .order_by(ReceiptRow.created_at.desc())
            .limit(1)
        )
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _receipt(row) if row else None


def message_of(row: MessageRow) -> Message:
    """The message that a row is."""
    return Message(
        id=row.id,
        conversation_id=row.conversation_id,
        message_id=row.message_id,
        channel=row.channel,
        speaker=Speaker(row.speaker),
        content=row.content,
        sent_at=row.sent_at,
        utc_offset=row.utc_offset,
        user_id=row.user_id,
        store_id=row.store_id,
        agent_id=row.agent_id,
        recorded_at=row.recorded_at,
    )


def _receipt(row: ReceiptRow) -> Receipt:
    return Receipt(
        receipt_id=row.receipt_id,
        agent_id=row.agent_id,
        fact_ids=tuple(row.fact_ids),
        created_at=row.created_at,
        user_id=row.user_id,
        store_id=row.store_id,
        conversation_id=row.conversation_id,
    )
