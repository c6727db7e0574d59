"""GET /memory/export: what each caller takes away, and the shape in which it leaves."""

import json
from hashlib import sha256
from typing import Any

import httpx
import pytest

from app.api.schemas.export import ExportOut
from app.domain.events import Change
from app.domain.subjects import OrgSubject
from tests.api.furnished import (
    ALICE,
    ANNA,
    BOB,
    CARLA,
    DAVE,
    FACTS,
    OLGA,
    PEOPLE,
    ROLES,
    SHARED,
    Furnished,
    furnish,
    owner_of,
)
from tests.support.world import World
from tests.unit.memories import START, fact

MEMBERS = [
    *("organisation", "stores", "people", "channels", "facts", "sources", "decisions", "messages", "observations"),
    "events",
    "rules",
]
PUBLIC = {"promise", "shop2"}
EVERYTHING = SHARED | PEOPLE


@pytest.fixture
async def here(world: World) -> Furnished:
    return await furnish(world)


async def exported(reader: httpx.AsyncClient, **query: str) -> dict[str, Any]:
    """The document, which must be a good one."""
    answer = await reader.get("/memory/export", params=query)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def names(document: dict[str, Any], member: str = "facts") -> set[str]:
    return {record["key"].removeprefix("key.") for record in document[member]}


def speakers(document: dict[str, Any]) -> set[str]:
    return {record["user_id"] for record in document["messages"]}


@pytest.mark.parametrize(
    ("reader", "facts", "sources", "messages", "people", "stores"),
    [
        (None, EVERYTHING, EVERYTHING, {ALICE, BOB, CARLA, DAVE}, set(ROLES), 2),
        (OLGA, EVERYTHING, EVERYTHING, {ALICE, BOB, CARLA, DAVE}, set(ROLES), 2),
        (ANNA, SHARED, SHARED, set(), {ANNA}, 2),
        (ALICE, PUBLIC | {"alice"}, {"alice"}, {ALICE}, {ALICE}, 0),
        (BOB, PUBLIC | {"bob"}, {"bob"}, {BOB}, {BOB}, 0),
        (CARLA, PUBLIC | {"carla"}, {"carla"}, {CARLA}, {CARLA}, 0),
        ("stranger", PUBLIC, set(), set(), set(), 0),
    ],
)
async def test_everybody_takes_what_is_theirs(
    here: Furnished,
    reader: str | None,
    facts: set[str],
    sources: set[str],
    messages: set[str],
    people: set[str],
    stores: int,
) -> None:
    document = await exported(here.by(reader))
    assert (names(document), names(document, "sources"), speakers(document)) == (facts, sources, messages)
    assert {record["user_id"] for record in document["observations"]} == messages
    assert {person["user_id"] for person in document["people"]} == people
    assert len(document["stores"]) == stores
    assert (document["settings"] is not None) == (reader in (None, OLGA, ANNA))
    assert here.told(json.dumps(document, ensure_ascii=False)) == facts


@pytest.mark.parametrize(
    ("reader", "about", "kinds"),
    [
        (ALICE, {ALICE}, {"created", "exported", "role_changed"}),
        (CARLA, set(), set()),
        (ANNA, {ANNA, None}, {"created", "exported", "key_made", "role_changed", "turn_skipped"}),
        (OLGA, {*ROLES, None}, {"created", "exported", "key_made", "read", "role_changed", "turn_skipped"}),
    ],
)
async def test_events_leave_with_those_they_are_for(
    here: Furnished, reader: str, about: set[str | None], kinds: set[str]
) -> None:
    await exported(here.by(reader))
    events = (await exported(here.by(reader)))["events"]
    assert {event["user_id"] for event in events} == about
    assert {event["kind"] for event in events} == kinds
    contacts_named = any(event["actor"] and event["actor"]["id"] in (CARLA, DAVE) for event in events)
    assert contacts_named == (reader == OLGA)


@pytest.mark.parametrize(
    ("reader", "scope", "facts"),
    [
        (OLGA, "org", {"company", "promise"}),
        (OLGA, "store", {"shop1", "shop2", "maya", "otis"}),
        (OLGA, "user", PEOPLE),
        (ANNA, "user", set()),
        (ANNA, "store", {"shop1", "shop2", "maya", "otis"}),
        (ALICE, "user", {"alice"}),
        (ALICE, "store", {"shop2"}),
        (CARLA, "org", {"promise"}),
    ],
)
async def test_a_scope_narrows(here: Furnished, reader: str, scope: str, facts: set[str]) -> None:
    document = await exported(here.by(reader), scope=scope)
    assert names(document) == facts
    assert {event["scope"] for event in document["events"]} <= ({scope, None} if scope == "org" else {scope})
    assert bool(document["messages"]) == (scope == "user" and reader != ANNA)


