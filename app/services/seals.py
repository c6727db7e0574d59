"""Sealing the audit trail, and verifying what was sealed."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from app.domain.errors import NotFound
from app.domain.inspection import Inspection, Report
from app.domain.seals import Mark, sealed
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Directory, Storage, UnitOfWork

AT_ONCE = 1000
"""Events under one seal."""
BEFORE_ALL = -(2**63)
"""A place before every other, those that no database draws too."""
ORGANISATIONS_AT_ONCE = 500
LOOKS, LOOK_SECONDS = 40, 0.25
"""How often, and with which pauses, it is asked whether those who write are done."""


@dataclass(frozen=True, slots=True)
class Seals:
    """The chains of seals. Any number of workers may be at it: each seal is added once."""

    storage: Storage
    directory: Directory
    clock: Clock

    async def closed(self) -> int | None:
        """The place up to which no event can come any more: all who wrote when it was drawn have ended.

        None where somebody goes on writing for longer than is waited for.
        """
        mark: Mark = await self.directory.mark_events()
        writing = mark.writers
        for _ in range(LOOKS):
            if not writing:
                return mark.place
            await asyncio.sleep(LOOK_SECONDS)
            writing &= (await self.directory.mark_events()).writers
        return None

    async def unsealed(self, upto: int) -> AsyncIterator[str]:
        """The organisations that have an event up to this place without a seal."""
        last: str | None = None
        while found := await self.directory.unsealed_organisations(upto, ORGANISATIONS_AT_ONCE, last):
            for last in found:
                yield last

    async def seal(self, scope: TenantScope, upto: int) -> int:
        """The organisation's events up to this place, which must be `closed`, are sealed; answers how many were not.

        Raises Collision where somebody holds the organisation for long, and what storage raises; seals made by then
        stay.
        """
        count = fresh = 0
        while not count or fresh == AT_ONCE:
            async with self.storage.transaction(scope) as uow:
                fresh = await self._add(uow, scope, upto)
            if not fresh:
                break
            count += fresh
        return count

    async def _add(self, uow: UnitOfWork, scope: TenantScope, upto: int) -> int:
        """One more seal, where there is something to seal; answers over how many events it is."""
        if not await uow.seals.hold():
            return 0
        last = await uow.seals.last()
        lines = await uow.seals.unsealed(last.last_place if last else BEFORE_ALL, upto, AT_ONCE)
        if lines:
            await uow.seals.add(sealed(scope.org_id, last, lines, self.clock()))
        return len(lines)

    async def verify(self, scope: TenantScope) -> Report:
        """What an inspection of the whole trail sees, in one consistent state; a seal's events are held at a time.

        Raises NotFound where the organisation is not there.
        """
        inspection = Inspection(scope.org_id)
        async with self.storage.snapshot(scope) as uow:
            if await uow.organisations.get() is None:
                raise NotFound
            behind = BEFORE_ALL
            async for seal in uow.seals.chain():
                inspection.begin(seal)
                async for line, values in uow.seals.lines(behind, seal.last_place):
                    inspection.line(line, values)
                inspection.end()
                behind = max(behind, seal.last_place)
            async for line, values in uow.seals.lines(behind):
                inspection.line(line, values)
            kept = await uow.seals.kept()
        return inspection.report(seals=kept.seals, words=kept.words)
