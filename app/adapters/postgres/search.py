"""The search index in Postgres: documents and postings, narrowed to a reader's shelves before a term is looked at."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    CTE,
    Integer,
    Select,
    Text,
    Uuid,
    and_,
    cast,
    delete,
    func,
    literal,
    null,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, array

from app.adapters.postgres.around import around_of, strips_of
from app.adapters.postgres.arrays import one_of_bound
from app.adapters.postgres.documents import Shape, bound, names_of, shape_of, shelf_name, since, within
from app.adapters.postgres.models import DocumentRow, PostingRow, VectorRow
from app.adapters.postgres.session import TenantSession
from app.adapters.text.snowball import SNOWBALL
from app.adapters.text.weighing import weighed
from app.domain.bm25 import Collection, Posting
from app.domain.ground import Said
from app.domain.past import PRESENT, Moment
from app.domain.search import SPOKEN, Document, DocumentKind, Shelf, terms_of
from app.domain.subjects import UserSubject, user_of
from app.domain.terms import HEAD, question
from app.ports.search import Found

_ROW = DocumentRow
_LABEL = func.coalesce(_ROW.conversation_id, _ROW.label).label("label")
"""Where it was said; of what was not said in a conversation, its label. No kind of document has both."""
_COLUMNS: tuple[Any, ...] = (_ROW.kind, _ROW.id, _ROW.length, _LABEL, _ROW.at)
_PLACES = ARRAY(Integer)
MOST_PLACES: Final = 6
"""Places of a term that are told of a document, the first ones."""


class PostgresSearch:
    """The index of the scope's organisation."""

    weigh = staticmethod(weighed)

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def look_up(
        self, asked: str, shelves: Sequence[Shelf], since: datetime | None = None, moment: Moment = PRESENT
    ) -> Found:
        words = question(asked, SNOWBALL)
        if not words or not shelves:
            return Found(words)
        query = _looked_up(shape_of(shelves, moment), since is not None)
        terms = sorted(frozenset().union(*words))
        given = {"names": names_of(shelves), "terms": terms, "since": since, **bound(shelves, moment)}
        rows = (await self._session.execute(query, given)).all()
        return _found(words, rows)

    async def around(
        self, messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int, moment: Moment = PRESENT
    ) -> list[list[Said]]:
        spoken = [shelf for shelf in shelves if shelf.kinds.intersection(SPOKEN)]
        if not messages or not spoken:
            return []
        query = around_of(shape_of(spoken, moment), reach)
        given = {"messages": list(messages), **bound(spoken, moment)}
        return strips_of((await self._session.execute(query, given)).all())

    async def index(self, documents: Sequence[Document]) -> None:
        if not documents:
            return
        told = [terms_of(document, SNOWBALL) for document in documents]
        rows = [_row(document, len(terms)) for document, terms in zip(documents, told, strict=True)]
        await self._session.execute(self._session.insertion(DocumentRow, rows))
        held = [row for document, terms in zip(documents, told, strict=True) for row in _postings(document, terms)]
        if held:
            await self._session.execute(self._session.insertion(PostingRow, held))

    async def unindex(self, kind: DocumentKind, ids: Sequence[UUID]) -> None:
        if not ids:
            return
        held = PostingRow.kind == kind, PostingRow.document.in_(ids)
        await self._session.execute(delete(PostingRow).where(*held))
        await self._forget_beside(kind, ids)
        if self._session.vectors_gone is not None:
            theirs = VectorRow.kind == kind, VectorRow.document.in_(ids)
            gone = await self._session.execute(delete(VectorRow).where(*theirs).returning(VectorRow.part))
            self._session.vectors_gone += len(gone.all())
        await self._session.execute(delete(DocumentRow).where(DocumentRow.kind == kind, DocumentRow.id.in_(ids)))

    async def _forget_beside(self, kind: DocumentKind, ids: Sequence[UUID]) -> None:
        """Vectors for which the words of these were read along are made anew without them."""
        if kind not in SPOKEN:
            return
        beside = VectorRow.beside_kind == kind, VectorRow.beside.in_(ids)
        gone = (await self._session.execute(delete(VectorRow).where(*beside).returning(VectorRow.document))).scalars()
        if behind := set(gone):
            theirs = DocumentRow.kind.in_(SPOKEN), DocumentRow.id.in_(behind)
            await self._session.execute(update(DocumentRow).where(*theirs).values(embedded=""))

    async def unindex_before(self, kind: DocumentKind, bound: UUID) -> None:
        await self._session.execute(delete(PostingRow).where(PostingRow.kind == kind, PostingRow.document < bound))
        await self._session.execute(delete(DocumentRow).where(DocumentRow.kind == kind, DocumentRow.id < bound))

    async def move(self, kinds: Sequence[DocumentKind], user_id: str, heir: str, store_id: str | None) -> None:
        old, new = shelf_name(UserSubject(user_id)), shelf_name(UserSubject(heir))
        moved = {"shelf": new, "user_id": heir, "store_id": func.coalesce(DocumentRow.store_id, store_id)}
        there = DocumentRow.shelf == old, DocumentRow.kind.in_(kinds)
        await self._session.execute(update(DocumentRow).where(*there).values(moved))
        held = PostingRow.shelf == old, PostingRow.kind.in_(kinds)
        await self._session.execute(update(PostingRow).where(*held).values(shelf=new))
        compared = VectorRow.shelf == old, VectorRow.kind.in_(kinds)
        await self._session.execute(update(VectorRow).where(*compared).values(shelf=new))

    async def disowned(self, message_ids: Sequence[UUID]) -> list[UUID]:
        those = DocumentRow.kind == DocumentKind.MESSAGE, DocumentRow.id.in_(message_ids), DocumentRow.disowned
        return list((await self._session.execute(select(DocumentRow.id).where(*those))).scalars())

    async def disown(self, message_ids: Sequence[UUID]) -> None:
        those = DocumentRow.kind == DocumentKind.MESSAGE, DocumentRow.id.in_(message_ids)
        disowned = update(DocumentRow).where(*those).values(disowned=True).returning(DocumentRow.user_id)
        whose = (await self._session.execute(disowned)).scalars()
        self._session.touch(*(UserSubject(user_id) for user_id in whose if user_id is not None))