async def test_what_is_for_nobody_is_refused(here: Furnished) -> None:
    for role, query in (("member", {}), ("admin", {"scope": "user"})):
        answer = await here.by(key=await here.tenant.make_key(role)).get("/memory/export", params=query)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    answer = await here.by(OLGA).get("/memory/export", params={"scope": "galaxy"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")


async def test_a_public_fact_does_not_tell_the_customer_who_said_it(here: Furnished) -> None:
    document = await exported(here.by(CARLA))
    assert [record["source"] for record in document["facts"] if record["scope"] != "user"] == [None, None]
    text = json.dumps(document)
    assert not any(name in text for name in (OLGA, ANNA, ALICE, BOB, DAVE))


async def test_a_limited_key_takes_what_lies_within_its_limits(here: Furnished) -> None:
    shop1 = await exported(here.by(key=here.shop1_key))
    assert names(shop1) == names(shop1, "sources") == EVERYTHING - {"shop2"}
    assert [store["store_id"] for store in shop1["stores"]] == ["shop1"]
    assert speakers(shop1) == {ALICE, BOB, DAVE}  # carla spoke in the other shop
    assert "shop2" not in json.dumps([event for event in shop1["events"] if event["kind"] != "key_made"])
    maya = await exported(here.by(key=here.maya_key))
    assert names(maya) == names(maya, "sources") == EVERYTHING - {"otis"}
    assert FACTS["otis"].id not in json.dumps(maya)
    carla = await exported(here.by(CARLA, here.shop1_key))
    assert (names(carla), speakers(carla)) == ({"promise", "carla"}, set())


async def test_organisations_with_the_same_ids_take_their_own(world: World, here: Furnished) -> None:
    there = await furnish(world)
    for mine, other in ((here, there), (there, here)):
        text = (await mine.by(OLGA).get("/memory/export")).text
        assert mine.told(text) == EVERYTHING
        assert other.org_id not in text


async def test_the_document_proves_that_it_is_whole(here: Furnished) -> None:
    answer = await here.by(OLGA).get("/memory/export")
    document = answer.json()
    ExportOut.model_validate(document)
    assert list(document) == [*MEMBERS, "settings", "manifest"]
    manifest = document["manifest"]
    assert manifest["counts"] == {name: len(document[name]) for name in MEMBERS[1:]}
    before = answer.content[: answer.content.rindex(b',\n"manifest":')]
    assert manifest["checksum"] == f"sha256:{sha256(before).hexdigest()}"
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["content-type"] == "application/json"
    assert "attachment" in answer.headers["content-disposition"]


async def test_nothing_changes_on_its_way_out(world: World, here: Furnished) -> None:
    odd = 'Ça « vaut » 60 €\u2028\u200f🎁 e\u0301 "quoted" \\ </script> ﷽ \x7f'
    value = {"nested": [odd, None, True, 1.5, -3], odd: {}}
    row = fact(99, "odd", odd, about=OrgSubject(), value=value, tags=(odd,))
    async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
        await uow.facts.apply([Change(None, row)], START)
    record = next(fact for fact in (await exported(here.by()))["facts"] if fact["key"] == "odd")
    assert (record["content"], record["value"], record["tags"]) == (odd, value, [odd])
    assert (record["created_at"], record["version"]) == ("2026-03-01T09:00:00Z", 1)


async def test_an_export_stands_in_the_trail(here: Furnished) -> None:
    await exported(here.by(OLGA))
    await exported(here.by(ALICE), scope="user")
    trail = await here.by(ALICE).get("/memory/events", params={"kind": "exported"})
    own, owners = trail.json()["items"]
    assert (own["scope"], own["actor"]["id"], own["new"]) == ("user", ALICE, {"user": "own"})
    assert (owners["scope"], owners["actor"]["id"]) == (None, OLGA)
    assert owners["new"] == {"org": "whole", "store": "whole", "user": "whole"}
    seen_by_bob = (await here.by(BOB).get("/memory/events", params={"kind": "exported"})).json()["items"][0]
    assert (seen_by_bob["actor"]["id"], seen_by_bob["new"]) == (None, None)


async def test_taking_away_makes_nobody(here: Furnished) -> None:
    await exported(here.by("stranger"))
    assert "stranger" not in {person["user_id"] for person in (await exported(here.by()))["people"]}
