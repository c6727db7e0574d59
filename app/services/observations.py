"""Observations: taken in by the batch, each item for itself, and read back by the person they are about."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from itertools import islice
from uuid import UUID

from app.domain.errors import Invalid, RetenirError
from app.domain.identifiers import uuid7
from app.domain.observations import Observation, ObservationType
from app.domain.organisations import OrgSettings
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.observations import ObservationFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.observing import Outcome, Report, Reported, observe
from app.services.organisations import standing
from app.services.shared_writes import SharedWrites


class ItemStatus(StrEnum):
    """What became of one item."""

    STORED = "stored"
    SKIPPED = "skipped"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class ItemTaken:
    """One item's answer: the id of what was stored, or why nothing was."""

    status: ItemStatus
    id: UUID | None = None
    error: RetenirError | None = None


@dataclass(frozen=True, slots=True)
class EntitySeen:
    """An entity in the result of a tool's run."""

    type: str
    id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One run of a tool, with the entities in its result. `duration_ms` in milliseconds."""

    tool_name: str
    ok: bool
    duration_ms: float
    error: str | None = None
    entities: Sequence[EntitySeen] = field(default=())

    def told(self) -> list[tuple[ObservationType, dict[str, JsonValue]]]:
        """The observations that the run makes, the tool's own first."""
        run: dict[str, JsonValue] = {"toolName": self.tool_name, "durationMs": self.duration_ms}
        seen = [(ObservationType.ENTITY_ACCESS, _entity(entity)) for entity in self.entities]
        if self.ok:
            return [(ObservationType.TOOL_SUCCESS, run), *seen]
        return [(ObservationType.TOOL_FAILURE, {**run, "error": self.error or ""}), *seen]


def _entity(entity: EntitySeen) -> dict[str, JsonValue]:
    named: dict[str, JsonValue] = {} if entity.name is None else {"entityName": entity.name}
    return {"entityType": entity.type, "entityId": entity.id, **named}


class Observations:
    """Keeps and lists observations. `keep_days` is how long this deployment keeps them.

    Writers share transactions, each for as long as its `patience` in seconds; None: each has its own.
    """

    def __init__(self, storage: Storage, clock: Clock, keep_days: int, patience: float | None) -> None:
        self._storage = storage
        self._clock = clock
        self._keep_days = keep_days
        self._intake = None if patience is None else SharedWrites(self._write, patience)

    async def take(self, scope: TenantScope, items: Sequence[Reported]) -> list[ItemTaken]:
        """Keep each item that may be kept; answers one for each, in their order, once they are committed.

        Nothing is kept of what an organisation or a person does not want kept, of runs of meta tools and of content
        that ends in `#noremember`. People and stores not seen before are made as elsewhere. Raises Unavailable when
        it cannot be done in time, NotFound where the organisation is gone.
        """
        if self._intake is None:
            return (await self._write([(scope, list(items))]))[0]
        return await self._intake.ask(scope, list(items), sum(item.rows for item in items))

    async def take_run(self, scope: TenantScope, run: ToolRun, common: Reported) -> list[ItemTaken]:
        """Keep what a tool's run tells: of the tool, and of each entity in its result; `common` holds the rest.

        Raises as `take`, and where nothing of it is acceptable what the first item was rejected for.
        """
        items = [
            replace(common, id=uuid7(), type=kind, metadata=metadata, tool=run.tool_name)
            for kind, metadata in run.told()
        ]
        taken = await self.take(scope, items)
        if (error := taken[0].error) is not None and all(each.error is not None for each in taken):
            raise error
        return taken

    async def page(self, scope: TenantScope, wanted: ObservationFilter, request: PageRequest) -> Page[Observation]:
        """The person's own, newest first, within the key's limits and the time for which they are kept."""
        if scope.person is None:
            raise Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
        async with self._storage.transaction(scope) as uow:
            settings = (await standing(uow)).settings
            mine = replace(
                wanted,
                user_id=scope.person,
                recorded_since=self._clock() - self._kept_for(settings),
                stores=scope.stores,
                agents=scope.agents,
            )
            return await uow.observations.page(mine, request)

    async def forget_old(self, scope: TenantScope) -> int:
        """Removes the organisation's observations that are over age; answers how many."""
        async with self._storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
            if organisation is None:
                return 0
            return await uow.observations.forget_before(self._clock() - self._kept_for(organisation.settings))

    def _kept_for(self, settings: OrgSettings) -> timedelta:
        """An organisation may shorten the time, not lengthen it."""
        return timedelta(days=min(settings.observation_days or self._keep_days, self._keep_days))

    async def _write(self, asked: Sequence[tuple[TenantScope, list[Reported]]]) -> list[list[ItemTaken]]:
        """What several writers of one organisation report, in one transaction."""
        now = self._clock()
        reports = [(scope, item) for scope, items in asked for item in items]
        async with self._storage.transaction(asked[0][0]) as uow:
            outcomes = await observe(uow, reports, now)
        answers = map(_answer, reports, outcomes)
        return [list(islice(answers, len(items))) for _, items in asked]


def _answer(report: Report, outcome: Outcome) -> ItemTaken:
    if outcome is None:
        return ItemTaken(ItemStatus.SKIPPED)
    if isinstance(outcome, RetenirError):
        return ItemTaken(ItemStatus.REJECTED, error=outcome)
    return ItemTaken(ItemStatus.STORED, outcome.id)
