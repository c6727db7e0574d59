"""What was said around messages: their neighbours in the conversation, as far as a reader may find them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, lateral, or_, select, true, tuple_, union_all
from sqlalchemy.orm import aliased

from app.adapters.postgres.documents import on_shelf
from app.adapters.postgres.models import DocumentRow
from app.domain.ground import Said
from app.domain.past import Moment
from app.domain.search import SPOKEN, DocumentKind, Shelf


def around_of(messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int, moment: Moment) -> Select[Any]:
    """Rows of the message about which it is, and of what stands beside it; each message is beside itself."""
    here, beside = aliased(DocumentRow), aliased(DocumentRow)
    spoken = [shelf for shelf in shelves if shelf.kinds.intersection(SPOKEN)]
    readable = or_(*(and_(*on_shelf(beside, shelf, moment)) for shelf in spoken))
    place, other = tuple_(here.at, here.id), tuple_(beside.at, beside.id)
    since = _beside(here, beside, readable, other >= place, reach + 1, beside.at, beside.id)
    before = _beside(here, beside, readable, other < place, reach, beside.at.desc(), beside.id.desc())
    near = lateral(union_all(since, before)).alias("near")
    return (
        select(here.id.label("about"), *near.c)
        .select_from(here)
        .join(near, true())
        .where(here.id.in_(messages), here.kind.in_(SPOKEN))
    )


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
    said: dict[UUID, Said] = {}
    windows: dict[UUID, list[UUID]] = {}
    for about, message, kind, conversation, author, *rest in rows:
        said[message] = Said(message, conversation, author, kind == DocumentKind.REPLY, *rest)
        windows.setdefault(about, []).append(message)
    follows: dict[UUID, UUID] = {}
    there: set[UUID] = set()
    for about, window in windows.items():
        if about in window:
            there |= set(window)
            follows |= pairwise(sorted(window, key=lambda one: (said[one].at, one)))
    strips: list[list[Said]] = []
    for one in sorted((said[each] for each in there), key=lambda each: (each.conversation, each.at, each.id)):
        if strips and follows.get(strips[-1][-1].id) == one.id:
            strips[-1].append(one)
        else:
            strips.append([one])
    return strips
