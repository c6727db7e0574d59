"""How near documents are to a question: every vector within reach is compared, so none of another reader can matter."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Double,
    Integer,
    Select,
    Subquery,
    Uuid,
    and_,
    cast,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)

from app.adapters.postgres.documents import shelf_name, within
from app.adapters.postgres.models import DocumentRow, VectorRow
from app.adapters.postgres.models.vectors import HalfVec
from app.domain.embedding import Vector
from app.domain.past import Moment
from app.domain.search import DocumentKind, Shelf
from app.ports.vectors import Nearness, Place


def written(vector: Vector) -> str:
    """A vector as pgvector reads it: five digits are more than 16 bits keep."""
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


def nearest_of(
    question: str, space: str, shelves: Sequence[Shelf], limit: int, since: datetime | None, moment: Moment
) -> Any:
    """Rows of kind, document, cosine; and of each kind a row without document: least, most, embedded, documents."""
    row = DocumentRow
    asked = _asked(question)
    here = union_all(*(within(shelf, moment, row.kind, row.id, row.at) for shelf in shelves)).cte("within")
    places = [name for shelf in shelves for name in map(shelf_name, shelf.subjects)]
    compared = (
        select(here.c.kind, here.c.id, here.c.at, func.max(_cosine(asked)).label("cosine"))
        .select_from(here)
        .join(VectorRow, and_(VectorRow.kind == here.c.kind, VectorRow.document == here.c.id))
        .join(asked, true())
        .where(VectorRow.shelf.in_(places), VectorRow.model == space)
        .group_by(here.c.kind, here.c.id, here.c.at)
        .cte("compared")
    )
    kinds = sorted(frozenset[DocumentKind]().union(*(shelf.kinds for shelf in shelves)))
    best = (_best(compared, kind, limit, since) for kind in kinds)
    return union_all(_bounds(here, compared), *(select(each) for each in best))


def cosines_of(question: str, space: str, places: Collection[Place]) -> Select[Any]:
    """Rows of kind, document, cosine. Ids alone are looked for; two kinds hardly share one."""
    asked, row = _asked(question), VectorRow
    kinds, ids = {kind.value for kind, _ in places}, [id for _, id in places]
    columns: tuple[Any, ...] = (row.kind, row.document, func.max(_cosine(asked)))
    query = select(*columns).join(asked, true())
    there = row.kind.in_(kinds), row.document.in_(ids), row.model == space
    return query.where(*there).group_by(row.kind, row.document)


def told(rows: Iterable[Any]) -> Mapping[DocumentKind, Nearness]:
    """What the rows of `nearest_of` say."""
    bounds: dict[DocumentKind, tuple[float, float, int, int]] = {}
    cosines: dict[DocumentKind, dict[UUID, float]] = {}
    for kind, document, cosine, most, embedded, documents in rows:
        if document is None:
            bounds[DocumentKind(kind)] = (cosine or 0.0, most or 0.0, embedded, documents)
        else:
            cosines.setdefault(DocumentKind(kind), {})[document] = cosine
    return {kind: Nearness(cosines.get(kind, {}), *bounds[kind]) for kind in DocumentKind if kind in bounds}


def _asked(question: str) -> CTE:
    """The question's vector, cast once: the same expression beside each row would be cast for each."""
    return select(literal(question, HalfVec).label("embedding")).cte("asked").prefix_with("materialized")


def _cosine(asked: CTE) -> ColumnElement[float]:
    return literal(1.0, Double) - VectorRow.embedding.op("<=>", return_type=Double())(asked.c.embedding)


def _best(compared: CTE, kind: DocumentKind, limit: int, since: datetime | None) -> Subquery:
    one, nothing = compared.c, cast(null(), Integer)
    query = select(one.kind, one.id, one.cosine, cast(null(), Double).label("most"), nothing.label("e"), nothing)
    query = query.where(one.kind == kind.value)
    if since is not None:
        query = query.where(or_(one.at.is_(None), one.at >= since))
    return query.order_by(one.cosine.desc(), one.id).limit(limit).subquery()


def _bounds(here: CTE, compared: CTE) -> Select[Any]:
    """Of each kind within reach the bounds of its cosines, and how many documents there are."""
    one = compared.c
    cosines = (
        select(
            one.kind, func.min(one.cosine).label("least"), func.max(one.cosine).label("most"), func.count().label("n")
        )
        .group_by(one.kind)
        .subquery()
    )
    sizes = select(here.c.kind, func.count().label("n")).group_by(here.c.kind).subquery()
    return select(
        sizes.c.kind,
        cast(null(), Uuid),
        cosines.c.least,
        cosines.c.most,
        cast(func.coalesce(cosines.c.n, 0), Integer),
        cast(sizes.c.n, Integer),
    ).outerjoin_from(sizes, cosines, cosines.c.kind == sizes.c.kind)
