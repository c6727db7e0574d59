"""How near documents are to a question: every vector within reach is compared, so none of another reader can matter."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
    question: str, space: str, shelves: Sequence[Shelf], most: int, since: datetime | None, moment: Moment
) -> Any:
    """Rows of kind, document, label, cosine: of each kind the nearest `most` parts, in order. Before them, of each
    kind, a row without document: least, most, embedded, documents.
    """
    row = DocumentRow
    here = union_all(*(within(shelf, moment, row.kind, row.id, row.at, row.label) for shelf in shelves)).subquery(
        "within"
    )
    parts = _parts(question, space, {name for shelf in shelves for name in map(shelf_name, shelf.subjects)})
    one, part = here.c, parts.c
    compared = (
        select(one.kind, one.id, one.at, one.label, part.part, part.cosine)
        .outerjoin_from(here, parts, and_(part.kind == one.kind, part.document == one.id))
        .cte("compared")
        .prefix_with("materialized")
    )
    kinds = sorted(frozenset[DocumentKind]().union(*(shelf.kinds for shelf in shelves)))
    return union_all(_bounds(compared), *(select(_best(compared, kind, most, since)) for kind in kinds))


def _parts(question: str, space: str, shelves: Collection[str]) -> CTE:
    """Each vector on these shelves by its cosine: what is joined and sorted from here on is as short as a number."""
    asked, row = _asked(question), VectorRow
    query = select(row.kind, row.document, row.part, _cosine(asked).label("cosine")).join(asked, true())
    there = row.shelf.in_(sorted(shelves)), row.model == space
    return query.where(*there).cte("parts").prefix_with("materialized")


def cosines_of(question: str, space: str, places: Collection[Place]) -> Select[Any]:
    """Rows of kind, document, cosine. Ids alone are looked for; two kinds hardly share one."""
    asked, row = _asked(question), VectorRow
    kinds, ids = {kind.value for kind, _ in places}, [id for _, id in places]
    columns: tuple[Any, ...] = (row.kind, row.document, func.max(_cosine(asked)))
    query = select(*columns).join(asked, true())
    there = row.kind.in_(kinds), row.document.in_(ids), row.model == space
    return query.where(*there).group_by(row.kind, row.document)


def told(rows: Sequence[Any], limit: int) -> Mapping[DocumentKind, Nearness]:
    """What the rows of `nearest_of` say: a document is as near as its nearest part."""
    cosines: dict[str, dict[UUID, float]] = {}
    labels: dict[str, dict[UUID, str]] = {}
    for kind, document, label, cosine, *_ in sorted(_of_documents(rows), key=lambda row: (-row[3], row[1])):
        held = cosines.setdefault(kind, {})
        if len(held) < limit:
            held.setdefault(document, cosine)
            labels.setdefault(kind, {})[document] = label
    return {
        DocumentKind(kind): Nearness(
            cosines=cosines.get(kind, {}),
            least=least or 0.0,
            most=most or 0.0,
            embedded=embedded,
            documents=documents,
            labels=labels.get(kind, {}),
        )
        for kind, document, _, least, most, embedded, documents in rows
        if document is None
    }


def crowded_out(rows: Sequence[Any], near: Mapping[DocumentKind, Nearness], limit: int, most: int) -> bool:
    """Whether documents of many parts may have left no room for others that are among the nearest `limit`."""
    parts = Counter(row[0] for row in _of_documents(rows))
    return any(parts[kind] == most and len(each.cosines) < limit for kind, each in near.items())


def _of_documents(rows: Iterable[Any]) -> Iterator[Any]:
    return (row for row in rows if row[1] is not None)


def _asked(question: str) -> CTE:
    """The question's vector, cast once: the same expression beside each row would be cast for each."""
    return select(literal(question, HalfVec).label("embedding")).cte("asked").prefix_with("materialized")


def _cosine(asked: CTE) -> ColumnElement[float]:
    return literal(1.0, Double) - VectorRow.embedding.op("<=>", return_type=Double())(asked.c.embedding)


def _best(compared: CTE, kind: DocumentKind, most: int, since: datetime | None) -> Subquery:
    one, nothing = compared.c, cast(null(), Integer)
    query = select(
        one.kind, one.id, one.label, one.cosine, cast(null(), Double).label("most"), nothing.label("e"), nothing
    )
    query = query.where(one.kind == kind.value, one.cosine.is_not(None))
    if since is not None:
        query = query.where(or_(one.at.is_(None), one.at >= since))
    return query.order_by(one.cosine.desc(), one.id).limit(most).subquery()


def _bounds(compared: CTE) -> Select[Any]:
    """Of each kind within reach the bounds of its cosines, and how many documents there are."""
    one = compared.c
    first = one.part == 0
    columns: tuple[Any, ...] = (
        one.kind,
        cast(null(), Uuid),
        literal("").label("label"),
        func.min(one.cosine),
        func.max(one.cosine),
        cast(func.count().filter(first), Integer),
        cast(func.count().filter(or_(first, one.part.is_(None))), Integer),
    )
    return select(*columns).group_by(one.kind)
