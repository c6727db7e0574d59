"""An index made for one question: of documents that are at hand, read anew."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from app.adapters.text.snowball import SNOWBALL
from app.domain.bm25 import Collection, Posting
from app.domain.search import Document, DocumentKind, terms_of
from app.domain.terms import HEAD, question
from app.ports.search import Found


def weighed(asked: str, documents: Sequence[Document], since: datetime | None = None) -> Found:
    """The postings of the question's words in these documents; `since` leaves out those, not the count, of earlier."""
    words = question(asked, SNOWBALL)
    if not words:
        return Found(words)
    terms = frozenset[str]().union(*words)
    sizes: dict[DocumentKind, tuple[int, int, int]] = {}
    conversations: dict[DocumentKind, set[str]] = {}
    postings: dict[DocumentKind, dict[str, list[Posting]]] = {}
    labels: dict[UUID, str] = {}
    for document in documents:
        held = terms_of(document, SNOWBALL)
        size, length, heads = sizes.get(document.kind, (0, 0, 0))
        sizes[document.kind] = size + 1, length + len(held), heads + min(len(held), HEAD)
        said_in = document.conversation_id or ""
        conversations.setdefault(document.kind, set()).add(said_in)
        if since is not None and document.at is not None and document.at < since:
            continue
        for term in terms.intersection(held):
            places = tuple(place for place, each in enumerate(held) if each == term)
            posting = Posting(document.id, len(places), len(held), places, said_in)
            postings.setdefault(document.kind, {}).setdefault(term, []).append(posting)
            if document.label:
                labels[document.id] = document.label
    collections = {
        kind: Collection(*size, len(conversations[kind]), postings.get(kind, {})) for kind, size in sizes.items()
    }
    return Found(words, collections, labels)
