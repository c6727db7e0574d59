"""Observations in Postgres."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, literal, select, tuple_, update

from app.adapters.postgres.arrays import one_of
from app.adapters.postgres.models import ObservationRow
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.search import PostgresSearch
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import entities_of
from app.domain.identifiers import first_uuid7
from app.domain.observations import ErrorFamily, Failures, Observation, ObservationType
from app.domain.search import DocumentKind, observation_document
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS
from app.ports.observations import ObservationFilter
from app.ports.paging import Page, PageRequest

_open = ObservationRow.consolidated_at.is_(None)


class PostgresObservations:
    """The observations of the scope's organisation, which the search index follows.

    What goes by receipt goes by the id, which finds the partition.
    """

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._search = PostgresSearch(session)

    async def add(self, observations: Sequence[Observation]) -> frozenset[UUID]:
        if not observations:
            return frozenset()
        insertion = self._session.insertion(ObservationRow, list(map(_values, observations))).on_conflict_do_nothing()
        new = frozenset((await self._session.execute(insertion.returning(ObservationRow.id))).scalars())
        documents = [observation_document(one) for one in observations if one.id in new]
        await self._search.index([document for document in documents if document is not None])
        return new

    async def page(self, wanted: ObservationFilter, request: PageRequest) -> Page[Observation]:
        query = select(ObservationRow).where(*_conditions(wanted))
        keys = [ObservationRow.id]
        return await keyset_page(self._session, query, keys, request, observation_of, newest_first=True)

    async def take_unconsolidated(self, user_id: str, limit: int) -> list[Observation]:
        query = select(ObservationRow).where(ObservationRow.user_id == user_id, _open)
        query = query.order_by(ObservationRow.id).limit(limit).with_for_update()
        return [observation_of(row) for row in (await self._session.execute(query)).scalars()]

    async def mark_consolidated(self, observation_ids: Sequence[UUID], now: datetime) -> int:
        statement = update(ObservationRow).where(ObservationRow.id.in_(observation_ids), _open)
        done = await self._session.execute(statement.values(consolidated_at=now).returning(ObservationRow.id))
        return len(done.all())

    async def people_with_unconsolidated(
        self, limit: int, after: str | None = None, store_id: str | None = None
    ) -> list[str]:
        query = select(ObservationRow.user_id).where(_open, ObservationRow.user_id > (after or "")).distinct()
        if store_id is not None:
            query = query.where(ObservationRow.store_id == store_id)
        return list((await self._session.execute(query.order_by(ObservationRow.user_id).limit(limit))).scalars())

    async def failures(self, user_id: str, since: datetime) -> list[Failures]:
        tool = ObservationRow.told["toolName"].astext
        alike = (ObservationRow.agent_id, tool, ObservationRow.error_family, ObservationRow.session)
        query = (
            select(*alike, func.max(ObservationRow.occurred_at))
            .where(
                ObservationRow.user_id == user_id,
                ObservationRow.type == ObservationType.TOOL_FAILURE.value,
                ObservationRow.occurred_at >= since,
            )
            .group_by(*alike)
        )
        rows = (await self._session.execute(query)).all()
        return [
            Failures(agent, name, ErrorFamily(family), session, last) for agent, name, family, session, last in rows
        ]

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        moved = {"user_id": heir, "store_id": func.coalesce(ObservationRow.store_id, store_id)}
        await self._session.execute(update(ObservationRow).where(ObservationRow.user_id == user_id).values(moved))
        await self._search.move([DocumentKind.OBSERVATION], user_id, heir, store_id)

    async def get(self, observation_ids: Sequence[UUID]) -> list[Observation]:
        query = select(ObservationRow).where(one_of(ObservationRow.id, observation_ids)).order_by(ObservationRow.id)
        return [observation_of(row) for row in (await self._session.execute(query)).scalars()]

    async def delete(self, observation_ids: Sequence[UUID]) -> int:
        return await self._delete(ObservationRow.id.in_(observation_ids))

    async def found_in(self, messages: Sequence[MessageRef]) -> list[Observation]:
        query = select(ObservationRow).where(_found_in(messages)).order_by(ObservationRow.id).with_for_update()
        return [observation_of(row) for row in (await self._session.execute(query)).scalars()]

    async def delete_found_in(self, messages: Sequence[MessageRef]) -> int:
        return await self._delete(_found_in(messages))

    async def forget_before(self, instant: datetime) -> int:
        before = first_uuid7(instant)
        await self._search.unindex_before(DocumentKind.OBSERVATION, before)
        old = delete(ObservationRow).where(ObservationRow.id < before).returning(ObservationRow.id)
        return len((await self._session.execute(old)).all())

    async def everything(self, user_id: str | None) -> AsyncIterator[Observation]:
        query = select(ObservationRow).order_by(ObservationRow.id)
        if user_id is not None:
            query = query.where(ObservationRow.user_id == user_id)
        async for row in entities_of(self._session, query):
            yield observation_of(row)

    async def _delete(self, which: ColumnElement[bool]) -> int:
        gone = await self._session.execute(delete(ObservationRow).where(which).returning(ObservationRow.id))
        ids = list(gone.scalars())
        await self._search.unindex(DocumentKind.OBSERVATION, ids)
        return len(ids)


def _found_in(messages: Sequence[MessageRef]) -> ColumnElement[bool]:
    wanted = [(message.conversation_id, message.message_id) for message in messages]
    return tuple_(ObservationRow.conversation_id, ObservationRow.message_id).in_(wanted)


def _conditions(wanted: ObservationFilter) -> Iterator[ColumnElement[bool]]:
    """What a row must meet; an empty set of allowed stores or pockets lets nothing of a store or pocket through."""
    yield ObservationRow.user_id == wanted.user_id
    for column, value in (
        (ObservationRow.type, wanted.type),
        (ObservationRow.agent_id, wanted.agent_id),
        (ObservationRow.session, wanted.session_id),
    ):
        if value is not None:
            yield column == value
    if wanted.tag is not None:
        yield literal(wanted.tag) == func.any(ObservationRow.tags)
    if wanted.since is not None:
        yield ObservationRow.occurred_at >= wanted.since
    if wanted.until is not None:
        yield ObservationRow.occurred_at < wanted.until
    if wanted.recorded_since is not None:
        yield ObservationRow.id >= first_uuid7(wanted.recorded_since)
    if wanted.stores is not None:
        yield ObservationRow.store_id.is_(None) | ObservationRow.store_id.in_(wanted.stores)
    if wanted.agents is not None:
        yield ObservationRow.agent_id.in_({*wanted.agents, ATLAS})


def _values(observation: Observation) -> dict[str, Any]:
    message = observation.message
    return {
        "id": observation.id,
        "type": observation.type.value,
        "user_id": observation.user_id,
        "store_id": observation.store_id,
        "agent_id": observation.agent_id,
        "session": observation.session,
        "content": observation.content,
        "metadata": dict(observation.metadata),
        "tags": list(observation.tags),
        "error_family": observation.error_family,
        "conversation_id": message.conversation_id if message else None,
        "message_id": message.message_id if message else None,
        "channel": message.channel if message else None,
        "occurred_at": observation.occurred_at,
        "recorded_at": observation.recorded_at,
        "consolidated_at": observation.consolidated_at,
    }


def observation_of(row: ObservationRow) -> Observation:
    """The observation that a row is."""
    message = None
    if row.conversation_id is not None and row.message_id is not None:
        message = MessageRef(row.conversation_id, row.message_id, row.channel or "")
    return Observation(
        id=row.id,
        type=ObservationType(row.type),
        user_id=row.user_id,
        agent_id=row.agent_id,
        session=row.session,
        occurred_at=row.occurred_at,
        recorded_at=row.recorded_at,
        store_id=row.store_id,
        content=row.content,
        metadata=row.told,
        tags=tuple(row.tags),
        message=message,
        consolidated_at=row.consolidated_at,
    )
