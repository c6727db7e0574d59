"""Many rows at once travel in another way than few, and come back the same."""

from dataclasses import replace
from uuid import UUID

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.domain.events import Change, MemoryEvent
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.receipts import Receipt
from app.domain.sources import Source
from app.domain.subjects import KeyRef, Scope
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.events import EventFilter
from app.ports.storage import Storage
from tests.contract.scopes import gathered
from tests.contract.strategies import events, facts, refs, sources
from tests.unit.memories import START, day

MANY = 25
WILD = settings(max_examples=8, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck])


@WILD
@given(wild=st.lists(facts(), min_size=MANY, max_size=MANY))
async def test_facts(storage: Storage, scope: TenantScope, wild: list[Fact]) -> None:
    rows = [replace(row, id=uuid7(), superseded_by=None, merged_into=None) for row in wild]
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, row) for row in rows], START)
        for row in rows:
            kept = await uow.facts.get(row.ref.subject.scope, row.id)
            assert kept is not None
            assert (kept.fact, kept.version) == (row, 1)


@WILD
@given(wild=st.lists(st.tuples(refs, sources), min_size=MANY, max_size=MANY))
async def test_first_sources(storage: Storage, scope: TenantScope, wild: list[tuple[KeyRef, Source]]) -> None:
    """Each of a key of its own."""
    begun = [(replace(ref, key=f"k{n}"), replace(one, id=uuid7())) for n, (ref, one) in enumerate(wild)]
    async with storage.transaction(scope) as uow:
        for few in (begun[:1], [], begun[1:]):
            await uow.sources.begin(few)
        assert [await uow.sources.entries(ref) for ref, _ in begun] == [[source] for _, source in begun]
        for kind in Scope:
            for ref, source in await gathered(uow.sources.everything(kind, None)):
                await uow.sources.remove(ref, [source.id])


@WILD
@given(wild=st.lists(events(), min_size=MANY, max_size=MANY))
async def test_events(storage: Storage, scope: TenantScope, wild: list[MemoryEvent]) -> None:
    one_by_one, together = ([replace(event, id=uuid7()) for event in wild] for _ in range(2))
    async with storage.transaction(scope) as uow:
        for event in one_by_one:
            await uow.events.append([event])
        await uow.events.append(together)
        kept = {event.id: event for event in await gathered(uow.events.everything(EventFilter(unveiled=True)))}
    for single, shared in zip(one_by_one, together, strict=True):
        assert kept[shared.id] == replace(kept[single.id], id=shared.id)
        assert kept[shared.id].values == shared.values


async def test_receipts(storage: Storage, scope: TenantScope) -> None:
    served = [UUID(int=number) for number in range(MANY)]
    receipts = [
        Receipt(one, ATLAS, tuple(served[:number]), day(number), "alice" if number else None, None, "é \"'\\ talk")
        for number, one in enumerate(served)
    ]
    async with storage.transaction(scope) as uow:
        await uow.receipts.add(receipts)
        await uow.receipts.add(receipts)
        assert [await uow.receipts.get(one) for one in served] == receipts
