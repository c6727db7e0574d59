"""Memory as of another time, read through the same door as the present: what an answer asks of a unit of work."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.domain.candidates import shown, stated
from app.domain.crossing import crossed
from app.domain.embedding import Vector
from app.domain.errors import BadRequest
from app.domain.facts import Fact
from app.domain.ground import Said
from app.domain.observations import FactCategory
from app.domain.past import Moment, recalled
from app.domain.search import DocumentKind, Shelf, fact_document
from app.domain.sources import Entry, MessageRef, Source
from app.domain.subjects import KeyRef, Subject, UserSubject
from app.ports.facts import FactRecord
from app.ports.messages import Messages
from app.ports.observations import Observations
from app.ports.organisations import Organisations, People
from app.ports.past import View
from app.ports.search import Found
from app.ports.storage import UnitOfWork
from app.ports.vectors import Nearness
from app.services.folds import tiers_of

MOST_ENTRIES = 5_000
"""Of the keys within reach, that one answer folds; where there are more it is refused rather than guessed."""


def view(uow: UnitOfWork, moment: Moment) -> View:
    """What an answer reads: the present as it is kept, or the past, folded anew."""
    return uow if moment.is_present else Past(uow, moment)


class Past:
    """What was believed and could be found as of a moment, within one transaction. Who may read it is decided today.

    A session that went on after `known_at` shows what it showed in the end; what was erased, or deleted for its age,
    since then is not there; what came with an address that was linked since is the person's from the start. Raises
    BadRequest `time_travel_unsupported` where more than `most` entries would have to be folded.
    """

    def __init__(self, uow: UnitOfWork, moment: Moment, most: int = MOST_ENTRIES) -> None:
        self.organisations: Organisations = uow.organisations
        self.people: People = uow.people
        self.messages: Messages = uow.messages
        self.observations: Observations = uow.observations
        self.facts = _PastFacts(uow, moment, most)
        self.sources = _PastSources(uow, moment)
        self.search = _PastSearch(uow, moment, self.facts)
        self.vectors = _PastVectors(uow, moment)


class _PastFacts:
    """`Beliefs` of then. What is about a subject is read once."""

    def __init__(self, uow: UnitOfWork, moment: Moment, most: int) -> None:
        self._uow = uow
        self._moment = moment
        self._left = most
        self._read: dict[tuple[Subject, tuple[str, ...]], list[Fact]] = {}

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        return [fact for subject in subjects for fact in stated(await self.about(subject, agents), agents, limit)]

    async def behaviour(
        self, user_id: str, agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
    ) -> list[FactRecord]:
        rows = await self.about(UserSubject(user_id), agents)
        return [FactRecord(fact, fact.last_reinforced_at, 0) for fact in shown(rows, agents, limit, categories)]

    async def across(self, subjects: Sequence[Subject], agents: Sequence[str], keys: Collection[str]) -> list[Fact]:
        rows = [fact for subject in subjects for fact in await self.about(subject, agents)]
        return [fact for fact in rows if fact.ref.key in keys]

    async def of_keys(self, refs: Sequence[KeyRef]) -> list[Fact]:
        return await recalled_of(self._uow, await entries_of(self._uow, refs), refs, self._moment)

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        found: list[Fact] = []
        for kind in {subject.scope for subject in subjects}:
            named = [await self._uow.past.key_of(kind, fact_id) for fact_id in dict.fromkeys(fact_ids)]
            rows = await self.of_keys([ref for ref in named if ref is not None and ref.subject in subjects])
            found += [row for row in rows if row.live and row.id in fact_ids]
        return found

    async def about(self, subject: Subject, agents: Sequence[str]) -> list[Fact]:
        """Every row of the subject's keys in these pockets, believed or not."""
        place = subject, tuple(agents)
        if place not in self._read:
            entries = await self._uow.past.about(subject, agents, self._left + 1)
            self._left -= sum(map(len, entries.values()))
            if self._left < 0:
                raise unsupported("More is remembered here than is read as of another time.")
            tiers = await tiers_of(self._uow)
            # Folding many keys takes long enough to be felt by others: not on the loop.
            self._read[place] = await asyncio.to_thread(recalled, entries, self._moment, tiers)
        return self._read[place]


