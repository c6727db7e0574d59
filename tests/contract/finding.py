"""Short ways to look into the search index."""

from collections.abc import Sequence
from typing import Any

from app.domain.search import DocumentKind, Shelf
from app.domain.subjects import StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.search import Found
from app.ports.storage import Storage
from tests.unit.memories import COMPANY, ME, SHOP

BOB = UserSubject("bob")


def shelf(*subjects: Subject, kinds: Sequence[DocumentKind] = tuple(DocumentKind), **limits: Any) -> Shelf:
    return Shelf(subjects, frozenset(kinds), (ATLAS,), **limits)


EVERYTHING = shelf(COMPANY, SHOP, StoreSubject("shop2"), ME, BOB)


async def look_up(storage: Storage, scope: TenantScope, asked: str, *shelves: Shelf, **more: Any) -> Found:
    async with storage.transaction(scope) as uow:
        return await uow.search.look_up(asked, shelves or [EVERYTHING], **more)


async def found(storage: Storage, scope: TenantScope, asked: str, *shelves: Shelf, **more: Any) -> list[int]:
    """The numbers of the documents that hold a word of the question."""
    answer = await look_up(storage, scope, asked, *shelves, **more)
    held = {one.document for each in answer.collections.values() for some in each.postings.values() for one in some}
    return sorted(document.int for document in held)
