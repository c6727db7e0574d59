"""Contradictions, as the folds left them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from app.domain.contradictions import Contradiction, Standing
from app.domain.subjects import KeyRef, Scope
from app.ports.paging import Page, PageRequest


@dataclass(frozen=True, slots=True)
class ContradictionFilter:
    """Which contradictions to list; None leaves a thing open. `stores` and `agents` are a key's limits.

    What is about people is left out, but for that of `reader`, and with `contacts` that of everybody without a role.
    """

    standing: Standing | None = None
    scope: Scope | None = None
    store_id: str | None = None
    user_id: str | None = None
    key: str | None = None
    reader: str | None = None
    contacts: bool = False
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None


class Contradictions(Protocol):
    """The contradictions of the scope's organisation."""

    async def save(self, ref: KeyRef, contradictions: Sequence[Contradiction]) -> None:
        """These are the key's contradictions, and no others. The caller holds the key."""
        ...

    async def get(self, contradiction_id: UUID) -> Contradiction | None: ...

    async def page(self, wanted: ContradictionFilter, request: PageRequest) -> Page[Contradiction]:
        """In order of `opened_at` and id, newest first."""
        ...
