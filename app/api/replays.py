"""What is kept of an answer for its Idempotency-Key, and how it is given again: the one table for all routes.

Kept are ids, numbers and codes. Whatever else an answer says is read anew, with the rights that the caller has by then;
what is gone since is a 404.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final
from uuid import UUID

from fastapi import Response
from pydantic import BaseModel

from app.api.fact_routes import fact_out
from app.api.rules import rules_out
from app.api.schemas.api_keys import ApiKeyMade
from app.api.schemas.channels import ChannelOut
from app.api.schemas.consolidations import ConsolidationJobOut, ConsolidationOut
from app.api.schemas.contradictions import ContradictionOut
from app.api.schemas.erasures import ErasureOut
from app.api.schemas.fact_answers import FactOut
from app.api.schemas.jobs import JobOut
from app.api.schemas.observations import ItemsOut
from app.api.schemas.organisations import OrganisationOut, organisation_out
from app.api.schemas.people import PersonOut
from app.api.schemas.pruning import PruneOut
from app.api.schemas.rules import RulesOut
from app.api.schemas.settings import SettingsOut
from app.api.schemas.stores import StoreOut
from app.api.schemas.turns import TurnOut, TurnsOut
from app.api.schemas.wishes import WishOut
from app.api.settings import settings_out
from app.container import Container
from app.domain.errors import NotFound
from app.domain.idempotency import ERASED, Outcome
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.services.pruning import Pruned, PruneMode


@dataclass(frozen=True, slots=True)
class Replay:
    """A request that was answered before: its outcome, and by what the rest of its answer is read.

    `again` does what the route does; for what is harmless however often it is done.
    """

    outcome: Outcome
    services: Container
    scope: TenantScope
    path: Mapping[str, str]
    response: Response
    again: Callable[[], Awaitable[Any]]

    @property
    def kept(self) -> Any:
        """What was kept of the answer."""
        kept: Any = self.outcome.answer
        return kept["kept"]

    @property
    def kind(self) -> str:
        """The name of the answer's kind."""
        kept: Any = self.outcome.answer
        return str(kept["kind"])


Keep = Callable[[Any], JsonValue]
Show = Callable[[Replay], Awaitable[Any]]


def outcome_of(status: int, answer: Any) -> Outcome:
    """What to keep of an answer. Raises KeyError for a kind of answer that this file does not know."""
    keep, _ = ANSWERS[type(answer)]
    return Outcome(status, {"kind": type(answer).__name__, "kept": keep(answer)})


async def shown_again(replay: Replay) -> Any:
    """The answer as it reads now. Raises NotFound for what is gone."""
    if replay.kind == ERASED:
        raise NotFound
    _, show = _BY_NAME[replay.kind]
    return await show(replay)


def _nothing(_: Any) -> None:
    """The names in the path say it all."""


def _whole(answer: BaseModel | None) -> JsonValue:
    """The answer itself, which holds no text."""
    kept: JsonValue = answer.model_dump(mode="json") if answer is not None else None
    return kept


def _of_pruned(answer: PruneOut) -> JsonValue:
    ids: JsonValue = [[fact.scope, str(fact.id)] for fact in answer.candidates]
    return {"mode": answer.mode, "deleted": answer.deleted, "more": answer.more, "candidates": ids}


async def _as_kept(replay: Replay) -> Any:
    return replay.kept


async def _fact(replay: Replay) -> FactOut:
    found = Scope(replay.kept["scope"]), UUID(replay.kept["id"])
    record = await replay.services.facts.get(replay.scope, *found)
    asked = UUID(replay.path["fact_id"]) if "fact_id" in replay.path else None
    return fact_out(record, replay.services.clock(), replay.response, asked)


async def _contradiction(replay: Replay) -> ContradictionOut:
    dispute = await replay.services.contradictions.get(replay.scope, UUID(replay.kept["id"]))
    return ContradictionOut.at(dispute, replay.services.clock())


async def _pruned(replay: Replay) -> PruneOut:
    """Of the candidates, those that are there still."""
    kept = replay.kept
    ids = [(Scope(scope), UUID(fact_id)) for scope, fact_id in kept["candidates"]]
    candidates = await replay.services.pruning.read_again(replay.scope, ids)
    pruned = Pruned(candidates, kept["deleted"], kept["more"])
    return PruneOut.at(PruneMode(kept["mode"]), pruned, replay.services.clock())


def _of_receipt(answer: ErasureOut) -> JsonValue:
    """Counts, without the ids of the messages that were kept."""
    kept: JsonValue = answer.model_dump(mode="json", exclude={"kept": {"messages"}})
    return kept


async def _receipt(replay: Replay) -> ErasureOut:
    """As it stands now. An organisation's, or that of somebody who is gone, is told as it was."""
    try:
        erasure = await replay.services.erasures.get(replay.scope, UUID(replay.kept["receipt_id"]))
    except NotFound:
        return ErasureOut(**{**replay.kept, "kept": {"messages": [], **replay.kept["kept"]}})
    return ErasureOut.of(erasure)


async def _job(replay: Replay) -> JobOut:
    return JobOut.of(await replay.services.jobs.get(replay.scope, UUID(replay.kept["id"])))


async def _settings(replay: Replay) -> SettingsOut:
    return settings_out(await replay.services.memory_settings.get(replay.scope), replay.response)


async def _rules(replay: Replay) -> RulesOut:
    return rules_out(await replay.services.rules.get(replay.scope), replay.response)


async def _wish(replay: Replay) -> WishOut:
    return WishOut.of(await replay.services.wishes.get(replay.scope, replay.path["user_id"]))


async def _organisation(replay: Replay) -> OrganisationOut:
    return organisation_out(await replay.services.organisations.get(replay.scope))


async def _store(replay: Replay) -> StoreOut:
    return StoreOut.of(await replay.services.stores.get(replay.scope, replay.path["store_id"]))


async def _person(replay: Replay) -> PersonOut:
    return PersonOut.of(await replay.services.people.get(replay.scope, replay.path["user_id"]))


async def _channel(replay: Replay) -> ChannelOut:
    address = replay.path["channel"], replay.path["address"]
    return ChannelOut.of(await replay.services.channels.get(replay.scope, *address))


async def _done_again(replay: Replay) -> Any:
    return await replay.again()


ANSWERS: Final[Mapping[type, tuple[Keep, Show]]] = {
    FactOut: (lambda fact: {"scope": fact.scope, "id": str(fact.id)}, _fact),
    ContradictionOut: (lambda settled: {"id": str(settled.id)}, _contradiction),
    PruneOut: (_of_pruned, _pruned),
    ErasureOut: (_of_receipt, _receipt),
    JobOut: (lambda job: {"id": str(job.id)}, _job),
    SettingsOut: (_nothing, _settings),
    RulesOut: (_nothing, _rules),
    WishOut: (_nothing, _wish),
    OrganisationOut: (_nothing, _organisation),
    StoreOut: (_nothing, _store),
    PersonOut: (_nothing, _person),
    ChannelOut: (_nothing, _channel),
    ConsolidationOut: (_nothing, _done_again),
    ApiKeyMade: (lambda made: {"id": str(made.id), "key": None}, _as_kept),
    **dict.fromkeys((TurnOut, TurnsOut, ItemsOut, ConsolidationJobOut, NoneType), (_whole, _as_kept)),
}
"""By the kind of an answer: what is kept of it, and how it is given again."""

_BY_NAME: Final = {kind.__name__: rules for kind, rules in ANSWERS.items()}
