"""`as_of` and `known_at`: what held then, and what was known then, on facts, search and context."""

from datetime import datetime, timedelta

import httpx
import pytest

from tests.support.clock import MovingClock
from tests.support.talk import block, facts, faults, path_of, problem, recall, turn, write
from tests.support.world import Tenant, World

FROM_60, FROM_80 = "Chez nous, la livraison est offerte dès 60 €.", "En fait, c'est 80 €."
UPDATED = "La livraison offerte passe à 80 €."
ROUTES = ("facts", "search", "context")


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def tell(world: World, client: httpx.AsyncClient, content: str, ago: float = 20) -> datetime:
    """It is said so many seconds ago, answered five seconds later, and read now; the instant after that."""
    said, now = turn(content, answer="Entendu."), world.container.clock()
    said["user_message"]["sent_at"] = (now - timedelta(seconds=ago)).isoformat()
    said["assistant_message"]["sent_at"] = (now - timedelta(seconds=ago - 5)).isoformat()
    answer = await client.post("/memory/turns", json=said)
    assert answer.status_code == 202, answer.text
    await world.finish_jobs()
    return world.container.clock()


async def read(client: httpx.AsyncClient, route: str, **when: datetime) -> str:
    """What the route tells of the shipping as of then, as one text without what is marked as superseded."""
    times = {name: instant.isoformat() for name, instant in when.items()}
    if route == "facts":
        return "\n".join(fact["content"] for fact in await facts(client, **times))
    if route == "context":
        return await block(client, **times)
    asked = {"query": "livraison offerte", "store_id": "shop1", "kinds": ["fact"], **times}
    answer = await client.post("/memory/search", json=asked)
    assert answer.status_code == 200, answer.text
    return "\n".join(item["content"] for item in answer.json()["items"] if not item["superseded"])


def amounts(text: str) -> list[str]:
    return [amount for amount in ("60 €", "80 €") if amount in text]


@pytest.mark.parametrize("route", ROUTES)
async def test_yesterday_says_60_before_the_correction_says_60_today_says_80(
    world: World, shop: Tenant, clock: MovingClock, route: str
) -> None:
    alice, start = shop.acting("alice"), clock() - timedelta(hours=1)
    yesterday = await tell(world, alice, FROM_60)
    clock.advance(days=1)
    before = await tell(world, alice, FROM_60, ago=40)
    after = await tell(world, alice, FROM_80)
    clock.advance(hours=1)
    told = {
        "today": await read(alice, route),
        "as of yesterday": await read(alice, route, as_of=yesterday),
        "known before the correction": await read(alice, route, known_at=before),
        "of today, known before the correction": await read(alice, route, as_of=after, known_at=before),
        "of today, known today": await read(alice, route, as_of=after, known_at=after),
        "as of the time before": await read(alice, route, as_of=start),
        "known the time before": await read(alice, route, known_at=start),
    }
    assert {name: amounts(text) for name, text in told.items()} == {
        "today": ["80 €"],
        "as of yesterday": ["60 €"],
        "known before the correction": ["60 €"],
        "of today, known before the correction": ["60 €"],
        "of today, known today": ["80 €"],
        "as of the time before": [],
        "known the time before": [],
    }


@pytest.mark.parametrize("route", ROUTES)
async def test_since_a_day_that_was_named_later_the_newer_value_held(
    world: World, shop: Tenant, clock: MovingClock, route: str
) -> None:
    alice = shop.acting("alice")
    await tell(world, alice, FROM_60)
    clock.advance(days=5)
    between = clock()
    clock.advance(days=5)
    unaware = clock()
    since = f"{between - timedelta(days=1):%Y-%m-%d}"
    await write(alice, "store", "shipping.free_threshold", "80 €", content="Livraison offerte dès 80 €.",
                valid_from=f"{since}T00:00:00Z")  # fmt: skip
    assert amounts(await read(alice, route, as_of=between)) == ["80 €"]
    assert amounts(await read(alice, route, as_of=between, known_at=unaware)) == ["60 €"]
    assert amounts(await read(alice, route, as_of=between - timedelta(days=3))) == ["60 €"]


