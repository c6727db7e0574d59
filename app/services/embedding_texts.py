"""The texts of documents that are to be embedded, and how many at once."""

from collections.abc import Iterator, Mapping, Sequence

from app.domain.search import SPOKEN, Document, DocumentKind, fact_document, message_document, observation_document
from app.domain.subjects import Scope
from app.ports.storage import UnitOfWork
from app.ports.vectors import Stamped

SLICE = 4_000
"""Characters that are embedded at once; between two slices it is looked how late it is."""


def slices(texts: Mapping[Stamped, str]) -> Iterator[list[Stamped]]:
    """The texts a few at a time, long ones alone."""
    some, room = list[Stamped](), SLICE
    for one, text in texts.items():
        if some and len(text) > room:
            yield some
            some, room = [], SLICE
        some.append(one)
        room -= len(text)
    if some:
        yield some


async def documents(uow: UnitOfWork, seen: Sequence[Stamped]) -> dict[Stamped, Document]:
    """What these say now; those that are gone are not in it."""
    found: list[Document | None] = []
    if spoken := [one.id for one in seen if one.kind in SPOKEN]:
        found += map(message_document, await uow.messages.get(spoken))
    if observed := [one.id for one in seen if one.kind is DocumentKind.OBSERVATION]:
        found += map(observation_document, await uow.observations.get(observed))
    if believed := [one.id for one in seen if one.kind is DocumentKind.FACT]:
        for scope in Scope:
            found += [fact_document(record.fact) for record in await uow.facts.records(scope, believed)]
    said = {(each.kind, each.id): each for each in found if each is not None}
    return {one: said[one.place] for one in seen if one.place in said}
