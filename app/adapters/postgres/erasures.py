"""Erasures in Postgres: receipts, and rows struck place by place."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    DateTime,
    LargeBinary,
    Text,
    Uuid,
    cast,
    delete,
    false,
    func,
    inspect,
    literal,
    or_,
    select,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB

from app.adapters.postgres.closings import RETRY_SECONDS
from app.adapters.postgres.erasable import PLACES, Place
from app.adapters.postgres.messages import message_of
from app.adapters.postgres.models import (
    DocumentRow,
    ErasureRow,
    EventRow,
    IdempotencyRow,
    MessageRow,
    ObservationRow,
    SourceRow,
)
from app.adapters.postgres.observations import observation_of
from app.adapters.postgres.search import PostgresSearch
from app.adapters.postgres.session import TenantSession
from app.domain.erasures import Closings, Erasure, ErasureKind, Extent, PlatformErasure, Thing, person_thing
from app.domain.errors import Conflict
from app.domain.idempotency import ERASED_ANSWER
from app.domain.messages import Message
from app.domain.observations import Observation
from app.domain.search import DocumentKind
from app.domain.sources import MessageRef
from app.domain.subjects import OrgSubject, Scope

_PLACES: Final[Mapping[str, Place]] = {place.name: place for place in PLACES}
_GO_ALONG: Final = frozenset({"postings", "vectors"})
"""Rows that go with their document."""


class PostgresErasures:
    """The receipts of the scope's organisation, and the hands that erase."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._search = PostgresSearch(session)

    @property
    def closings(self) -> Closings:
        return self._session.closings

    @property
    def places(self) -> Mapping[str, str]:
        return {name: place.counted for name, place in _PLACES.items()}

    def count_vectors(self) -> None:
        self._session.vectors_gone = self._session.vectors_gone or 0

    @property
    def vectors(self) -> int:
        return self._session.vectors_gone or 0

    async def save(self, erasure: Erasure, readers: Iterable[Thing] = ()) -> None:
        if erasure.extent.kind not in (ErasureKind.FACT, ErasureKind.MESSAGE):
            self._session.touch(OrgSubject())  # for everybody something is there no more
        values = {
            "extent": erasure.extent.told if erasure.completed_at is None else erasure.extent.kind.value,
            "erased": dict(erasure.erased),
            "facts_kept": erasure.facts_kept,
            "remaining": erasure.remaining,
            "searched": list(erasure.searched),
            "keeps_shared": erasure.keeps_shared,
            "completed_at": erasure.completed_at,
        }
        known = update(ErasureRow).where(ErasureRow.receipt_id == erasure.receipt_id).values(values)
        if (await self._session.execute(known.returning(ErasureRow.receipt_id))).first() is not None:
            return
        row = {
            "receipt_id": erasure.receipt_id,
            "began_at": erasure.began_at,
            "readers": list(map(self._session.digest, readers)),
            "kept": await self._ids_of(erasure.kept),
            **values,
        }
        statement = self._session.insertion(ErasureRow, [row]).on_conflict_do_nothing()
        if (await self._session.execute(statement.returning(ErasureRow.receipt_id))).first() is None:
            raise Conflict("erasing", "This is being erased already.", RETRY_SECONDS)

    async def get(self, receipt_id: UUID, reader: str | None = None, *, hold: bool = False) -> Erasure | None:
        query = select(ErasureRow).where(ErasureRow.receipt_id == receipt_id)
        if hold:
            query = query.with_for_update(key_share=True)
        row = (await self._session.execute(query)).scalar_one_or_none()
        if row is None or (reader is not None and self._session.digest(person_thing(reader)) not in row.readers):
            return None
        kept = await self._session.execute(select(MessageRow).where(MessageRow.id.in_(row.kept)))
        return Erasure(
            receipt_id=row.receipt_id,
            extent=Extent.of(row.extent),
            began_at=row.began_at,
            erased=row.erased,
            kept=tuple(message_of(message).ref for message in kept.scalars()),
            facts_kept=row.facts_kept,
            remaining=row.remaining,
            searched=tuple(row.searched),
            completed_at=row.completed_at,
            keeps_shared=row.keeps_shared,
        )

    async def tell_platform(self, erasure: PlatformErasure, thing: Thing, parts: int) -> None:
        told = func.keep_platform_erasure(
            literal(erasure.receipt_id, Uuid),
            erasure.kind.value,
            literal(self._session.platform_digest(thing), LargeBinary),
            parts,
            literal(dict(erasure.erased), JSONB),
            erasure.remaining,
            literal(erasure.completed_at or erasure.began_at, DateTime(timezone=True)),
        )
        await self._session.execute(select(told))

    async def size(self, extent: Extent, upto: int) -> int:
        return await self._found(extent, (place for place in PLACES if place.name not in _GO_ALONG), upto + 1)

    async def messages(self, extent: Extent, limit: int) -> list[Message]:
        which = _PLACES[MessageRow.__tablename__].which(extent)
        rows = await self._session.execute(select(MessageRow).where(which).order_by(MessageRow.id).limit(limit))
        return list(map(message_of, rows.scalars()))

    async def observations(self, extent: Extent, limit: int) -> list[Observation]:
        which = _PLACES[ObservationRow.__tablename__].which(extent)
        some = select(ObservationRow).where(which).order_by(ObservationRow.id).limit(limit)
        return list(map(observation_of, (await self._session.execute(some)).scalars()))

    async def disown_shared(self, limit: int) -> int:
        stated = (
            select(MessageRow.id)
            .join(
                SourceRow,
                (SourceRow.org_id == MessageRow.org_id)
                & (SourceRow.conversation_id == MessageRow.conversation_id)
                & (SourceRow.message_id == MessageRow.message_id),
            )
            .where(SourceRow.scope != Scope.USER.value)
        )
        quoted = DocumentRow.kind == DocumentKind.MESSAGE.value, ~DocumentRow.disowned, DocumentRow.id.in_(stated)
        ids = (await self._session.execute(select(DocumentRow.id).where(*quoted).limit(limit))).scalars().all()
        await self._search.disown(ids)
        return len(ids)

    async def strike(self, place: str, extent: Extent, limit: int) -> int:
        if place in _GO_ALONG:
            return 0
        if place == EventRow.__tablename__:
            return await self._strike_events(extent, limit)
        if place == DocumentRow.__tablename__:
            return await self._strike_documents(extent, limit)
        here = _PLACES[place]
        if _is_never(here.which(extent)):
            return 0
        keys: list[Any] = [getattr(here.table, column.key) for column in inspect(here.table).primary_key]
        keys = [key for key in keys if key.key != "org_id"]
        which = here.which(extent)
        # Up to a border, the last row where there are fewer: a list of so many is read anew for each row by a planner
        # that thinks it short.
        there = select(*keys).where(which)
        borders = union_all(
            there.order_by(*keys).offset(limit - 1).limit(1), there.order_by(*(key.desc() for key in keys)).limit(1)
        )
        statement = delete(here.table).where(which, tuple_(*keys) <= borders.limit(1).scalar_subquery())
        return len((await self._session.execute(statement.returning(keys[0]))).all())

    async def remaining(self, extent: Extent) -> int:
        total = await self._found(extent, PLACES)
        if extent.id:
            named = select(func.count()).select_from(IdempotencyRow).where(*_naming([extent.id]))
            total += (await self._session.execute(named)).scalar_one()
        return total

    async def _found(self, extent: Extent, places: Iterable[Place], most: int | None = None) -> int:
        """How many rows of the extent are in these places, at most so many counted in each; in one statement."""
        rows = [
            select(literal(1)).select_from(place.table).where(which).limit(most).subquery()
            for place in places
            if not _is_never(which := place.which(extent))
        ]
        counts = union_all(*(select(func.count().label("number")).select_from(each) for each in rows)).subquery()
        return int((await self._session.execute(select(func.sum(counts.c.number)))).scalar_one())

    async def forget_answers(self, names: Collection[str]) -> int:
        if not names:
            return 0
        statement = update(IdempotencyRow).where(*_naming(names)).values(answer=ERASED_ANSWER)
        return len((await self._session.execute(statement.returning(IdempotencyRow.key))).all())

    async def _strike_documents(self, extent: Extent, limit: int) -> int:
        which = _PLACES[DocumentRow.__tablename__].which(extent)
        found = await self._session.execute(select(DocumentRow.kind, DocumentRow.id).where(which).limit(limit))
        rows = found.all()
        for kind in dict.fromkeys(row.kind for row in rows):
            await self._search.unindex(DocumentKind(kind), [row.id for row in rows if row.kind == kind])
        return len(rows)

    async def _strike_events(self, extent: Extent, limit: int) -> int:
        """The serving role may not: the database itself looks whether their organisation is being erased."""
        if extent.kind is not ErasureKind.ORGANISATION:
            return 0
        struck = select(func.strike_events(self._session.scope.org_id, limit))
        return int((await self._session.execute(struck)).scalar_one())

    async def _ids_of(self, messages: Collection[MessageRef]) -> list[UUID]:
        if not messages:
            return []
        place = tuple_(MessageRow.conversation_id, MessageRow.message_id)
        wanted = [(message.conversation_id, message.message_id) for message in messages]
        return list((await self._session.execute(select(MessageRow.id).where(place.in_(wanted)))).scalars())


def _is_never(which: Any) -> bool:
    return isinstance(which, type(false()))


def _naming(names: Collection[str]) -> tuple[Any, ...]:
    """Finished answers in which one of these stands as a whole string."""
    told = cast(IdempotencyRow.answer, Text)
    quoted = [json.dumps(name, ensure_ascii=False) for name in names]
    return IdempotencyRow.status.is_not(None), or_(*(func.strpos(told, one) > 0 for one in quoted))