async def test_what_is_superseded_is_told_as_of_then(world: World, shop: Tenant, clock: MovingClock) -> None:
    """In search, and in lists of what is archived; scores are of then too."""
    alice = shop.acting("alice")
    first = await tell(world, alice, FROM_60)
    clock.advance(days=90)
    second = await tell(world, alice, UPDATED)
    for when, superseded in ((first, {"60 €": False}), (second, {"60 €": True, "80 €": False})):
        asked = {"query": "livraison offerte", "store_id": "shop1", "kinds": ["fact"], "as_of": when.isoformat()}
        items = (await alice.post("/memory/search", json=asked)).json()["items"]
        assert {amounts(item["content"])[0]: item["superseded"] for item in items} == superseded
    assert await facts(alice, archived=True, as_of=first.isoformat()) == []
    (then,) = await facts(alice, as_of=first.isoformat())
    (now,) = await facts(alice, archived=True)
    assert (then["id"], then["archived_at"], then["superseded_by"]) == (now["id"], None, None)
    assert then["valid_to"] == now["valid_to"]
    assert then["strength"] == pytest.approx(then["confidence"], abs=1e-4)
    assert now["strength"] < 0.9 * now["confidence"]


async def test_messages_are_those_sent_and_recorded_by_then(world: World, shop: Tenant, clock: MovingClock) -> None:
    alice = shop.acting("alice")
    before = clock() - timedelta(hours=1)
    await tell(world, alice, "Le transporteur passe vers seize heures.")
    after = clock()
    clock.advance(days=2)
    said = turn("Le transporteur passe vers onze heures.")
    said["user_message"]["sent_at"] = (before - timedelta(days=300)).isoformat()
    await alice.post("/memory/turns", json=said)

    async def found(**when: datetime) -> list[str]:
        times = {name: instant.isoformat() for name, instant in when.items()}
        asked = {"query": "transporteur", "kinds": ["message"], "store_id": "shop1", **times}
        items = (await alice.post("/memory/search", json=asked)).json()["items"]
        context = await recall(alice, query="À quelle heure passe le transporteur ?", conversation_id="now", **times)
        assert {each["id"] for each in context["messages"]} == {each["id"] for each in items}
        return sorted(item["content"].split()[-2] for item in items)

    assert await found() == ["onze", "seize"]
    assert await found(as_of=before) == ["onze"]
    assert await found(known_at=after) == ["seize"]
    assert await found(as_of=after) == ["onze", "seize"]
    assert await found(as_of=before, known_at=after) == []


async def test_one_fact_is_read_as_it_stood(shop: Tenant, clock: MovingClock) -> None:
    alice, before = shop.acting("alice"), clock()
    fact = await write(alice, "store", "hours.opening", "9 h")
    written = clock()
    clock.advance(days=1)
    await alice.patch(path_of(fact), json={"value": "10 h"})
    await alice.patch(path_of(fact), json={"tags": ["old"]})
    for when in ({"as_of": written.isoformat()}, {"known_at": written.isoformat()}):
        then = await alice.get(path_of(fact), params=when)
        assert (then.json()["value"], then.json()["archived_at"], then.json()["tags"]) == ("9 h", None, [])
        assert "etag" not in then.headers
        assert problem(await alice.get(path_of(fact), params=dict.fromkeys(when, before.isoformat()))) == (
            404,
            "not_found",
        )
    assert (await shop.acting("carla").get(path_of(fact), params={"as_of": written.isoformat()})).status_code == 403


