"""GET /memory/events: everybody may know that something happened, and what it says only those it is for."""

from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from app.domain.events import EventKind, event
from app.domain.subjects import UserSubject
from app.ports.events import EventFilter
from app.ports.paging import PageRequest
from tests.api.furnished import (
    ALICE,
    ANNA,
    BOB,
    CARLA,
    DAVE,
    FACTS,
    OLGA,
    PEOPLE,
    SHARED,
    Furnished,
    furnish,
    owner_of,
    person,
)
from tests.support.world import World
from tests.unit.memories import day


@pytest.fixture
async def here(world: World) -> Furnished:
    return await furnish(world)


async def trail(reader: httpx.AsyncClient, **query: Any) -> dict[str, Any]:
    """The answer, which must be a good one."""
    answer = await reader.get("/memory/events", params={"limit": 200, "total": True, **query})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    assert page["total"] == len(page["items"])
    return page


def about(page: dict[str, Any], name: str, kind: str = "created") -> dict[str, Any]:
    """The event of this kind about this fact."""
    found = [item for item in page["items"] if item["fact_id"] == FACTS[name].id and item["kind"] == kind]
    assert len(found) == 1
    return dict(found[0])


@pytest.mark.parametrize(
    ("reader", "own"), [(OLGA, set()), (ANNA, set()), (ALICE, {"alice"}), (BOB, {"bob"}), (None, set())]
)
async def test_words_about_a_person_are_for_that_person_alone(
    here: Furnished, reader: str | None, own: set[str]
) -> None:
    answer = await here.by(reader).get("/memory/events", params={"limit": 200})
    page = answer.json()
    assert here.told(answer.text) == SHARED | own
    for name in PEOPLE - own:
        told = about(page, name)
        assert (told["scope"], told["old"], told["new"], told["reason"]) == ("user", None, None, None)
    assert about(page, "company")["new"]["content"] == here.words("company")


@pytest.mark.parametrize("contact", [CARLA, "nobody-knows-me"])
async def test_a_contact_reads_no_trail(here: Furnished, contact: str) -> None:
    answer = await here.by(contact).get("/memory/events")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("reader", [OLGA, ANNA, ALICE, None])
async def test_contacts_are_named_to_nobody(here: Furnished, reader: str | None) -> None:
    answer = await here.by(reader).get("/memory/events", params={"limit": 200})
    assert answer.status_code == 200
    assert CARLA not in answer.text
    assert DAVE not in answer.text
    assert about(answer.json(), "carla", "read")["actor"] == {"type": "person", "id": ANNA}


@pytest.mark.parametrize(("reader", "named"), [(ALICE, ALICE), (BOB, None), (ANNA, None), (None, None)])
async def test_who_acts_on_their_own_memory_is_named_to_themself(
    here: Furnished, reader: str | None, named: str | None
) -> None:
    page = await trail(here.by(reader))
    assert about(page, "alice")["actor"] == {"type": "person", "id": named}
    assert about(page, "shop1")["actor"] == {"type": "person", "id": ALICE}
    skipped = [item for item in page["items"] if item["kind"] == "turn_skipped"]
    assert sorted(str(item["actor"]["id"]) for item in skipped) == sorted([str(named), "None"])
    assert all((item["scope"], item["fact_id"], item["new"]) == (None, None, None) for item in skipped)


@pytest.mark.parametrize(
    ("reader", "actor", "found"),
    [(ALICE, ALICE, 4), (BOB, ALICE, 2), (ANNA, CARLA, 0), (None, CARLA, 0), (BOB, ANNA, 5)],
)
async def test_a_hidden_actor_cannot_be_asked_for(here: Furnished, reader: str | None, actor: str, found: int) -> None:
    page = await trail(here.by(reader), actor=actor)
    assert len(page["items"]) == found
    assert {item["actor"]["id"] for item in page["items"]} <= {actor}


async def test_who_left_the_team_is_a_contact_and_named_no_more(world: World, here: Furnished) -> None:
    assert about(await trail(here.by(BOB)), "shop1")["actor"]["id"] == ALICE
    left = await world.platform.put(f"{here.tenant.path}/people/{ALICE}", json={"role": None})
    assert left.status_code == 200
    told = about(await trail(here.by(BOB)), "shop1")
    assert (told["actor"]["id"], told["new"]["content"]) == (None, here.words("shop1"))


@pytest.mark.parametrize(("reader", "subject"), [(ALICE, UserSubject(ALICE)), (BOB, None), (None, None)])
async def test_whom_an_event_is_about_does_not_leave_the_storage(
    world: World, here: Furnished, reader: str | None, subject: UserSubject | None
) -> None:
    wanted = EventFilter(fact_id=UUID(FACTS["alice"].id), reader=reader)
    async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
        page = await uow.events.page(wanted, PageRequest())
    assert [event.subject for event in page.items] == [subject]


