"""Comparing what is remembered under different keys: the same is merged, an update ends what it overtakes, and of what
cannot both hold a contradiction is opened.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import mul
from uuid import UUID

from app.domain.bm25 import shares
from app.domain.crossing import CROSSING, opposing, overtaking
from app.domain.embedding import Vector
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.kin import comparable, kin, said, wording
from app.domain.likeness import Kinship, Likeness
from app.domain.rows import shielded
from app.domain.search import DocumentKind, Shelf
from app.domain.sources import Decision, Verdict
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.embedders import Embedder, EmbeddingFailed, Tally
from app.ports.storage import Storage, UnitOfWork
from app.services.folds import Author, extend
from app.services.usage import count_embedding

AT_ONCE = 50
"""Rows that are asked for at once."""
MOST_COMPARED = 1_000
MOST_OPPOSED = 3
"""What differs in the same way from more than so many is one of a series: shelf 1, shelf 2, shelf 3."""
NEAREST = 20
"""Rows that each is compared with: the nearest by words, and by vectors."""
STRONGEST = 50
"""While some have no vectors, also so many of each tier: words do not find what was said in another language."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How many rows were looked at, merged away, ended, and opposed. `more`: it was told to stop before the end."""

    looked_at: int = 0
    merged: int = 0
    ended: int = 0
    opposed: int = 0
    more: bool = False


@dataclass(slots=True)
class _Run:
    """One going through an organisation; rows that had part in a merger have no part in another one of it."""

    scope: TenantScope
    counts: dict[Kinship, int] = field(default_factory=lambda: dict.fromkeys(Kinship, 0))
    merged: set[UUID] = field(default_factory=set)
    tally: Tally = field(default_factory=Tally)
    """What embedding cost since it was last counted."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Compares each believed row once, when it is new, with the others about the same subject in the same pocket.

    What sessions show and notes stay as they are. What was written by hand is not merged into, nor ended by, what was
    only said; what is pinned is neither. What was decided about two rows before, by whomever, is not decided again.
    """

    storage: Storage
    clock: Clock
    embedder: Embedder | None = None

    async def run(self, scope: TenantScope, go_on: Callable[[], bool] = lambda: True) -> Compared:
        """Compare what is new, `MOST_COMPARED` rows at most: what was brought in by the thousand has its turn on later
        days. `go_on` is asked between two rows. Several may be at it.

        Raises what storage raises; what was done by then stays done. While the embedder is away nothing is compared.
        """
        run, looked_at = _Run(scope), 0
        for kind in Scope:
            after = None
            while True:
                async with self.storage.transaction(scope) as uow:
                    found = await uow.ageing.uncompared(kind, AT_ONCE, after)
                for fact in found:
                    if looked_at >= MOST_COMPARED:
                        return self._told(run, looked_at)
                    if not go_on():
                        return self._told(run, looked_at, more=True)
                    if await self._compare(run, fact):
                        looked_at += 1
                if len(found) < AT_ONCE:
                    break
                after = found[-1].id
        return self._told(run, looked_at)

    def _told(self, run: _Run, looked_at: int, *, more: bool = False) -> Compared:
        counts = run.counts
        return Compared(looked_at, counts[Kinship.SAME], counts[Kinship.UPDATE], counts[Kinship.CONTRADICTION], more)

    async def _compare(self, run: _Run, fact: Fact) -> bool:
        """Compare one row with those near it, the nearest first; False where the embedder is away.

        What embedding cost is counted, however it ended.
        """
        try:
            await self._decide_on(run, fact)
        except EmbeddingFailed:
            return False
        finally:
            await self._count(run)
        async with self.storage.transaction(run.scope) as uow:
            await uow.ageing.mark_compared(fact.ref.subject.scope, [fact.id], self.clock())
        return True

    async def _count(self, run: _Run) -> None:
        if run.tally != Tally():
            async with self.storage.transaction(run.scope) as uow:
                await count_embedding(uow, run.tally, self.clock())
            run.tally = Tally()

    async def _decide_on(self, run: _Run, fact: Fact) -> None:
        """Raises EmbeddingFailed, before anything is decided."""
        vector = await self._vector(run, fact)
        if comparable(fact):
            async with self.storage.transaction(run.scope) as uow:
                rows, cosines = await self._near(uow, fact, vector)
            cosines |= await self._cosines(run, vector, [row for row in rows if row.id not in cosines])
            nearest = sorted(rows, key=lambda row: (cosines.get(row.id, 0.0), row.id), reverse=True)
            found = [(other, kin(fact, other, self._likeness(cosines.get(other.id)))) for other in nearest]
            opposed = sum(kinship is Kinship.CONTRADICTION for _, kinship in found)
            left_alone = {Kinship.APART, Kinship.CONTRADICTION} if opposed > MOST_OPPOSED else {Kinship.APART}
            for other, kinship in found:
                if kinship not in left_alone:
                    await self._decide(run, fact.id, other, kinship)

    async def _vector(self, run: _Run, fact: Fact) -> Vector | None:
        if self.embedder is None:
            return None
        [windows] = await self.embedder.passages([wording(fact)], run.tally)
        return windows[0] if windows else None

    async def _cosines(self, run: _Run, vector: Vector | None, rows: Sequence[Fact]) -> dict[UUID, float]:
        """How alike these rows are, which have no vectors yet."""
        if self.embedder is None or vector is None or not rows:
            return {}
        made = await self.embedder.passages([wording(row) for row in rows], run.tally)
        return {row.id: sum(map(mul, vector, windows[0])) for row, windows in zip(rows, made, strict=True) if windows}

    def _likeness(self, cosine: float | None) -> Likeness | None:
        if self.embedder is None or cosine is None:
            return None
        return Likeness(cosine, self.embedder.profile.related, self.embedder.profile.duplicate)

    async def _near(self, uow: UnitOfWork, fact: Fact, vector: Vector | None) -> tuple[list[Fact], dict[UUID, float]]:
        """The rows to compare it with, and how alike they are, as far as they have vectors."""
        about, agents = [fact.ref.subject], [fact.ref.agent_id]
        shelf = Shelf(tuple(about), frozenset({DocumentKind.FACT}), tuple(agents))
        found = await uow.search.look_up(wording(fact), [shelf])
        held = found.collections.get(DocumentKind.FACT)
        by_words = shares(found.words, held) if held else {}
        ids = sorted(by_words, key=lambda place: (by_words[place], place), reverse=True)[: NEAREST + 1]
        cosines: dict[UUID, float] = {}
        lacking = True
        if self.embedder is not None and vector is not None:
            space = self.embedder.profile.name
            near = (await uow.vectors.nearest(vector, space, [shelf], NEAREST + 1)).get(DocumentKind.FACT)
            ids += near.cosines if near else ()
            lacking = near is None or near.embedded < near.documents
            cosines |= await uow.vectors.cosines(vector, space, [DocumentKind.FACT], ids)
        rows = await uow.facts.among(ids, about)
        rows += await uow.facts.candidates(about, agents, STRONGEST) if lacking else []
        others = {row.id: row for row in rows if comparable(row) and row.id != fact.id}
        return list(others.values()), cosines

    async def _decide(self, run: _Run, fact_id: UUID, other: Fact, kinship: Kinship) -> None:
        """Act on what was found, if both still stand as they did once their keys are held."""
        kind = other.ref.subject.scope
        async with self.storage.transaction(run.scope) as uow:
            pair = [record.fact for record in await uow.facts.records(kind, [fact_id, other.id])]
            await uow.facts.lock([row.ref for row in pair])
            pair = [record.fact for record in await uow.facts.records(kind, [fact_id, other.id])]
            if len(pair) < 2 or not all(row.live for row in pair) or await _decided(uow, *pair):
                return
            older, newer = sorted(pair, key=said)
            author = Author(run.scope.actor, self.clock(), "compared")
            if kinship is Kinship.SAME:
                done = await _merge(uow, run, older, newer, author)
            elif older.ref == newer.ref:
                done = False  # the fold of their key knows
            elif kinship is Kinship.UPDATE and not older.pinned and (newer.by_hand or not shielded(older, newer.trust)):
                await extend(uow, older.ref, [overtaking(older, newer, author.actor, author.now)], author)
                done = True
            else:
                kinship = Kinship.CONTRADICTION
                await extend(uow, older.ref, [opposing(older, newer, author.actor, author.now)], author)
                await extend(uow, newer.ref, [opposing(newer, older, author.actor, author.now)], author)
                done = True
        run.counts[kinship] += done