def _row(document: Document, length: int) -> dict[str, Any]:
    return {
        "kind": document.kind.value,
        "id": document.id,
        "shelf": shelf_name(document.subject),
        "user_id": user_of(document.subject),
        "store_id": document.store_id,
        "agent_id": document.agent_id,
        "label": document.label,
        "public": document.public,
        "disowned": False,
        "length": length,
        "at": document.at,
        "recorded_at": document.recorded_at,
        "conversation_id": document.conversation_id,
        "marks": document.marks,
    }


def _postings(document: Document, terms: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row for each term of the document, with its places."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms):
        places.setdefault(term, []).append(place)
    what = {"shelf": shelf_name(document.subject), "kind": document.kind.value, "document": document.id}
    for term, held in places.items():
        yield {**what, "term": term, "places": held}


@lru_cache(maxsize=256)
def _looked_up(shape: Shape, late: bool) -> Any:
    """Rows as `_counted` and `_held` answer them, on the shelves of that shape."""
    here = union_all(*within(shape, *_COLUMNS)).cte("within")
    return union_all(_counted(here), _held(here, late))


def _counted(documents: CTE) -> Select[Any]:
    """How many documents of each kind there are, how long they and their heads are together, of how many labels."""
    here = documents.c
    length, size = cast(func.sum(here.length), Integer), cast(func.count(), Integer)
    heads, labels = func.sum(func.least(here.length, HEAD)), func.count(here.label.distinct())
    nothing = (cast(null(), Text), cast(null(), Uuid))
    told = (literal("").label("label"), cast(array([heads, labels]), _PLACES).label("places"))
    return select(here.kind, *nothing, length, size, *told).group_by(here.kind)


def _held(documents: CTE, late: bool) -> Select[Any]:
    """Which of them hold which of `:terms`, how often, and where first; `late`: none that were said before `:since`.

    `:names` are those of the shelves.
    """
    here, row = documents.c, PostingRow
    count, first = func.cardinality(row.places).label("count"), cast(row.places[1:MOST_PLACES], _PLACES).label("first")
    there = one_of_bound(row.shelf, "names"), one_of_bound(row.term, "terms")
    held = select(row.kind, row.document, row.term, count, first).where(*there).subquery("held")
    found = held.c
    # In full, as in `nearest_of`: what comes without a term, or is not within reach, goes afterwards.
    both = (
        select(here.kind, found.term, here.id, here.length, found["count"], here.label, found.first, here.at)
        .outerjoin_from(documents, held, and_(found.kind == here.kind, found.document == here.id), full=True)
        .cte("both")
        .prefix_with("materialized")
    )
    one = both.c
    query = select(one.kind, one.term, one.id, one.length, one["count"], one.label, one.first)
    query = query.where(one.id.is_not(None), one.term.is_not(None))
    return query.where(since(one.at)) if late else query


def _found(words: Sequence[frozenset[str]], rows: Iterable[Any]) -> Found:
    """`rows` as `_counted` and `_held` answer them: kind, term, document, length, count, label, places."""
    sizes: dict[DocumentKind, tuple[int, int, int, int]] = {}
    postings: dict[DocumentKind, dict[str, list[Posting]]] = {kind: {} for kind in DocumentKind}
    labels: dict[UUID, str] = {}
    for kind, term, document, length, count, label, places in rows:
        if document is None:
            sizes[DocumentKind(kind)] = (count, length, *places)
            continue
        said = kind in SPOKEN
        posting = Posting(document, count, length, tuple(places), label if said else "")
        postings[DocumentKind(kind)].setdefault(term, []).append(posting)
        if label and not said:
            labels[document] = label
    collections = {kind: Collection(*size, postings[kind]) for kind, size in sizes.items()}
    return Found(words, collections, labels)