class _PastSources:
    """`Statements` of then."""

    def __init__(self, uow: UnitOfWork, moment: Moment) -> None:
        self._uow = uow
        self._moment = moment

    async def stated_by(self, messages: Sequence[MessageRef]) -> list[tuple[KeyRef, Source]]:
        said = await self._uow.sources.stated_by(messages)
        return [(ref, source) for ref, source in said if self._moment.knows(source.recorded_at)]


class _PastSearch:
    """`Finder` of then: messages and observations by the index, facts by an index of the rows of then."""

    def __init__(self, uow: UnitOfWork, moment: Moment, facts: _PastFacts) -> None:
        self._uow = uow
        self._moment = moment
        self._facts = facts

    async def look_up(self, question: str, shelves: Sequence[Shelf], since: datetime | None = None) -> Found:
        found = await self._uow.search.look_up(question, _said(shelves), since, self._moment)
        believed = [shelf for shelf in shelves if DocumentKind.FACT in shelf.kinds]
        places = [(subject, shelf.agents) for shelf in believed for subject in shelf.subjects]
        rows = [fact for place in places for fact in await self._facts.about(*place)]
        documents = [fact_document(fact) for fact in rows]
        known = self._uow.search.weigh(
            question, [each for each in documents if any(shelf.holds(each) for shelf in believed)]
        )
        return replace(
            found,
            collections={**found.collections, **known.collections},
            labels={**found.labels, **known.labels},
        )

    async def around(self, messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int) -> list[list[Said]]:
        return await self._uow.search.around(messages, shelves, reach, self._moment)


class _PastVectors:
    """`Nearer` of then: of messages and observations. The rows of then have no vectors."""

    def __init__(self, uow: UnitOfWork, moment: Moment) -> None:
        self._uow = uow
        self._moment = moment

    async def nearest(
        self, question: Vector, space: str, shelves: Sequence[Shelf], limit: int, since: datetime | None = None
    ) -> Mapping[DocumentKind, Nearness]:
        return await self._uow.vectors.nearest(question, space, _said(shelves), limit, since, self._moment)

    async def cosines(
        self, question: Vector, space: str, kinds: Collection[DocumentKind], ids: Collection[UUID]
    ) -> Mapping[UUID, float]:
        return await self._uow.vectors.cosines(question, space, kinds, ids)


def _said(shelves: Sequence[Shelf]) -> list[Shelf]:
    """The shelves without their facts."""
    kinds = frozenset(DocumentKind) - {DocumentKind.FACT}
    return [replace(shelf, kinds=shelf.kinds & kinds) for shelf in shelves if shelf.kinds & kinds]


async def entries_of(uow: UnitOfWork, refs: Collection[KeyRef]) -> Mapping[KeyRef, Sequence[Entry]]:
    """The entries of these keys, which are of one scope, of those that were ever merged into one of them, and of those
    that oppose one.
    """
    found = await uow.past.of({*refs, *await uow.past.merged_into(refs)})
    opposing = {ref for place, told in found.items() for ref in crossed(place, told)} - found.keys()
    return {**found, **await uow.past.of(opposing)} if opposing else found


async def recalled_of(
    uow: UnitOfWork, entries: Mapping[KeyRef, Sequence[Entry]], refs: Collection[KeyRef], moment: Moment
) -> list[Fact]:
    """The rows of these of the keys."""
    wanted = set(refs)
    return [row for row in recalled(entries, moment, await tiers_of(uow)) if row.ref in wanted]


def unsupported(detail: str) -> BadRequest:
    """The refusal where the past cannot be told."""
    return BadRequest("time_travel_unsupported", detail)