async def _decided(uow: UnitOfWork, one: Fact, other: Fact) -> bool:
    """Whether something was decided about the two before, undone or not."""
    names = {str(one.id), str(other.id)}
    for fact in (one, other):
        for entry in await uow.sources.entries(fact.ref):
            if isinstance(entry, Decision) and entry.verdict in (*CROSSING, Verdict.MERGE):
                named = {str(entry.fact_id), entry.changes.get("other") or entry.changes.get("into")}
                if named == names:
                    return True
    return False


async def _merge(uow: UnitOfWork, run: _Run, older: Fact, newer: Fact, author: Author) -> bool:
    """The strongest stays, and takes the other one; False where that must stay for itself."""
    into, away = sorted((older, newer), key=lambda fact: _strength(fact, author.now), reverse=True)
    apart = into.traits.audience is not away.traits.audience
    taken = run.merged & {into.id, away.id}
    chained = into.merged_into or await uow.facts.merged_into(away.ref.subject.scope, [away.id])
    lesser = away.pinned or (away.by_hand and not into.by_hand)
    if lesser or apart or taken or chained:
        return False
    changes = {"into": str(into.id), "key": into.ref.key}
    at = max(author.now, older.last_reinforced_at, newer.last_reinforced_at)
    merger = Decision(uuid7(), at, author.now, Verdict.MERGE, away.id, author.actor, changes)
    await extend(uow, away.ref, [merger], replace(author, reason="duplicate"))
    run.merged |= {into.id, away.id}
    return True


def _strength(fact: Fact, now: datetime) -> tuple[bool, bool, int, float, UUID]:
    return fact.pinned, fact.by_hand, fact.confirmation_count, fact.score(now), fact.id
