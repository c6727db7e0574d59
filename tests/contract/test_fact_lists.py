"""Lists of facts: each filter lets through what it says, and pages neither skip nor repeat."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.sources import Audience
from app.domain.subjects import Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.facts import FactFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import gathered, walked
from tests.unit.memories import COMPANY, ME, SHOP, day, fact

WILD = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
NOW = day(30)
SHOP2, BOB = StoreSubject("shop2"), UserSubject("bob")


def varied() -> list[Fact]:
    """Rows of all kinds, about two stores, two people and the organisation."""
    made = []
    for number in range(1, 61):
        about: Subject = (SHOP, SHOP2, ME, BOB, COMPANY)[number % 5]
        row = fact(
            number,
            ("shipping.free", "shipping_free", "ship%", "brand.voice")[number % 4],
            ("Livraison OFFERTE dès 60 €", "50% off_", "Élan")[number % 3],
            about=about,
            agent_id=(ATLAS, "maya", "otis")[number // 5 % 3],
            at=-number,
            tier=list(Tier)[number % 6],
            tags=(("vip", "été"), ("vip",), ())[number // 2 % 3],
            audience=(Audience.TEAM, Audience.EVERYONE)[number // 3 % 2],
            pinned=number % 7 == 0,
            archived_at=day(0) if number % 4 == 3 else None,
            contradicted=number % 6 == 1,
            newer_rivals=number % 3,
        )
        made.append(replace(row, traits=replace(row.traits, category=("general", "brand")[number // 7 % 2])))
    return made


FILTERS: list[tuple[Scope, dict[str, Any], Callable[[Fact], bool]]] = [
    (Scope.STORE, {}, lambda row: row.live),
    (Scope.STORE, {"archived": True}, lambda row: not row.live),
    (Scope.STORE, {"archived": None}, lambda row: True),
    (Scope.ORG, {"archived": None}, lambda row: True),
    (Scope.STORE, {"subject": SHOP2}, lambda row: row.live and row.ref.subject == SHOP2),
    (Scope.USER, {"subject": ME}, lambda row: row.live and row.ref.subject == ME),
    (Scope.STORE, {"stores": frozenset({"shop1"})}, lambda row: row.live and row.ref.subject == SHOP),
    (Scope.STORE, {"stores": frozenset()}, lambda row: False),
    (Scope.USER, {"stores": frozenset()}, lambda row: row.live),
    (Scope.USER, {"agents": frozenset({"maya"})}, lambda row: row.live and row.ref.agent_id in ("maya", ATLAS)),
    (Scope.USER, {"agents": frozenset()}, lambda row: row.live and row.ref.agent_id == ATLAS),
    (Scope.USER, {"contacts_only": True}, lambda row: row.live and row.ref.subject == BOB),
    (Scope.STORE, {"contacts_only": True}, lambda row: row.live),
    (Scope.STORE, {"category": "brand"}, lambda row: row.live and row.traits.category == "brand"),
    (Scope.STORE, {"agent_id": "otis"}, lambda row: row.live and row.ref.agent_id == "otis"),
    (Scope.STORE, {"tag": "été"}, lambda row: row.live and "été" in row.traits.tags),
    (Scope.STORE, {"key_prefix": "shipping_"}, lambda row: row.live and row.ref.key == "shipping_free"),
    (Scope.STORE, {"key_prefix": "ship%"}, lambda row: row.live and row.ref.key == "ship%"),
    (Scope.STORE, {"key_prefix": "ship"}, lambda row: row.live and row.ref.key != "brand.voice"),
    (Scope.STORE, {"text": "offerte DÈS"}, lambda row: row.live and "OFFERTE" in row.content),
    (Scope.STORE, {"text": "0% off_"}, lambda row: row.live and "off_" in row.content),
    (Scope.STORE, {"text": "é"}, lambda row: row.live and "Élan" in row.content),
    (Scope.STORE, {"pinned": True}, lambda row: row.live and row.pinned),
    (Scope.STORE, {"pinned": False}, lambda row: row.live and not row.pinned),
    (Scope.STORE, {"contradicted": True}, lambda row: row.live and row.contradicted),
    (Scope.USER, {"audience": Audience.EVERYONE}, lambda row: row.live and row.traits.audience is Audience.EVERYONE),
    (Scope.USER, {"min_score": 0.3}, lambda row: row.live and row.score(NOW) >= 0.3),
    (Scope.USER, {"min_score": 0.0, "archived": None}, lambda row: True),
    (
        Scope.STORE,
        {"subject": SHOP, "tag": "vip", "pinned": False, "archived": None},
        lambda row: row.ref.subject == SHOP and "vip" in row.traits.tags and not row.pinned,
    ),
]


async def test_each_filter_lets_through_what_it_says(storage: Storage, scope: TenantScope) -> None:
    rows = varied()
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, row) for row in rows], day(0))
    async with storage.transaction(scope) as uow:
        for kind, chosen, test in FILTERS:
            wanted = FactFilter(kind, NOW, **chosen)
            expected = [row for row in rows if row.ref.subject.scope is kind and test(row)]
            page = await uow.facts.page(wanted, PageRequest(limit=200, with_total=True))
            assert [record.fact for record in page.items] == expected[::-1], chosen
            assert (page.total, page.next) == (len(expected), None)
            assert [record.fact for record in await gathered(uow.facts.everything(wanted))] == expected, chosen


@WILD
@example(tier=Tier.SESSION, half_life=None, confidence=0.125, age=1042.0, rivals=30, least=5e-324)
@example(tier=Tier.SESSION, half_life=None, confidence=0.125, age=960.0, rivals=0, least=1e-300)
@example(tier=Tier.SESSION, half_life=None, confidence=0.125, age=960.0, rivals=0, least=1e-280)
@given(
    tier=st.sampled_from(Tier),
    half_life=st.none() | st.floats(0.001, 36500),
    confidence=st.floats(1e-9, 1),
    age=st.floats(-1, 4000),
    rivals=st.integers(0, 30),
    least=st.floats(0, 1),
)
async def test_the_least_score_is_the_domain_s(storage: Storage, scope: TenantScope, least: float, **row: Any) -> None:
    one = fact(
        uuid7().int,
        at=30 - row["age"],
        tier=row["tier"],
        half_life=row["half_life"],
        confidence=row["confidence"],
        newer_rivals=row["rivals"],
    )
    score = one.score(NOW)
    assume(abs(score - least) > 1e-9 * score)
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one)], NOW)
        page = await uow.facts.page(FactFilter(Scope.STORE, NOW, min_score=least), PageRequest())
        assert [record.fact for record in page.items] == ([one] if score >= least else [])
        await uow.facts.apply([Change(one, None)], NOW)


@pytest.mark.parametrize("confidence", [0.1, 0.3, 0.7, 0.8, 0.95, 1.0])
async def test_a_score_that_is_just_the_least_is_enough(
    storage: Storage, scope: TenantScope, confidence: float
) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, fact(1, tier=Tier.IDENTITY, confidence=confidence))], NOW)
        page = await uow.facts.page(FactFilter(Scope.STORE, NOW, min_score=confidence), PageRequest())
    assert len(page.items) == 1


async def test_pages_neither_skip_nor_repeat_while_rows_come_and_go(storage: Storage, scope: TenantScope) -> None:
    rows = [replace(fact(1, f"key{number}"), id=uuid7()) for number in range(40)]
    unseen = rows[0]

    async def write(*changes: Change) -> None:
        async with storage.transaction(scope) as uow:
            await uow.facts.apply(changes, NOW)

    async def meanwhile() -> None:
        """A row above the place that was reached, and one gone below it."""
        newcomer = replace(fact(1, "newcomer"), id=uuid7())
        await write(Change(None, newcomer), *([Change(unseen, None)] if unseen.id not in gone else []))
        gone.add(unseen.id)

    async def read(request: PageRequest) -> Any:
        async with storage.transaction(scope) as uow:
            return await uow.facts.page(FactFilter(Scope.STORE, NOW), request)

    gone: set[Any] = set()
    await write(*(Change(None, row) for row in rows))
    seen = [record.fact for record in await walked(read, 7, meanwhile)]
    assert seen == rows[:0:-1]
