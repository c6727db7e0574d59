"""Facts and the entries they are folded from, as kept."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.sources import Audience, Decision, Entry, MessageRef, Source
from app.domain.subjects import KeyRef, Scope, Subject
from app.ports.paging import Page, PageRequest


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A fact with what only the store knows of it: when its row last changed, how often (its version), when it was last
    served or read, which changes neither, and when it was compared with what is near it.
    """

    fact: Fact
    updated_at: datetime
    version: int
    last_seen_at: datetime | None = None
    compared_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts of one scope to list; None leaves a thing open. `stores` are a key's limits.

    `min_score` compares scores at `now`; `archived` None lists live ones and archived ones.
    """

    scope: Scope
    now: datetime
    subject: Subject | None = None
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    contacts_only: bool = False
    category: str | None = None
    agent_id: str | None = None
    tag: str | None = None
    key_prefix: str | None = None
    min_score: float | None = None
    archived: bool | None = False
    pinned: bool | None = None
    contradicted: bool | None = None
    audience: Audience | None = None
    text: str | None = None

    def admits(self, fact: Fact) -> bool:
        """Whether the fact is what is asked for; says nothing of whom it is about, nor of limits."""
        asked = (
            (self.archived, not fact.live),
            (self.category, fact.traits.category),
            (self.agent_id, fact.ref.agent_id),
            (self.pinned, fact.pinned),
            (self.contradicted, fact.contradicted),
            (self.audience, fact.traits.audience),
        )
        return (
            all(value is None or value == held for value, held in asked)
            and (self.tag is None or self.tag in fact.traits.tags)
            and fact.ref.key.startswith(self.key_prefix or "")
            and (self.text or "").lower() in fact.content.lower()
            and (self.min_score is None or fact.score(self.now) >= self.min_score)
        )


class Facts(Protocol):
    """The rows of the three fact tables. They are written by `apply` alone, from a fold."""

    async def lock(self, refs: Sequence[KeyRef]) -> None:
        """Holds these keys until the transaction ends, so that folds of one key happen one after the other."""
        ...

    async def of_key(self, ref: KeyRef) -> list[Fact]: ...

    async def of_keys(self, refs: Sequence[KeyRef]) -> list[Fact]:
        """The rows of these keys, which are of one subject; those of a key in the order of `of_key`."""
        ...

    async def get(self, scope: Scope, fact_id: UUID) -> FactRecord | None: ...

    async def records(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[FactRecord]:
        """Those of these facts that are there, in no order."""
        ...

    async def merged_into(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[Fact]:
        """The rows that were merged into one of these."""
        ...

    async def page(self, wanted: FactFilter, request: PageRequest) -> Page[FactRecord]:
        """In order of id, newest first."""
        ...

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        """The live rows of these subjects and pockets: the pinned ones, of each tier the `limit` strongest, and of
        those with a half-life of their own the `limit` that take longest to fade. What sessions show is not among them.
        """
        ...

    async def behaviour(
        self, user_id: str, agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
    ) -> list[FactRecord]:
        """What sessions show of the person in these pockets and is live: the pinned, and of each pocket and category
        the `limit` strongest, by rank.
        """
        ...

    async def faded_behaviour(self, user_id: str, now: datetime, limit: int) -> list[Fact]:
        """At most `limit` rows of what sessions showed of the person and is under its line, archived ones too."""
        ...

    async def people_with_faded_behaviour(self, now: datetime, limit: int, after: str | None = None) -> list[str]:
        """At most `limit` people who have such rows, in order of id, behind `after`."""
        ...

    async def across(self, subjects: Sequence[Subject], agents: Sequence[str], keys: Collection[str]) -> list[Fact]:
        """All rows of these keys, believed or not, of these subjects and pockets."""
        ...

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        """The live rows of these ids that belong to one of the subjects."""
        ...

    async def apply(self, changed: Sequence[Change], now: datetime) -> None:
        """Brings the tables to the state after the changes."""
        ...

    async def stamp(self, records: Sequence[FactRecord]) -> None:
        """These rows, which this transaction made, are as old and as often changed, seen and compared as told here."""
        ...

    def everything(self, wanted: FactFilter) -> AsyncIterator[FactRecord]:
        """All rows of the filter in order of id, without holding them in memory."""
        ...


class Sources(Protocol):
    """The entries of the folds."""

    async def add(self, ref: KeyRef, source: Source) -> bool:
        """False, with nothing changed, when this message already states this value for this key."""
        ...

    async def begin(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        """Stores the first sources of keys that nobody has used, in one statement."""
        ...

    async def decide(self, ref: KeyRef, decision: Decision) -> None: ...

    async def restore(self, entries: Sequence[tuple[KeyRef, Entry]]) -> frozenset[UUID]:
        """Stores those that are not there, nor another by the same message or session; answers the ids of these."""
        ...

    async def entries(self, ref: KeyRef) -> list[Entry]: ...

    async def entries_of(self, refs: Sequence[KeyRef]) -> dict[KeyRef, list[Entry]]:
        """The entries of these keys, which are of one subject; a key without any has none."""
        ...

    async def save(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        """Keeps what sessions show; a source that is there already, by id, as it now is. The caller holds the keys.

        Raises Conflict when another source of the same key and session is there.
        """
        ...

    async def refs_of(self, messages: Sequence[MessageRef]) -> list[KeyRef]:
        """The keys that these messages state something for."""
        ...

    async def stated_by(self, messages: Sequence[MessageRef]) -> list[tuple[KeyRef, Source]]:
        """What these messages state, and for which keys."""
        ...

    async def messages_of(self, source_ids: Sequence[UUID]) -> list[MessageRef]:
        """The messages that these sources are."""
        ...

    async def refs_said_by(self, user_id: str) -> list[KeyRef]:
        """The shared keys (of the organisation or a store) for which this person stated something, or amended it."""
        ...

    async def refs_about(self, user_id: str) -> list[KeyRef]:
        """The keys that are about this person."""
        ...

    async def reassign(self, user_id: str, heir: str) -> None:
        """What is about the first is about the second then, and what the first said is said by the second."""
        ...

    async def forget(self, source_ids: Sequence[UUID]) -> None:
        """Forgets these sources, whatever their keys, and the decisions about rows named by them."""
        ...

    async def remove(self, ref: KeyRef, source_ids: Sequence[UUID]) -> None:
        """Forgets these sources, and the decisions about rows named by them."""
        ...

    async def crossing(self, agent_id: str, fact_ids: Collection[UUID]) -> list[tuple[KeyRef, Decision]]:
        """The decisions of this pocket by which one of these rows has overtaken, or opposes, one of another key."""
        ...

    async def redirect(self, decision_id: UUID, fact_id: UUID) -> None:
        """The decision is about the row that rests on this source, from the start."""
        ...

    async def withdraw(self, decision_ids: Sequence[UUID]) -> None:
        """Forgets these decisions."""
        ...

    async def remove_messages(self, messages: Sequence[MessageRef]) -> None:
        """Forgets all that these messages state."""
        ...

    async def remove_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> list[UUID]:
        """Forgets all that this person stated for these shared keys, and how they amended their rows.

        Answers the sources that went.
        """
        ...

    async def detach_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> None:
        """What this person stated for these shared keys, or amended, is nobody's from now on, and of no message."""
        ...

    async def unsign(self, user_id: str) -> None:
        """What this person decided stays decided, by nobody."""
        ...

    async def detach_messages(self, messages: Sequence[MessageRef]) -> None:
        """What these messages state is of no message from now on, and without their words."""
        ...

    def everything(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Source]]:
        """All sources of a scope, or of one subject, in order of id, without holding them in memory."""
        ...

    def all_decisions(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Decision]]:
        """As `everything`, for the decisions."""
        ...
