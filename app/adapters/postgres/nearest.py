"""How near documents are to a question: every vector within reach is compared, so none of another reader can matter."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Double,
    Integer,
    Select,
    Subquery,
    Text,
    Uuid,
    and_,
    bindparam,
    cast,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)

from app.adapters.postgres.arrays import one_of_bound
from app.adapters.postgres.documents import Shape, since, within
from app.adapters.postgres.models import DocumentRow, VectorRow
from app.adapters.postgres.models.vectors import HalfVec
from app.domain.embedding import Vector
from app.domain.search import DocumentKind
from app.ports.vectors import Nearness


def written(vector: Vector) -> str:
    """A vector as pgvector reads it: five digits are more than 16 bits keep."""
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


@lru_cache(maxsize=256)
def nearest_of(shape: Shape, kinds: Sequence[DocumentKind], late: bool) -> Any:
    """Rows of kind, document, label, cosine: of each kind the nearest `:most` parts, in order. Before them, of each
    kind, a row without document: least, most, embedded, documents.

    Compared with `:question` are the vectors of `:space` on the shelves of `:names`; `late` leaves out of the nearest
    what was said before `:since`.
    """
    row = DocumentRow
    here = union_all(*within(shape, row.kind, row.id, row.at, row.label)).subquery("within")
    # In full, for that is never done row by row, whatever the planner thinks of how many there are. What is not within
    # reach comes without a kind.
    one, part = here.c, _parts().c
    compared = (
        select(one.kind, one.id, one.at, one.label, part.part, part.cosine)
        .outerjoin_from(here, _parts(), and_(part.kind == one.kind, part.document == one.id), full=True)
        .cte("compared")
        .prefix_with("materialized")
    )
    return union_all(_bounds(compared), *(select(_best(compared, kind, late)) for kind in kinds))


@cache
def _parts() -> CTE:
    """Each vector on the shelves by its cosine: what is joined and sorted from here on is as short as a number."""
    asked, row = _asked(), VectorRow
    query = select(row.kind, row.document, row.part, _cosine(asked).label("cosine")).join(asked, true())
    return query.where(one_of_bound(row.shelf, "names"), _of_space()).cte("parts").prefix_with("materialized")


@cache
def cosines_of() -> Select[Any]:
    """Rows of document, cosine: of those of `:ids` that are of `:kinds` and have vectors of `:space`."""
    asked, row = _asked(), VectorRow
    there = one_of_bound(row.kind, "kinds"), one_of_bound(row.document, "ids"), _of_space()
    columns: tuple[Any, ...] = (row.document, func.max(_cosine(asked)))
    query = select(*columns).join(asked, true())
    return query.where(*there).group_by(row.document)


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


@cache
def _asked() -> CTE:
    """The vector of `:question`, cast once: the same expression beside each row would be cast for each."""
    question = bindparam("question", type_=HalfVec)
    return select(question.label("embedding")).cte("asked").prefix_with("materialized")


def _of_space() -> ColumnElement[bool]:
    return VectorRow.model == bindparam("space", type_=Text)


def _cosine(asked: CTE) -> ColumnElement[float]:
    return literal(1.0, Double) - VectorRow.embedding.op("<=>", return_type=Double())(asked.c.embedding)


def _best(compared: CTE, kind: DocumentKind, late: bool) -> Subquery:
    one, nothing = compared.c, cast(null(), Integer)
    query = select(
        one.kind, one.id, one.label, one.cosine, cast(null(), Double).label("most"), nothing.label("e"), nothing
    )
    query = query.where(one.kind == kind.value, one.cosine.is_not(None))
    if late:
        query = query.where(since(one.at))
    return query.order_by(one.cosine.desc(), one.id).limit(bindparam("most", type_=Integer)).subquery()


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
    return select(*columns).where(one.kind.is_not(None)).group_by(one.kind)