async def test_a_key_is_an_actor_too(here: Furnished) -> None:
    settings = await here.by().patch("/memory/settings", json={"language": "en"})
    assert settings.status_code == 200
    changed = (await trail(here.by(BOB), kind="settings_changed"))["items"][0]
    assert changed["actor"]["type"] == "key"
    assert (await trail(here.by(BOB), actor=changed["actor"]["id"]))["items"] == [changed]


async def test_filters_narrow_together(world: World, here: Furnished) -> None:
    async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
        pins = [event(EventKind.PINNED, person(BOB), day(at), fact_id=UUID(int=at)) for at in (1, 2, 3)]
        await uow.events.append(pins)

    async def days(**query: Any) -> list[int]:
        page = await trail(here.by(BOB), **query)
        return sorted(UUID(item["fact_id"]).int for item in page["items"])

    assert await days(kind="pinned") == [1, 2, 3]
    assert await days(fact=FACTS["company"].id) == [1, 1]
    assert await days(fact=FACTS["company"].id, kind="pinned") == [1]
    assert await days(kind="pinned", since=day(2).isoformat()) == [2, 3]
    assert await days(since=day(1).isoformat(), until=day(3).isoformat(), actor=BOB) == [1, 2]
    assert await days(fact=str(uuid4())) == []


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "exploded"},
        {"fact": "7"},
        {"since": "2026-03-01T09:00:00"},
        {"until": "yesterday"},
        {"actor": ""},
        {"limit": "0"},
        {"reader": ALICE},
    ],
)
async def test_what_cannot_be_filtered_by_is_refused(here: Furnished, query: dict[str, str]) -> None:
    answer = await here.by(ALICE).get("/memory/events", params=query)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")


async def test_a_limited_key_lists_what_lies_within_its_limits(here: Furnished) -> None:
    shop1 = await here.by(key=here.shop1_key).get("/memory/events", params={"limit": 200})
    assert here.told(shop1.text) == SHARED - {"shop2"}
    assert FACTS["shop2"].id not in shop1.text
    maya = await here.by(key=here.maya_key).get("/memory/events", params={"limit": 200})
    assert here.told(maya.text) == SHARED - {"otis"}
    assert FACTS["otis"].id not in maya.text
    await trail(here.by(key=here.shop1_key))
    await trail(here.by(key=here.maya_key))


async def test_organisations_with_the_same_ids_read_their_own(world: World, here: Furnished) -> None:
    there = await furnish(world)
    for mine, other in ((here, there), (there, here)):
        answer = await mine.by(ALICE).get("/memory/events", params={"limit": 200})
        assert other.org_id not in answer.text
        assert mine.told(answer.text) == SHARED | {"alice"}
        created = await mine.by(ALICE).get("/memory/events", params={"kind": "created", "total": True})
        assert created.json()["total"] == len(FACTS)


async def test_pages_show_each_event_once_while_others_are_written(world: World, here: Furnished) -> None:
    async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
        await uow.events.append([event(EventKind.PINNED, person(BOB), day(1)) for _ in range(40)])
    whole = [item["id"] for item in (await trail(here.by(BOB)))["items"]]
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 10}
    while True:
        page = (await here.by(BOB).get("/memory/events", params=query)).json()
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        query["cursor"] = page["next_cursor"]
        async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
            await uow.events.append([event(EventKind.UNPINNED, person(BOB), day(2))])
    assert seen == whole


async def test_a_cursor_is_of_one_reader_and_one_filter(world: World, here: Furnished) -> None:
    there = await furnish(world)
    cursor = (await here.by(BOB).get("/memory/events", params={"limit": 1})).json()["next_cursor"]
    for reader, query in ((here.by(ALICE), {}), (there.by(BOB), {}), (here.by(BOB), {"kind": "created"})):
        answer = await reader.get("/memory/events", params={"cursor": cursor, **query})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


async def test_what_is_erased_is_gone_and_the_line_stays(world: World, here: Furnished) -> None:
    async with world.container.storage.transaction(owner_of(here.org_id)) as uow:
        assert await uow.events.erase_values([UUID(int=FACTS["company"].number)]) == 1
        await uow.events.append([event(EventKind.READ, person(ANNA), day(1), subject=UserSubject(BOB), new="secret")])
        await uow.people.delete(BOB)
    page = await trail(here.by(ALICE))
    assert about(page, "company")["new"] is None
    about_nobody = [item for item in page["items"] if item["scope"] == "user" and item["kind"] == "read"]
    assert [item["new"] for item in about_nobody] == [None, None]
    assert about(page, "bob")["actor"] == {"type": "person", "id": None}
