"""/memory/rules: an organisation's own Markdown, kept to the byte, in versions, and served with every block."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event

from tests.support.talk import problem, recall, tables_holding, write
from tests.support.world import Tenant, World

ROUTE, VERSIONS = "/memory/rules", "/memory/rules/versions"
ODD = "# Règles\r\n\t- « Vouvoie » les clients.\u2028\n\n   \n</memory>\n"


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "ada": "admin", "mia": "member", "carla": None})


async def put(tenant: Tenant, markdown: str, person: str = "ada", **headers: str) -> Any:
    return await tenant.acting(person).put(ROUTE, json={"markdown": markdown}, headers=headers)


async def test_an_organisation_begins_without_any(tenant: Tenant) -> None:
    read = await tenant.acting("mia").get(ROUTE)
    assert (read.status_code, read.headers["etag"]) == (200, '"0"')
    assert read.json() == {"version": 0, "markdown": "", "author": None, "created_at": None}
    assert (await tenant.acting("mia").get(VERSIONS)).json()["items"] == []
    assert (await recall(tenant.acting("carla")))["rules"] == {"markdown": "", "etag": '"0"'}


async def test_they_are_kept_and_served_to_the_byte(tenant: Tenant) -> None:
    written = await put(tenant, ODD)
    assert (written.status_code, written.headers["etag"], written.json()["markdown"]) == (200, '"1"', ODD)
    read = await tenant.acting("mia").get(ROUTE)
    assert (read.json(), read.headers["etag"]) == (written.json(), '"1"')
    assert read.json()["author"] == {"type": "person", "id": "ada"}
    for person in ("alice", "mia", "carla", "norma"):
        for _ in range(2):
            assert (await recall(tenant.acting(person)))["rules"] == {"markdown": ODD, "etag": '"1"'}


async def test_each_version_stays_and_an_older_one_is_written_again(tenant: Tenant) -> None:
    for markdown in ("one", "two", "one", ""):
        await put(tenant, markdown)
    pages = await tenant.acting("mia").get(VERSIONS, params={"limit": 3, "total": True})
    rest = await tenant.acting("mia").get(VERSIONS, params={"limit": 3, "cursor": pages.json()["next_cursor"]})
    items = [*pages.json()["items"], *rest.json()["items"]]
    assert [(item["version"], item["markdown"]) for item in items] == [(4, ""), (3, "one"), (2, "two"), (1, "one")]
    assert (pages.json()["total"], rest.json()["next_cursor"]) == (4, None)
    assert {item["author"]["id"] for item in items} == {"ada"}
    assert [item["created_at"] for item in items] == sorted((item["created_at"] for item in items), reverse=True)
    assert (await recall(tenant.acting("mia")))["rules"] == {"markdown": "", "etag": '"4"'}


async def test_a_change_is_an_event_and_the_same_again_is_none(tenant: Tenant) -> None:
    for markdown in ("", "one", "one", "two"):
        assert (await put(tenant, markdown)).status_code == 200
    events = (await tenant.acting("mia").get("/memory/events", params={"kind": "rules_changed"})).json()["items"]
    versions = [{"version": 2, "markdown": "two"}, {"version": 1, "markdown": "one"}, {"version": 0, "markdown": ""}]
    assert [(told["new"], told["old"]) for told in events] == list(pairwise(versions))
    assert {told["actor"]["id"] for told in events} == {"ada"}
    assert (await tenant.owner.get(ROUTE)).json()["version"] == 2


async def test_they_are_written_over_what_nobody_else_changed(tenant: Tenant) -> None:
    assert (await put(tenant, "one", **{"If-Match": '"0"'})).status_code == 200
    assert problem(await put(tenant, "two", **{"If-Match": '"0"'})) == (412, "precondition_failed")
    answers = await asyncio.gather(*(put(tenant, f"by {n}", **{"If-Match": '"1"'}) for n in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 412, 412, 412, 412]
    assert (await tenant.owner.get(ROUTE)).json()["version"] == 2


async def test_written_at_once_each_is_a_version(tenant: Tenant) -> None:
    await asyncio.gather(*(put(tenant, f"by {n}") for n in range(6)))
    items = (await tenant.owner.get(VERSIONS)).json()["items"]
    assert [item["version"] for item in items] == [6, 5, 4, 3, 2, 1]
    assert {item["markdown"] for item in items} == {f"by {n}" for n in range(6)}


async def test_a_key_has_one_effect_and_keeps_no_words(tenant: Tenant, superuser_url: str) -> None:
    word = f"canary-{tenant.org_id}"
    answers = [await put(tenant, word, **{"Idempotency-Key": "k"}) for _ in range(3)]
    assert [(one.status_code, one.json(), one.headers["etag"]) for one in answers] == [
        (200, answers[0].json(), '"1"')
    ] * 3
    assert (await tables_holding(superuser_url, word)).keys() == {"rules", "event_values"}


@pytest.mark.parametrize(
    "wrong",
    [{}, {"markdown": None}, {"markdown": 7}, {"markdown": "é" * 8193}, {"markdown": "x", "version": 1}],
    ids=str,
)
async def test_what_cannot_be_is_refused(tenant: Tenant, wrong: dict[str, Any]) -> None:
    assert problem(await tenant.acting("ada").put(ROUTE, json=wrong)) == (422, "invalid_request")
    assert (await tenant.owner.get(ROUTE)).json()["version"] == 0


async def test_as_long_as_they_may_be_they_fit_everywhere(tenant: Tenant) -> None:
    first, second = "é" * 8192, "x" * 16384
    for markdown in (first, second):
        assert (await put(tenant, markdown)).json()["markdown"] == markdown
    (told, _) = (await tenant.owner.get("/memory/events", params={"kind": "rules_changed"})).json()["items"]
    assert (told["old"]["markdown"], told["new"]["markdown"]) == (first, second)


async def test_who_may(tenant: Tenant) -> None:
    assert problem(await put(tenant, "x", "mia")) == (403, "forbidden")
    assert problem(await tenant.acting("carla").get(ROUTE)) == (403, "forbidden")
    limited = tenant.with_key(await tenant.make_key("admin", store_ids=["shop1"]))
    assert problem(await limited.put(ROUTE, json={"markdown": "x"})) == (403, "limited_key")
    assert (await limited.get(ROUTE)).json()["markdown"] == ""
    by_key = tenant.with_key(await tenant.make_key("admin"))
    assert (await by_key.put(ROUTE, json={"markdown": "x"})).json()["author"]["type"] == "key"


async def test_one_organisation_s_rules_are_not_another_s(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    await put(tenant, "ours")
    await other.owner.put(ROUTE, json={"markdown": "theirs"})
    assert (await recall(tenant.acting("mia")))["rules"]["markdown"] == "ours"
    assert (await recall(other.acting("alice")))["rules"]["markdown"] == "theirs"


async def test_they_stay_where_nothing_is_to_be_remembered(tenant: Tenant) -> None:
    await put(tenant, ODD)
    await write(tenant.owner, "org", "tone", "warm")
    await tenant.acting("mia").patch("/memory/users/mia", json={"remember": False})
    silent = await recall(tenant.acting("mia"))
    assert (silent["block"], silent["reason"], silent["rules"]["markdown"]) == ("", "person_opted_out", ODD)
    await tenant.owner.patch("/memory/settings", json={"enabled": False})
    disabled = await recall(tenant.acting("ada"))
    assert (disabled["block"], disabled["reason"], disabled["rules"]["markdown"]) == ("", "disabled", ODD)


async def test_an_author_who_is_gone_is_named_no_more(tenant: Tenant, superuser_url: str) -> None:
    await put(tenant, "one")
    assert (await tenant.owner.delete(f"{tenant.path}/people/ada")).status_code == 200
    assert (await tenant.owner.get(ROUTE)).json()["author"] is None
    (item,) = (await tenant.owner.get(VERSIONS)).json()["items"]
    assert (item["author"], item["markdown"]) == (None, "one")
    assert "rules" not in await tables_holding(superuser_url, '"ada"', tenant.org_id)


async def test_admins_take_all_versions_away_and_others_none(tenant: Tenant) -> None:
    for markdown in ("one", ODD):
        await put(tenant, markdown)
    whole = (await tenant.acting("ada").get("/memory/export")).json()
    assert [(rules["version"], rules["markdown"]) for rules in whole["rules"]] == [(1, "one"), (2, ODD)]
    assert whole["manifest"]["counts"]["rules"] == 2
    assert (await tenant.acting("mia").get("/memory/export")).json()["rules"] == []


async def test_they_cost_a_block_no_look_of_their_own(world: World, tenant: Tenant) -> None:
    """The organisation, its settings and its rules are one statement."""
    await put(tenant, ODD)
    seen: list[str] = []

    def note(_c: Any, _k: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    engine = world.container.storage._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        await recall(tenant.acting("mia"))
    finally:
        event.remove(engine, "before_cursor_execute", note)
    named = [statement for statement in seen if "organisations" in statement or " rules" in statement]
    assert (len(named), len([one for one in seen if "set_config" in one])) == (1, 1)
    assert "FROM organisations" in named[0]
    assert "JOIN rules" in named[0]
