"""Vectors in Postgres: written behind a stamp, compared exactly on a reader's shelves."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    Uuid,
    and_,
    cast,
    column,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY

from app.adapters.postgres.documents import bound, names_of, shape_of, subject_on
from app.adapters.postgres.models import DocumentRow, VectorRow
from app.adapters.postgres.nearest import cosines_of, crowded_out, nearest_of, told, written
from app.adapters.postgres.session import TenantSession
from app.domain.embedding import Vector
from app.domain.past import PRESENT, Moment
from app.domain.search import SPOKEN, DocumentKind, Shelf
from app.ports.vectors import Embedded, Nearness, Place, Progress, Stamped

_NONE, _FAILED = "", "!"
CROWD = 3
"""How many parts are read for each document that is wanted; where that is too few, so many times as many."""
# Indexes of a part of the table are used where the query says so in the same letters.
_LACKS = DocumentRow.embedded == literal(_NONE, literal_execute=True)
_HOLDS = DocumentRow.embedded != literal(_NONE, literal_execute=True)
_STAMP = cast(DocumentRow.writer, Text)
"""Whatever changes a document's words writes its row anew."""


class PostgresVectors:
    """The vectors of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def lacking(self, limit: int, space: str | None = None) -> list[Stamped]:
        queries = [_lacking(limit, _LACKS)]
        if space is not None:
            other = DocumentRow.embedded != _FAILED
            queries += [
                _lacking(limit, _HOLDS, other, DocumentRow.embedded < space),
                _lacking(limit, _HOLDS, other, DocumentRow.embedded > space),
            ]
        found: list[Stamped] = []
        for query in queries:
            if len(found) < limit:
                rows = await self._session.execute(query)
                found += [Stamped(DocumentKind(kind), id, stamp) for kind, id, stamp in rows]
        return found[:limit]

    async def put(self, space: str, made: Mapping[Stamped, Embedded], failed: Collection[Stamped] = ()) -> int:
        beside = {each.beside for each in made.values() if each.beside is not None}
        there = await self._held(beside)
        whole = {one: each for one, each in made.items() if each.beside is None or each.beside in there}
        held = await self._mark(list(whole), space) | await self._mark(list(failed), _FAILED)
        if held:
            kinds, ids = {kind for kind, _ in held}, [id for _, id in held]
            former = VectorRow.kind.in_(kinds), VectorRow.document.in_(ids)
            await self._session.execute(delete(VectorRow).where(*former))
        rows = [
            {"kind": one.kind.value, "document": one.id, "part": part, "shelf": held[one.place], "model": space}
            | _beside(each)
            | {"embedding": written(vector)}
            for one, each in whole.items()
            if one.place in held
            for part, vector in enumerate(each.vectors)
        ]
        if rows:
            await self._session.execute(self._session.insertion(VectorRow, rows))
        return sum(one.place in held for one in whole)

    async def _held(self, places: Collection[Place]) -> set[Place]:
        """Those that are there; they stay until the transaction ends."""
        if not places:
            return set()
        row, ids = DocumentRow, [id for _, id in places]
        query = select(row.kind, row.id).where(row.kind.in_(SPOKEN), row.id.in_(ids)).order_by(row.id)
        rows = await self._session.execute(query.with_for_update(read=True, key_share=True))
        return {(DocumentKind(kind), id) for kind, id in rows}

    async def _mark(self, documents: Sequence[Stamped], embedded: str) -> dict[Place, str]:
        """Those that are as they were; they are held from now on. Answers their shelves."""
        if not documents:
            return {}
        columns = (("kind", Text), ("id", Uuid), ("stamp", Text))
        arrays = (literal([getattr(one, name) for one in documents], ARRAY(kind())) for name, kind in columns)
        typed = [column(name, kind) for name, kind in columns]
        seen = func.unnest(*arrays).table_valued(*typed, name="seen").render_derived().c
        row = DocumentRow
        statement = (
            update(row)
            .where(row.kind == seen.kind, row.id == seen.id, seen.stamp == _STAMP)
            .values(embedded=embedded)
            .returning(row.kind, row.id, row.shelf)
            .execution_options(synchronize_session=False)
        )
        found = (await self._session.execute(statement)).all()
        self._session.touch(*(subject_on(shelf) for *_, shelf in found))
        return {(DocumentKind(kind), id): shelf for kind, id, shelf in found}

    async def forgive(self) -> int:
        row = DocumentRow
        theirs = (VectorRow.kind == row.kind, VectorRow.document == row.id)
        bereft = and_(row.embedded != _FAILED, row.length > 0, ~select(VectorRow.part).where(*theirs).exists())
        forgiven = update(row).where(_HOLDS, or_(row.embedded == _FAILED, bereft)).values(embedded=_NONE)
        done = await self._session.execute(forgiven.returning(row.id))
        return len(done.all())

    async def progress(self, space: str) -> Progress:
        counted = select(DocumentRow.embedded, func.count()).group_by(DocumentRow.embedded)
        counts = {row[0]: row[1] for row in await self._session.execute(counted)}
        return Progress(counts.get(space, 0), counts.get(_FAILED, 0), sum(counts.values()))

    async def nearest(
        self,
        question: Vector,
        space: str,
        shelves: Sequence[Shelf],
        limit: int,
        since: datetime | None = None,
        moment: Moment = PRESENT,
    ) -> Mapping[DocumentKind, Nearness]:
        if not shelves:
            return {}
        kinds = tuple(sorted(frozenset[DocumentKind]().union(*(shelf.kinds for shelf in shelves))))
        query = nearest_of(shape_of(shelves, moment), kinds, since is not None)
        asked = {"question": written(question), "space": space, "names": names_of(shelves), "since": since}
        asked |= bound(shelves, moment)
        most = limit
        while True:
            most *= CROWD
            rows = (await self._session.execute(query, asked | {"most": most})).all()
            near = told(rows, limit)
            if not crowded_out(rows, near, limit, most):
                return near

    async def cosines(
        self, question: Vector, space: str, kinds: Collection[DocumentKind], ids: Collection[UUID]
    ) -> Mapping[UUID, float]:
        if not ids:
            return {}
        which = {"kinds": [kind.value for kind in kinds], "ids": list(ids)}
        asked = {"question": written(question), "space": space, **which}
        return {row[0]: row[1] for row in await self._session.execute(cosines_of(), asked)}


def _beside(each: Embedded) -> dict[str, Any]:
    kind, document = each.beside or (None, None)
    return {"beside_kind": kind and kind.value, "beside": document}


def _lacking(limit: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    row = DocumentRow
    columns: tuple[Any, ...] = (row.kind, row.id, _STAMP)
    return select(*columns).where(*conditions).order_by(row.embedded.desc(), row.id.desc()).limit(limit)
