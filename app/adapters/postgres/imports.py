"""What waits to be imported, in Postgres."""

import json
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, or_, select, tuple_

from app.adapters.postgres.models import ImportRecordRow
from app.adapters.postgres.session import TenantSession
from app.domain.export import Section
from app.domain.imports import Staged, Step

_ORDER = (ImportRecordRow.step, ImportRecordRow.place, ImportRecordRow.seq)


class PostgresImports:
    """The records that wait, of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, job_id: UUID, records: Sequence[Staged]) -> None:
        if records:
            rows = [_values(job_id, record) for record in records]
            await self._session.execute(self._session.insertion(ImportRecordRow, rows))

    async def next(self, job_id: UUID, limit: int, after: Staged | None = None) -> list[Staged]:
        query = select(ImportRecordRow).where(ImportRecordRow.job_id == job_id).order_by(*_ORDER).limit(limit)
        if after is not None:
            query = query.where(tuple_(*_ORDER) > (int(after.step), after.place, after.seq))
        waiting = [_staged(row) for row in (await self._session.execute(query)).scalars()]
        first = [one for one in waiting if one.step is waiting[0].step]
        if len(first) == limit and first[-1].place:
            known = {one.seq for one in first}
            first += [one for one in await self.at(job_id, [first[-1].place]) if one.seq not in known]
        return first

    async def at(self, job_id: UUID, places: Collection[str]) -> list[Staged]:
        here = ImportRecordRow.job_id == job_id, ImportRecordRow.place.in_(places)
        query = select(ImportRecordRow).where(*here, ImportRecordRow.step == int(Step.BELIEFS)).order_by(*_ORDER)
        return [_staged(row) for row in (await self._session.execute(query)).scalars()]

    async def remove(self, job_id: UUID, numbers: Collection[int]) -> None:
        done = ImportRecordRow.job_id == job_id, ImportRecordRow.seq.in_(numbers)
        await self._session.execute(delete(ImportRecordRow).where(*done))

    async def forget_person(self, user_id: str, job_id: UUID | None = None) -> int:
        named = delete(ImportRecordRow).where(
            or_(ImportRecordRow.user_id == user_id, ImportRecordRow.author_id == user_id)
        )
        if job_id is not None:
            named = named.where(ImportRecordRow.job_id == job_id)
        return len((await self._session.execute(named.returning(ImportRecordRow.seq))).all())


def _values(job_id: UUID, staged: Staged) -> dict[str, Any]:
    return {
        "job_id": job_id,
        "seq": staged.seq,
        "step": int(staged.step),
        "place": staged.place,
        "section": staged.section.value,
        "record": json.dumps(staged.record, ensure_ascii=False),
        "id": staged.id,
        "user_id": staged.user_id,
        "author_id": staged.author_id,
        "store_id": staged.store_id,
        "fact_id": staged.fact_id,
        "conversation_id": staged.conversation_id,
        "message_id": staged.message_id,
    }


def _staged(row: ImportRecordRow) -> Staged:
    return Staged(
        step=Step(row.step),
        section=Section(row.section),
        seq=row.seq,
        record=json.loads(row.record),
        place=row.place,
        id=row.id,
        user_id=row.user_id,
        author_id=row.author_id,
        store_id=row.store_id,
        fact_id=row.fact_id,
        conversation_id=row.conversation_id,
        message_id=row.message_id,
    )
