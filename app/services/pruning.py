"""Pruning by hand: what has faded, or what nobody has used for long, is shown, and removed when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from uuid import UUID

from app.domain.errors import Forbidden
from app.domain.events import EventKind, event
from app.domain.facts import Fact
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.facts import FactRecord
from app.ports.lifecycle import PruneFilter
from app.ports.storage import Storage, UnitOfWork
from app.services.folds import Author, forget_value, sources_of_value
from app.services.reach import is_contact, reads_as_admin

MOST = 200
"""Candidates of one answer."""
AT_ONCE = 50


class PruneMode(StrEnum):
    """`off` looks at nothing, `dry-run` only shows, `on` deletes what it shows (seed 003)."""

    OFF = "off"
    DRY_RUN = "dry-run"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Pruned:
    """The candidates, oldest first, and how many facts are gone. `more`: there are others, for another call."""

    candidates: Sequence[FactRecord] = ()
    deleted: int = 0
    more: bool = False


class Pruning:
    """Cleans an organisation's memory at an admin's word."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock

    async def prune(self, scope: TenantScope, mode: PruneMode, older_than_days: int | None) -> Pruned:
        """Candidates are unpinned facts, believed or archived, that are under their line, and with `older_than_days`
        those neither seen nor reinforced for so long; of people's, those that the caller may read.

        `on` deletes them for good, as seed 003 has it, with an event without words for each; what they had replaced
        stays closed. Raises Forbidden for a limited key.
        """
        if scope.stores is not None or scope.agents is not None:
            raise Forbidden("limited_key", "A key that is limited to stores or agents does not prune.")
        if mode is PruneMode.OFF:
            return Pruned()
        now = self._clock()
        idle = None if older_than_days is None else now - timedelta(days=older_than_days)
        wanted = PruneFilter(now, idle, scope.person)
        async with self._storage.transaction(scope) as uow:
            found = [record for kind in Scope for record in await uow.ageing.prunable(kind, wanted, MOST + 1)]
            pruned = Pruned(found[:MOST], more=len(found) > MOST)
            people = {record.fact.ref.subject for record in pruned.candidates}
            read = [one for one in people if isinstance(one, UserSubject) and reads_as_admin(scope, one)]
            await uow.events.append([event(EventKind.READ, scope.actor, now, subject=one) for one in read])
        if mode is PruneMode.DRY_RUN:
            return pruned
        for start in range(0, len(pruned.candidates), AT_ONCE):
            batch = [record.fact for record in pruned.candidates[start : start + AT_ONCE]]
            async with self._storage.transaction(scope) as uow:
                gone = await _delete(uow, batch, wanted, Author(scope.actor, now))
            pruned = replace(pruned, deleted=pruned.deleted + gone)
        return pruned

    async def read_again(self, scope: TenantScope, named: Sequence[tuple[Scope, UUID]]) -> list[FactRecord]:
        """Those of these facts that are there and that the caller may read, in the same order."""
        async with self._storage.transaction(scope) as uow:
            found = [await uow.facts.get(kind, fact_id) for kind, fact_id in named]
            return [record for record in found if record is not None and await _may_read(uow, scope, record)]


async def _may_read(uow: UnitOfWork, scope: TenantScope, record: FactRecord) -> bool:
    """An admin prunes what is shared, and of people's what is their own or a contact's."""
    subject = record.fact.ref.subject
    return not isinstance(subject, UserSubject) or (
        subject.user_id == scope.person or await is_contact(uow, subject.user_id)
    )


async def _delete(uow: UnitOfWork, facts: Sequence[Fact], wanted: PruneFilter, author: Author) -> int:
    """Remove those that still may go, with what was merged into them; answers how many rows."""
    await uow.facts.lock([fact.ref for fact in facts])
    deleted = 0
    for fact in facts:
        record = await uow.facts.get(fact.ref.subject.scope, fact.id)
        if record is None or not wanted.admits(record):
            continue
        told = [*await uow.facts.merged_into(fact.ref.subject.scope, [fact.id]), record.fact]
        if any(row.pinned for row in told):
            continue
        await uow.facts.lock([row.ref for row in told])
        for row in told:
            await uow.observations.delete(await sources_of_value(uow, row))
            changed = await forget_value(uow, row, author)
            deleted += sum(change.after is None for change in changed)
    return deleted
