"""Seals in Postgres. The role that serves adds to them and to the trail, and changes neither."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, Select, func, select, update

from app.adapters.postgres.models import EventRow, EventValuesRow, OrganisationRow, SealRow
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import rows_of
from app.domain.events import EventValues
from app.domain.seals import Line, Seal
from app.ports.seals import Kept

PAGE = 100
"""Seals that are read at once."""
_FIELDS = ("place", "id", "kind", "scope", "subject_ref", "fact_id", "actor_type", "actor_ref", "digest", "created_at")
_LINE: tuple[Any, ...] = tuple(getattr(EventRow, name) for name in _FIELDS)
_WORDS: tuple[Any, ...] = (EventValuesRow.old, EventValuesRow.new, EventValuesRow.reason, EventValuesRow.salt)


class PostgresSeals:
    """The seals of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def hold(self) -> bool:
        query = select(OrganisationRow.org_id).with_for_update(key_share=True)
        return (await self._session.execute(query)).first() is not None

    async def last(self) -> Seal | None:
        query = select(SealRow).order_by(SealRow.seq.desc(), SealRow.last_place.desc()).limit(1)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _seal(row) if row else None

    async def unsealed(self, after: int, upto: int, limit: int) -> list[Line]:
        query = _within(select(*_LINE), after, upto).order_by(EventRow.place).limit(limit)
        return [Line(*row) for row in await self._session.execute(query)]

    async def add(self, seal: Seal) -> None:
        await self._session.execute(self._session.insertion(SealRow, [asdict(seal)]))
        counted = update(OrganisationRow).values(seals=seal.seq).execution_options(synchronize_session=False)
        await self._session.execute(counted)

    async def chain(self) -> AsyncIterator[Seal]:
        after = 0
        while True:
            query = select(SealRow).where(SealRow.seq > after).order_by(SealRow.seq).limit(PAGE)
            found = [_seal(row) for row in (await self._session.execute(query)).scalars()]
            for seal in found:
                yield seal
            if len(found) < PAGE:
                return
            self._session.expunge_all()
            after = found[-1].seq

    async def lines(self, after: int, upto: int | None = None) -> AsyncIterator[tuple[Line, EventValues | None]]:
        spoken = EventValuesRow.event_id == EventRow.id
        query: Select[Any] = select(*_LINE, *_WORDS).outerjoin_from(EventRow, EventValuesRow, spoken)
        query = _within(query, after, upto).order_by(EventRow.place)
        async for row in rows_of(self._session, query):
            yield _spoken(row)

    async def kept(self) -> Kept:
        words = select(func.count()).select_from(EventValuesRow).scalar_subquery()
        query = select(func.coalesce(func.sum(OrganisationRow.seals), 0), words)
        seals, spoken = (await self._session.execute(query)).one()
        return Kept(int(seals), spoken)


def _within(query: Select[Any], after: int, upto: int | None) -> Select[Any]:
    query = query.where(EventRow.place > after)
    return query if upto is None else query.where(EventRow.place <= upto)


def _spoken(row: Row[Any]) -> tuple[Line, EventValues | None]:
    fields = tuple(row)
    line, words = fields[: len(_FIELDS)], fields[len(_FIELDS) :]
    return Line(*line), EventValues(*words) if words[-1] is not None else None


def _seal(row: SealRow) -> Seal:
    names = ("seq", "first_place", "last_place", "count", "previous", "digest", "leaves", "sealed_at")
    return Seal(*(getattr(row, name) for name in names))
