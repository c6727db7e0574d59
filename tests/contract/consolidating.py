"""Short ways to observe a person, to consolidate them, and to look at what that gave."""

from typing import Any

from app.domain.facts import Fact
from app.domain.observations import Observation
from app.domain.tenancy import ATLAS, Actor, ActorType, TenantScope
from app.ports.storage import Storage
from app.services.consolidation import Outcome, consolidate
from tests.unit.memories import day
from tests.unit.observed import observed

WORKER = Actor(ActorType.WORKER, "worker")


def happened(number: int, session: str, at: float = 0, **more: Any) -> Observation:
    return observed(number=number, session=session, at=at, **more)


async def keep(storage: Storage, scope: TenantScope, *observations: Observation) -> None:
    async with storage.transaction(scope) as uow:
        await uow.observations.add(observations)


async def run(storage: Storage, scope: TenantScope, at: float = 0, user_id: str = "alice") -> Outcome:
    async with storage.transaction(scope) as uow:
        return await consolidate(uow, user_id, WORKER, lambda: day(at))


async def facts(storage: Storage, scope: TenantScope, user_id: str = "alice") -> dict[str, Fact]:
    async with storage.transaction(scope) as uow:
        found = await uow.facts.behaviour(user_id, [ATLAS, "maya"], 100)
    return {one.fact.ref.key: one.fact for one in found}
