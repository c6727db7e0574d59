"""What was said around messages: their neighbours in the conversation, as far as a reader may find them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, lateral, or_, select, true, tuple_, union_all
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased

from app.adapters.postgres.arrays import one_of_bound
from app.adapters.postgres.documents import Shape, on_shelf
from app.adapters.postgres.models import DocumentRow
from app.domain.ground import Said
from app.domain.search import SPOKEN, DocumentKind

_SPOKEN = [kind.value for kind in SPOKEN]


@lru_cache(maxsize=256)
def around_of(shape: Shape, reach: int) -> Select[Any]:
    """The messages bound as `:messages` and what stands beside them, each once, with the one before it: null where that
    is beside none of them.
    """
    here, beside = aliased(DocumentRow), aliased(DocumentRow)
    place, other = tuple_(here.at, here.id), tuple_(beside.at, beside.id)
    readable = _readable(beside, shape)
    since = _beside(here, beside, readable, other >= place, reach + 1, beside.at, beside.id)
    before = _beside(here, beside, readable, other < place, reach, beside.at.desc(), beside.id.desc())
    near = union_all(since, before).subquery()
    previous = func.lag(near.c.id).over(order_by=(near.c.at, near.c.id)).label("previous")
    window = lateral(select(previous, *near.c)).alias("window")
    theirs = one_of_bound(here.id, "messages"), here.kind.in_(_SPOKEN), _readable(here, shape)
    query = select(*window.c).select_from(here).join(window, true()).where(*theirs)
    return query.ext(distinct_on(window.c.id)).order_by(window.c.id, window.c.previous.nulls_last())


def _readable(row: type[DocumentRow], shape: Shape) -> ColumnElement[bool]:
    return or_(*(and_(*on_shelf(row, shape, place)) for place in range(len(shape.shelves))))


def _beside(
    here: type[DocumentRow],
    beside: type[DocumentRow],
    readable: ColumnElement[bool],
    where: ColumnElement[bool],
    limit: int,
    *order: Any,
) -> Select[Any]:
    whose = (beside.id, beside.kind, beside.conversation_id, beside.user_id)
    query = select(*whose, beside.at, beside.marks, beside.length, beside.disowned)
    query = query.where(beside.conversation_id == here.conversation_id, where, readable)
    return select(query.order_by(*order).limit(limit).correlate(here).subquery())


def strips_of(rows: Iterable[Any]) -> list[list[Said]]:
    """The rows of `around_of` as what was said one after the other."""
    previous: dict[Any, Any] = {}
    said: list[Said] = []
    for before, message, kind, conversation, author, *rest in rows:
        previous[message] = before
        said.append(Said(message, conversation, author, kind == DocumentKind.REPLY, *rest))
    strips: list[list[Said]] = []
    for one in sorted(said, key=lambda each: (each.conversation, each.at, each.id)):
        if strips and previous[one.id] == strips[-1][-1].id:
            strips[-1].append(one)
        else:
            strips.append([one])
    return strips
