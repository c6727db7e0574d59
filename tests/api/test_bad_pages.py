"""Every list refuses impossible limits and every cursor that is not its own, and pages neither skip nor repeat."""

import base64
from collections.abc import Callable
from datetime import date
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.domain.tenancy import Rank, TenantScope
from app.domain.usage import ModelUse
from tests.support.routes import endpoints
from tests.support.town import CHANNEL
from tests.support.world import WORKER, Tenant, World

LISTS = {
    "/memory/facts/org": {"tag": "a"},
    "/memory/facts/store": {"store_id": "shop1"},
    "/memory/facts/user": {"agent": "maya"},
    "/memory/observations": {"agent": "maya"},
    "/memory/contradictions": {"status": "open"},
    "/memory/jobs": {"status": "queued"},
    "/memory/events": {"kind": "created"},
    "/memory/rules/versions": None,
    "/memory/usage": {"since": "2000-01-02"},
    "/orgs/{org_id}/stores": None,
    "/orgs/{org_id}/people": None,
    "/orgs/{org_id}/channels": None,
    "/orgs/{org_id}/api-keys": None,
}
"""Every list, with a filter that narrows it."""
THREE = ("1", "2", "3")


@pytest.fixture(scope="module")
async def full(world: World) -> Tenant:
    """An organisation in which every list has at least three items."""
    tenant = await world.organisation(stores=["shop1", *THREE])
    alice = tenant.acting("alice")
    for number in THREE:
        await alice.put(f"{tenant.path}/channels/{CHANNEL}/{number}", json={"user_id": f"contact{number}"})
        await alice.put("/memory/rules", json={"markdown": number})
        await tenant.make_key("member")
        for kind, about in {"org": {}, "store": {"store_id": "shop1"}, "user": {"user_id": "alice"}}.items():
            await alice.post(f"/memory/facts/{kind}", json={"key": f"k.{number}", "value": number, **about})
        opposed = [await alice.post("/memory/facts/org", json={"key": f"c.{number}", "value": value}) for value in "ab"]
        await alice.post(f"/memory/facts/org/{opposed[0].json()['id']}/restore")
        message = {"id": number, "content": "Bonjour", "sent_at": "2026-03-02T10:00:00Z"}
        turn = {"conversation_id": "c", "channel": "web", "user_message": message}
        await alice.post("/memory/turns", json=turn)
        await alice.post("/memory/observations", json={"items": [{"type": "note", "content": number}]})
    async with world.container.storage.transaction(TenantScope(tenant.org_id, WORKER, Rank.OWNER)) as uow:
        for number in THREE:
            await uow.usage.add(date(2000, 1, int(number)), ModelUse(), turns=1)
    return tenant


def test_no_list_is_forgotten(app: FastAPI) -> None:
    assert {endpoint.path for endpoint in endpoints(app) if endpoint.is_list} == LISTS.keys()


async def ask(tenant: Tenant, path: str, **query: str) -> httpx.Response:
    return await tenant.acting("alice").get(path.format(org_id=tenant.org_id), params=query)


async def cursor_of(tenant: Tenant, path: str) -> str:
    answer = await ask(tenant, path, limit="1")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["next_cursor"])


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("limit", ["0", "-1", "201", "1e30", "9" * 30, "1.5", "", "NaN", "ten", "0x10", "١"])
async def test_an_impossible_limit_is_refused(full: Tenant, path: str, limit: str) -> None:
    answer = await ask(full, path, limit=limit)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request"), answer.text


@pytest.mark.parametrize("path", LISTS)
async def test_the_largest_and_the_smallest_limit_are_taken(full: Tenant, path: str) -> None:
    whole = (await ask(full, path, limit="200", total="true")).json()
    assert whole["total"] == len(whole["items"]) >= 3
    seen, query = [], {"limit": "1"}
    while True:
        page = (await ask(full, path, **query)).json()
        seen += page["items"]
        if page["next_cursor"] is None:
            break
        query["cursor"] = page["next_cursor"]
    assert [_lasting(item) for item in seen] == [_lasting(item) for item in whole["items"]]


SPOILT: dict[str, Callable[[str], str]] = {
    "cut": lambda cursor: cursor[:-1],
    "cut to nothing": lambda _: "",
    "halved": lambda cursor: cursor[: len(cursor) // 2],
    "longer": lambda cursor: cursor + "A",
    "twice": lambda cursor: cursor * 2,
    "padded": lambda cursor: cursor + "=",
    "flipped at the start": lambda cursor: ("B" if cursor[0] == "A" else "A") + cursor[1:],
    "flipped in the middle": lambda cursor: _flipped(cursor, len(cursor) // 2),
    "flipped at the end": lambda cursor: cursor[:-1] + ("A" if cursor[-1] != "A" else "E"),
    "of bytes": lambda _: base64.urlsafe_b64encode(b"\x00" * 40).decode(),
    "a number": lambda _: "1",
    "a path": lambda _: "../../etc/passwd",
    "no ASCII": lambda _: "é",
    "very long": lambda _: "A" * 10_000,
}


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
async def test_a_spoilt_cursor_is_refused(full: Tenant, path: str, spoil: Callable[[str], str]) -> None:
    answer = await ask(full, path, cursor=spoil(await cursor_of(full, path)))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor"), answer.text


@pytest.mark.parametrize(("path", "narrowed"), LISTS.items())
async def test_a_cursor_of_another_list_is_refused(
    world: World, full: Tenant, path: str, narrowed: dict[str, str] | None
) -> None:
    cursor = await cursor_of(full, path)
    other = await world.organisation()
    cases = [await ask(other, path, cursor=cursor)]
    cases += [await ask(full, another, cursor=cursor) for another in LISTS if another != path]
    if narrowed:
        cases += [await ask(full, path, cursor=cursor, **narrowed)]
    for answer in cases:
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor"), answer.text
    assert (await ask(full, path, cursor=cursor)).status_code == 200


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("query", [{"org_id": "other"}, {"Limit": "1"}, {"role": "owner"}, {"total": "perhaps"}])
async def test_an_unknown_parameter_is_refused(full: Tenant, path: str, query: dict[str, str]) -> None:
    answer = await ask(full, path, **query)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request"), answer.text


def _flipped(cursor: str, place: int) -> str:
    return cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]


def _lasting(item: dict[str, Any]) -> dict[str, Any]:
    """The item, and the facts in it, without what fades or is seen from one request to the next."""
    kept = {name: value for name, value in item.items() if name not in ("strength", "score", "last_seen_at")}
    return {**kept, "facts": [_lasting(fact) for fact in item.get("facts", ())]}