async def test_customers_are_served_the_past_of_what_they_may_see_today(shop: Tenant, clock: MovingClock) -> None:
    shown = await write(shop.owner, "store", "hours.opening", "9 h", audience="everyone")
    hidden = await write(shop.owner, "store", "margin", "trente pour cent")
    then = clock().isoformat()
    clock.advance(days=1)
    await shop.owner.patch(path_of(shown), json={"audience": "team"})
    await shop.owner.patch(path_of(hidden), json={"audience": "everyone"})
    carla = shop.acting("carla")
    for when in ({"as_of": then}, {"known_at": then}):
        text = await block(carla, **when)
        assert ("9 h" in text, "trente pour cent" in text) == (False, True)
        for query, hits in (("9 h", 0), ("trente pour cent", 1)):
            answer = await carla.post("/memory/search", json={"query": query, "store_id": "shop1", **when})
            assert len(answer.json()["items"]) == hits


async def test_what_was_erased_is_in_no_past(world: World, shop: Tenant, clock: MovingClock) -> None:
    alice = shop.acting("alice")
    await tell(world, alice, FROM_60)
    clock.advance(days=1)
    await tell(world, alice, UPDATED)
    then = clock()
    clock.advance(days=1)
    (current,) = await facts(alice)
    await alice.delete(path_of(current), params={"with_sources": "true"})
    for route in ROUTES:
        for when in ({"as_of": then}, {"known_at": then}):
            assert amounts(await read(alice, route, **when)) == [], (route, when)
        assert amounts(await read(alice, route, as_of=then - timedelta(hours=1))) == ["60 €"]


async def test_a_block_of_the_past_is_not_what_a_conversation_stands_on(
    world: World, shop: Tenant, clock: MovingClock
) -> None:
    """A correction is about what was served last; nothing is marked as seen."""
    alice = shop.acting("alice")
    fact = await write(alice, "store", "shipping.free_threshold", "60 €")
    then = clock().isoformat()
    clock.advance(days=1)
    context = await recall(alice, conversation_id="c1", as_of=then)
    assert [served["id"] for served in context["facts"]] == [fact["id"]]
    await facts(alice, as_of=then)
    for seen in (False, True):
        await world.container.receipts.close()  # what waits is written
        assert ((await alice.get(path_of(fact))).json()["last_seen_at"] is not None) is seen


@pytest.mark.parametrize("name", ["as_of", "known_at"])
@pytest.mark.parametrize(
    ("value", "status", "kind"),
    [("2026-03-01T10:00:00", 422, "time_without_zone"), ("yesterday", 422, "time_format"), ("", 422, "time_format"),
     ("+1", 422, "time_ahead")],
)  # fmt: skip
async def test_a_time_without_a_zone_or_to_come_is_refused(
    shop: Tenant, clock: MovingClock, name: str, value: str, status: int, kind: str
) -> None:
    alice = shop.acting("alice")
    given = (clock() + timedelta(minutes=1)).isoformat() if value == "+1" else value
    fact = await write(alice, "org", "a", "b")
    answers = [
        await alice.post(path, json={"query": "a", name: given}) for path in ("/memory/search", "/memory/context")
    ]
    lists = [*(f"/memory/facts/{scope}" for scope in ("org", "store", "user")), path_of(fact)]
    answers += [await alice.get(path, params={name: given}) for path in lists]
    for answer in answers:
        assert answer.status_code == status, answer.text
        assert faults(answer) == [(f"/{name}", kind)]


@pytest.mark.parametrize("name", ["as_of", "known_at"])
async def test_a_route_that_tells_of_the_present_alone_says_so(shop: Tenant, clock: MovingClock, name: str) -> None:
    alice, when = shop.acting("alice"), {name: clock().isoformat()}
    fact = await write(alice, "org", "a", "b")
    for path in (f"{path_of(fact)}/history", "/memory/events", "/memory/contradictions", "/memory/stats",
                 "/memory/observations", "/memory/tool-affinities", "/memory/export", "/memory/settings"):  # fmt: skip
        assert problem(await alice.get(path, params=when)) == (400, "time_travel_unsupported"), path
    for path in ("/memory/search", "/memory/context"):
        answer = await alice.post(path, json={"query": "a"}, params=when)
        assert problem(answer) == (400, "time_travel_unsupported"), path
    counted = await alice.get("/memory/facts/org", params={"total": "true", **when})
    assert problem(counted) == (400, "time_travel_unsupported")
