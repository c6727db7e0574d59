"""How many statements each route sends, in how many transactions; neither grows with the organisation or the batch.

One statement asks who calls, outside of any; the first of a transaction tells the database whose rows may be seen.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI

from app.domain.subjects import KeyRef, Subject
from app.domain.tenancy import ATLAS, Rank, TenantScope
from app.services.folds import begin
from tests.support.routes import endpoints
from tests.support.samples import Samples, is_platform_s
from tests.support.statements import Count, counted, listening
from tests.support.talk import write
from tests.support.world import Tenant, World
from tests.unit.memories import ALICE, COMPANY, ME, SHOP, START, said

WHAT_IS_SEEN = ("GET /memory/facts/{}", "GET /memory/facts/{}/{{fact_id}}")
STATEMENTS: dict[str, int] = {
    "POST /memory/turns": 13,
    "POST /memory/observations": 8,
    "POST /memory/tool-runs": 7,
    "GET /memory/observations": 4,
    "POST /memory/consolidations": 4,
    "GET /memory/tool-affinities": 5,
    "POST /memory/context": 15,
    "POST /memory/search": 8,
    "GET /memory/contradictions": 3,
    "POST /memory/contradictions/{contradiction_id}/settle": 23,
    "DELETE /memory/messages/{message_id}": 27,
    "DELETE /memory/users/{user_id}": 38,
    "DELETE /memory/stores/{store_id}": 31,
    "DELETE /memory": 24,
    "GET /memory/erasures/{receipt_id}": 4,
    "DELETE /people/{user_id}": 42,
    "GET /erasures/{receipt_id}": 2,
    "GET /jobs/{job_id}": 2,
    "POST /memory/prune": 5,
    "GET /memory/stats": 10,
    "GET /memory/usage": 3,
    "GET /memory/jobs": 3,
    "GET /memory/jobs/{job_id}": 3,
    "POST /memory/jobs/{job_id}/retry": 4,
    "GET /memory/events": 3,
    "GET /memory/export": 39,
    "POST /memory/import": 5,
    "GET /memory/rules": 3,
    "PUT /memory/rules": 4,
    "GET /memory/rules/versions": 4,
    "GET /memory/settings": 3,
    "PATCH /memory/settings": 3,
    "GET /memory/users/{user_id}": 4,
    "PATCH /memory/users/{user_id}": 7,
    "PUT /orgs/{org_id}": 3,
    "GET /orgs/{org_id}": 3,
    "DELETE /orgs/{org_id}": 36,
    "GET /orgs/{org_id}/stores": 4,
    "PUT /orgs/{org_id}/stores/{store_id}": 4,
    "GET /orgs/{org_id}/stores/{store_id}": 3,
    "DELETE /orgs/{org_id}/stores/{store_id}": 30,
    "GET /orgs/{org_id}/people": 4,
    "PUT /orgs/{org_id}/people/{user_id}": 11,
    "GET /orgs/{org_id}/people/{user_id}": 3,
    "DELETE /orgs/{org_id}/people/{user_id}": 38,
    "GET /orgs/{org_id}/channels": 4,
    "PUT /orgs/{org_id}/channels/{channel}/{address}": 13,
    "GET /orgs/{org_id}/channels/{channel}/{address}": 3,
    "DELETE /orgs/{org_id}/channels/{channel}/{address}": 8,
    "POST /orgs/{org_id}/api-keys": 6,
    "GET /orgs/{org_id}/api-keys": 4,
    "DELETE /orgs/{org_id}/api-keys/{key_id}": 7,
    "GET /healthz": 0,
    "GET /readyz": 1,
}
OF_FACTS = {
    "GET /memory/facts/{}": (7, 7, 7),
    "POST /memory/facts/{}": (16, 18, 17),
    "GET /memory/facts/{}/{{fact_id}}": (8, 8, 8),
    "GET /memory/facts/{}/{{fact_id}}/history": (9, 9, 10),
    "PATCH /memory/facts/{}/{{fact_id}}": (23, 24, 23),
    "DELETE /memory/facts/{}/{{fact_id}}": (35, 36, 35),
    "POST /memory/facts/{}/{{fact_id}}/confirm": (18, 19, 18),
    "POST /memory/facts/{}/{{fact_id}}/merge": (28, 29, 28),
    "POST /memory/facts/{}/{{fact_id}}/unmerge": (6, 6, 6),
    "POST /memory/facts/{}/{{fact_id}}/pin": (17, 18, 17),
    "POST /memory/facts/{}/{{fact_id}}/unpin": (6, 6, 6),
    "POST /memory/facts/{}/{{fact_id}}/archive": (18, 19, 18),
    "POST /memory/facts/{}/{{fact_id}}/restore": (6, 6, 6),
}
"""Of facts of the organisation, of a store, of a person."""
TRANSACTIONS = {
    "DELETE /people/{user_id}": 2,
    "GET /erasures/{receipt_id}": 0,
    "GET /jobs/{job_id}": 0,
    "GET /healthz": 0,
    "GET /readyz": 0,
    "POST /memory/context": 2,
    "POST /memory/search": 2,
    "GET /memory/export": 3,
}
TRANSACTIONS |= {read.format(scope): 2 for read in WHAT_IS_SEEN for scope in ("org", "store", "user")}
"""Of all others one. What was served and seen is written a moment later, for many requests at once."""
HURRIED = {"/memory/context", "/memory/consolidations"}
"""What is cut off at its deadline, on a machine that is busy."""
FEW, MANY, ITEMS = 10, 300, 50


@pytest.fixture(scope="module", autouse=True)
def _heard() -> Iterator[None]:
    with listening():
        yield


@pytest.fixture(scope="module")
async def small(world: World) -> Tenant:
    return await remembering(world, FEW)


@pytest.fixture(scope="module")
async def small_costs(app: FastAPI, small: Tenant) -> dict[str, Count]:
    return await costs(app, small)


def test_each_route_sends_no_more_than_it_is_known_to(small_costs: dict[str, Count]) -> None:
    """A route that is missing fails, and so does one that costs less: then the table is put right."""
    found = {name: count.figures for name, count in small_costs.items()}
    known = {name: (statements, TRANSACTIONS.get(name, 1)) for name, statements in known_statements()}
    assert found == known


def known_statements() -> Iterator[tuple[str, int]]:
    yield from STATEMENTS.items()
    for name, scopes in OF_FACTS.items():
        yield from ((name.format(scope), n) for scope, n in zip(("org", "store", "user"), scopes, strict=True))


def test_no_statement_is_compiled_anew_for_each_request(small_costs: dict[str, Count]) -> None:
    assert {name: count.compiled for name, count in small_costs.items() if count.compiled} == {}


async def test_no_route_sends_more_in_a_larger_organisation(
    world: World, app: FastAPI, small_costs: dict[str, Count]
) -> None:
    large = await costs(app, await remembering(world, MANY))
    assert {name: count.figures for name, count in large.items()} == {
        name: count.figures for name, count in small_costs.items()
    }


async def test_a_block_that_is_served_again_is_not_read_again(world: World) -> None:
    small = await world.organisation()
    await write(small.acting("alice"), "store", "carrier", "Colissimo")
    asking = ("POST", "/memory/context", {"user_id": "alice", "store_id": "shop1", "deadline_ms": 10_000})
    read, again = [len((await asked(small, *asking)).statements) for _ in range(2)]
    assert (read, again) == (16, 8)  # who calls, how things stand; and, a moment later, what was served


RAN = {"type": "tool_success", "metadata": {"toolName": "get_order"}}
BATCHES: dict[str, tuple[str, Callable[[int], Any]]] = {
    "observations": ("/memory/observations", lambda n: {"items": [RAN] * n}),
    "notes": ("/memory/observations", lambda n: {"items": [{"type": "note", "content": f"n {k}"} for k in range(n)]}),
    "entities": (
        "/memory/tool-runs",
        lambda n: {
            "tool_name": "t",
            "ok": True,
            "duration_ms": 5,
            "entities": [{"type": "o", "id": f"{k}"} for k in range(n)],
        },
    ),
}


@pytest.mark.parametrize(("path", "body"), BATCHES.values(), ids=BATCHES)
async def test_a_batch_sends_no_more_than_one_item(small: Tenant, path: str, body: Callable[[int], Any]) -> None:
    one, many = [(await asked(small, "POST", path, body(n))).figures for n in (1, ITEMS)]
    assert one == many


async def asked(tenant: Tenant, method: str, path: str, body: Any = None, *, platform: bool = False) -> Count:
    """What the request costs, with what is written a moment after its answer."""
    client = tenant.world.platform if platform else tenant.acting("alice")
    receipts = tenant.world.container.receipts
    await receipts.close()
    with counted() as count:
        answer = await client.request(method, path, json=body)
        await receipts.close()
        await asyncio.sleep(0)  # BEGIN is told a turn of the loop later
    assert answer.is_success or path.endswith("/retry"), answer.text
    return count


async def costs(app: FastAPI, tenant: Tenant) -> dict[str, Count]:
    """What each route costs when it is asked a second time, about something new."""
    samples, found = Samples(tenant, app.openapi()), {}
    for endpoint in (one for one in endpoints(app) for _ in range(2)):
        sample = await samples.of(endpoint, spend=True)
        if endpoint.path in HURRIED:
            sample = replace(sample, json={**(sample.json or {}), "deadline_ms": 10_000})
        asking = (sample.method, sample.url, sample.json)
        found[endpoint.name] = await asked(tenant, *asking, platform=endpoint.provisions or is_platform_s(endpoint))
    return found


async def remembering(world: World, facts: int) -> Tenant:
    """An organisation with so many facts of its own, of its store and of alice."""
    tenant = await world.organisation()
    scope = TenantScope(tenant.org_id, ALICE, Rank.OWNER, "alice")
    subjects: tuple[Subject, ...] = (COMPANY, SHOP, ME)
    for place, about in enumerate(subjects):
        numbers = range(place * facts, (place + 1) * facts)
        stated = [(KeyRef(about, ATLAS, f"key.{n}"), said(n + 1, f"value {n}", 0)) for n in numbers]
        async with world.container.storage.transaction(scope) as uow:
            await begin(uow, stated, START)
    return tenant
