"""What the worker does about age: what has faded is archived, what has had its time goes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.domain.events import EventKind
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.lifecycle import over_age
from app.domain.sources import Decision, Source, Verdict
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.domain.tiers import Tiers
from app.ports.storage import Storage, UnitOfWork
from app.services.folds import Author, extend, forget_value, tiers_of

AT_ONCE = 50
"""Rows whose keys one transaction holds."""
TUNED_AT_ONCE = 100
"""Rows that one transaction brings to their tier's numbers; whoever changes one of them waits as long."""
ROWS_AT_ONCE = 1000
"""Rows that one statement removes."""


@dataclass(frozen=True, slots=True)
class Swept:
    """How many facts were archived and how many rows went. `more`: it was told to stop before the end."""

    archived: int = 0
    expired: int = 0
    messages: int = 0
    jobs: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """Goes through one organisation, in small transactions that others need not wait for. Doing it twice does nothing
    more, and several may be at it. Pinned facts and identities stay as they are. What the organisation chose for its
    tiers and for how long things are kept holds.
    """

    storage: Storage

    async def run(self, scope: TenantScope, now: datetime, go_on: Callable[[], bool] = lambda: True) -> Swept:
        """Bring facts to their tiers' numbers where these have changed; archive what is under its line; remove what has
        had its time: facts that nobody believes, with an event without words, messages (what they said stays), receipts
        and jobs that are done. `go_on` is asked between steps.

        Raises what storage raises; what was done by then stays done.
        """
        swept = Swept()
        async with self.storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
        if organisation is None:
            return swept
        kept = organisation.settings.retention
        for kind in Scope:
            await self._retune(scope, kind, organisation.settings.tiers, go_on)
        steps = [(step, kind) for step in (self._archive, self._expire) for kind in Scope]
        for step, kind in steps:
            swept = await step(scope, kind, now, swept, go_on)
        async with self.storage.transaction(scope) as uow:
            await uow.receipts.forget_before(now - timedelta(days=kept.receipt_days))
        spoken, done = now - timedelta(days=kept.message_days), now - timedelta(days=kept.job_days)
        while go_on():
            async with self.storage.transaction(scope) as uow:
                messages = await uow.ageing.forget_messages_before(spoken, ROWS_AT_ONCE)
                jobs = await uow.ageing.forget_jobs_before(done, ROWS_AT_ONCE)
            swept = replace(swept, messages=swept.messages + messages, jobs=swept.jobs + jobs)
            if max(messages, jobs) < ROWS_AT_ONCE:
                return swept
        return replace(swept, more=True)

    async def _retune(self, scope: TenantScope, kind: Scope, tiers: Tiers, go_on: Callable[[], bool]) -> None:
        after = None
        while go_on():
            async with self.storage.transaction(scope) as uow:
                tuned = await uow.ageing.retune(kind, tiers, TUNED_AT_ONCE, after)
            if len(tuned) < TUNED_AT_ONCE:
                break
            after = tuned[-1]

    async def _archive(
        self, scope: TenantScope, kind: Scope, now: datetime, swept: Swept, go_on: Callable[[], bool]
    ) -> Swept:
        author = Author(scope.actor, now, "faded")
        while go_on():
            async with self.storage.transaction(scope) as uow:
                found = await uow.ageing.faded(kind, now, AT_ONCE)
                archived = await _fade(uow, found, author)
            swept = replace(swept, archived=swept.archived + archived)
            if len(found) < AT_ONCE or not archived:
                break
        return swept

    async def _expire(
        self, scope: TenantScope, kind: Scope, now: datetime, swept: Swept, go_on: Callable[[], bool]
    ) -> Swept:
        author, after = Author(scope.actor, now), None
        while go_on():
            async with self.storage.transaction(scope) as uow:
                found = await uow.ageing.over_age(kind, now, AT_ONCE, after, await tiers_of(uow))
                expired = await _remove(uow, found, author)
            swept = replace(swept, expired=swept.expired + expired)
            if len(found) < AT_ONCE:
                break
            after = found[-1].id
        return swept


async def _fade(uow: UnitOfWork, found: Sequence[Fact], author: Author) -> int:
    """Archive those that still are under their line, once their keys are held; answers how many."""
    ids, refs = {fact.id for fact in found}, list(dict.fromkeys(fact.ref for fact in found))
    await uow.facts.lock(refs)
    archived = 0
    for ref in refs:
        rows = [row for row in await uow.facts.of_key(ref) if row.id in ids and row.live]
        faded = [row for row in rows if row.fades_at is not None and row.fades_at <= author.now]
        decisions = [Decision(uuid7(), author.now, author.now, Verdict.FADE, row.id, author.actor) for row in faded]
        changed = await extend(uow, ref, decisions, author) if decisions else []
        archived += sum(change.row.id in ids and not change.row.live for change in changed)
    return archived


async def _remove(uow: UnitOfWork, found: Sequence[Fact], author: Author) -> int:
    """Remove the values of these rows that have had their time, with what was merged into them; answers the rows."""
    values = {(fact.ref, fact.normal): fact for fact in found}
    await uow.facts.lock([ref for ref, _ in values])
    removed = 0
    for (ref, _), fact in values.items():
        told = [*await uow.facts.merged_into(ref.subject.scope, [fact.id]), fact]
        await uow.facts.lock([row.ref for row in told])
        if all([await _had_its_time(uow, row, author.now) for row in told]):
            for row in told:
                changed = await forget_value(uow, row, author, EventKind.EXPIRED)
                removed += sum(change.after is None for change in changed)
    return removed


async def _had_its_time(uow: UnitOfWork, fact: Fact, now: datetime) -> bool:
    """Whether no row of the value is believed or pinned, and its latest source and receipt are long past."""
    rows = [row for row in await uow.facts.of_key(fact.ref) if row.normal == fact.normal]
    received_at, tiers = await _received_at(uow, fact), await tiers_of(uow)
    return all(
        not row.live and not row.pinned and over_age(row.traits.tier, row.last_reinforced_at, received_at, now, tiers)
        for row in rows
    )


async def _received_at(uow: UnitOfWork, fact: Fact) -> datetime:
    """When the service last learnt of the value."""
    sources = [entry for entry in await uow.sources.entries(fact.ref) if isinstance(entry, Source)]
    times = (source.recorded_at for source in sources if source.normal == fact.normal)
    return max(times, default=fact.created_at)
