"""Each way of reading what is kept of an organisation."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from uuid import UUID

from app.domain.erasures import ErasureKind, Extent
from app.domain.search import DocumentKind, Shelf
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS
from app.ports.contradictions import ContradictionFilter
from app.ports.events import EventFilter
from app.ports.facts import FactFilter
from app.ports.lifecycle import PruneFilter
from app.ports.observations import ObservationFilter
from app.ports.search import Found
from app.ports.storage import UnitOfWork
from app.ports.vectors import Nearness
from tests.postgres import importing
from tests.postgres.furnished import (
    ALL,
    ASIDE,
    ASKED,
    DONE,
    FAR,
    KEY,
    LATER,
    ONE,
    SPACE,
    SUBJECTS,
    VERY_FAR,
    message,
    observations_of,
)
from tests.unit.memories import SHOP, START

WHOLE = Extent(ErasureKind.MEMORY)
EVERYTHING = Shelf(SUBJECTS, frozenset(DocumentKind), (ATLAS,))

Use = Callable[[UnitOfWork], Awaitable[object]]


async def _all(rows: AsyncIterator[object]) -> list[object]:
    return [row async for row in rows]


async def _number(rows: AsyncIterator[object]) -> int:
    return len(await _all(rows))


async def _counted(number: Awaitable[int]) -> str:
    return f"count={await number}"


async def _looked_up(uow: UnitOfWork) -> Found:
    """Postings are answered in no order."""
    found = await uow.search.look_up("shipping, said", [EVERYTHING])
    held = {
        kind: replace(one, postings={term: sorted(one.postings[term], key=str) for term in sorted(one.postings)})
        for kind, one in found.collections.items()
    }
    return replace(found, collections=held, labels=dict(sorted(found.labels.items())))


async def _nearest(uow: UnitOfWork) -> list[tuple[DocumentKind, Nearness]]:
    """Kinds are answered in no order, either."""
    return sorted((await uow.vectors.nearest(ASIDE, SPACE, [EVERYTHING], 50)).items())


READS: dict[str, Use] = {
    **importing.READS,
    "organisations.get": lambda uow: uow.organisations.get(),
    "organisations.with_rules": lambda uow: uow.organisations.with_rules(),
    "organisations.known": lambda uow: uow.organisations.known(),
    "rules.page": lambda uow: uow.rules.page(ALL),
    "rules.everything": lambda uow: _all(uow.rules.everything()),
    "stores.get": lambda uow: uow.stores.get("shop1"),
    "stores.among": lambda uow: uow.stores.among(["shop1"]),
    "stores.page": lambda uow: uow.stores.page(ALL),
    "people.get": lambda uow: uow.people.get("alice"),
    "people.among": lambda uow: uow.people.among(["alice"]),
    "people.page": lambda uow: uow.people.page(ALL),
    "people.remembered_operators": lambda uow: uow.people.remembered_operators(),
    "people.lock_owners": lambda uow: uow.people.lock_owners(),
    "channels.get": lambda uow: uow.channels.get("whatsapp", "33600000000"),
    "channels.page": lambda uow: uow.channels.page(ALL),
    "channels.of_person": lambda uow: uow.channels.of_person("alice"),
    "api_keys.get": lambda uow: uow.api_keys.get(ONE),
    "api_keys.page": lambda uow: uow.api_keys.page(ALL),
    "messages.get": lambda uow: uow.messages.get([ONE], hold=True),
    "messages.before": lambda uow: uow.messages.before(message("any", 2), 5),
    "messages.just_before": lambda uow: uow.messages.just_before([ONE]),
    "messages.find": lambda uow: uow.messages.find([ASKED]),
    "messages.named": lambda uow: uow.messages.named("m1", None, None, 5),
    "messages.everything": lambda uow: _all(uow.messages.everything(None)),
    "facts.of_key": lambda uow: uow.facts.of_key(KEY),
    "facts.of_keys": lambda uow: uow.facts.of_keys([KEY]),
    "facts.behaviour": lambda uow: uow.facts.behaviour("alice", [ATLAS], 5),
    "facts.faded_behaviour": lambda uow: uow.facts.faded_behaviour("alice", FAR, 5),
    "facts.people_with_faded_behaviour": lambda uow: uow.facts.people_with_faded_behaviour(FAR, 50),
    "facts.get": lambda uow: uow.facts.get(Scope.USER, UUID(int=3)),
    "facts.records": lambda uow: uow.facts.records(Scope.USER, [UUID(int=3)]),
    "facts.merged_into": lambda uow: uow.facts.merged_into(Scope.STORE, [UUID(int=2)]),
    "facts.page": lambda uow: uow.facts.page(FactFilter(Scope.STORE, LATER, min_score=0.0), ALL),
    "facts.candidates": lambda uow: uow.facts.candidates(SUBJECTS, [ATLAS], 5),
    "facts.across": lambda uow: uow.facts.across(SUBJECTS, [ATLAS], [KEY.key]),
    "facts.among": lambda uow: uow.facts.among([UUID(int=number) for number in (1, 2, 3)], SUBJECTS),
    "facts.everything": lambda uow: _all(uow.facts.everything(FactFilter(Scope.ORG, LATER))),
    "sources.entries": lambda uow: uow.sources.entries(KEY),
    "sources.entries_of": lambda uow: uow.sources.entries_of([KEY]),
    "sources.refs_of": lambda uow: uow.sources.refs_of([ASKED]),
    "sources.stated_by": lambda uow: uow.sources.stated_by([ASKED]),
    "sources.crossing": lambda uow: uow.sources.crossing(ATLAS, [UUID(int=number) for number in range(1, 9)]),
    "sources.messages_of": lambda uow: uow.sources.messages_of([ONE]),
    "sources.refs_said_by": lambda uow: uow.sources.refs_said_by("alice"),
    "sources.refs_about": lambda uow: uow.sources.refs_about("alice"),
    "sources.everything": lambda uow: _all(uow.sources.everything(Scope.STORE, None)),
    "sources.all_decisions": lambda uow: _all(uow.sources.all_decisions(Scope.STORE, None)),
    "events.page": lambda uow: uow.events.page(EventFilter(unveiled=True), ALL),
    "events.everything": lambda uow: _all(uow.events.everything(EventFilter(unveiled=True))),
    "seals.last": lambda uow: uow.seals.last(),
    "seals.unsealed": lambda uow: uow.seals.unsealed(0, 2**62, 5),
    "seals.chain": lambda uow: _all(uow.seals.chain()),
    "seals.lines": lambda uow: _all(uow.seals.lines(0)),
    "seals.kept": lambda uow: uow.seals.kept(),
    "jobs.get": lambda uow: uow.jobs.get(ONE),
    "jobs.page": lambda uow: uow.jobs.page(None, None, ALL),
    "observations.get": lambda uow: uow.observations.get([one.id for one in observations_of("any")]),
    "observations.page": lambda uow: uow.observations.page(ObservationFilter("alice"), ALL),
    "observations.take_unconsolidated": lambda uow: uow.observations.take_unconsolidated("alice", 5),
    "observations.people_with_unconsolidated": lambda uow: uow.observations.people_with_unconsolidated(5),
    "observations.found_in": lambda uow: uow.observations.found_in([ASKED]),
    "observations.failures": lambda uow: uow.observations.failures("alice", START),
    "observations.everything": lambda uow: _all(uow.observations.everything(None)),
    "contradictions.get": lambda uow: uow.contradictions.get(ONE),
    "contradictions.page": lambda uow: uow.contradictions.page(ContradictionFilter(reader="alice", contacts=True), ALL),
    "ageing.faded": lambda uow: uow.ageing.faded(Scope.ORG, VERY_FAR, 5),
    "ageing.uncompared": lambda uow: uow.ageing.uncompared(Scope.STORE, 5),
    "ageing.over_age": lambda uow: uow.ageing.over_age(Scope.STORE, VERY_FAR, 5),
    "ageing.prunable": lambda uow: uow.ageing.prunable(Scope.USER, PruneFilter(VERY_FAR, LATER, "alice"), 5),
    "usage.of": lambda uow: uow.usage.of(START.date()),
    "usage.page": lambda uow: uow.usage.page(None, None, ALL),
    "stats.read": lambda uow: uow.stats.read(LATER),
    "consolidations.progress": lambda uow: uow.consolidations.progress("alice", FAR),
    "receipts.get": lambda uow: uow.receipts.get(ONE),
    "receipts.latest": lambda uow: uow.receipts.latest("alice", "talk"),
    "past.about": lambda uow: uow.past.about(SHOP, [ATLAS], 50),
    "past.of": lambda uow: uow.past.of([KEY]),
    "past.merged_into": lambda uow: uow.past.merged_into([KEY]),
    "past.places": lambda uow: uow.past.places(FactFilter(Scope.STORE, LATER), None, None, 50),
    "past.key_of": lambda uow: uow.past.key_of(Scope.STORE, UUID(int=2)),
    "search.look_up": _looked_up,
    "search.around": lambda uow: uow.search.around([ONE], [EVERYTHING], 9),
    "vectors.lacking": lambda uow: uow.vectors.lacking(50),
    "vectors.progress": lambda uow: uow.vectors.progress(SPACE),
    "vectors.nearest": _nearest,
    "vectors.cosines": lambda uow: uow.vectors.cosines(ASIDE, SPACE, [DocumentKind.FACT], [UUID(int=2)]),
    "idempotency.claim": lambda uow: uow.idempotency.claim(DONE),
    "erasures.get": lambda uow: uow.erasures.get(ONE),
    "erasures.size": lambda uow: _counted(uow.erasures.size(WHOLE, 10_000)),
    "erasures.messages": lambda uow: uow.erasures.messages(WHOLE, 50),
    "erasures.observations": lambda uow: uow.erasures.observations(WHOLE, 50),
    "erasures.remaining": lambda uow: _counted(uow.erasures.remaining(WHOLE)),
    "ledger.everything": lambda uow: _counted(_number(uow.ledger.everything())),
}
"""Every way of reading, asked in the widest manner."""
