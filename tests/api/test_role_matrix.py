"""Every route for every kind of caller: who gets in is what the route declares, and that is what was promised."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI

from app.domain.tenancy import Rank
from tests.support.clock import MovingClock
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Samples, is_platform_s
from tests.support.world import Tenant, World

PEOPLE = {"alice": "owner", "anna": "admin", "mia": "member", "carla": None}
CHANGES_OF_A_FACT = ("", "/confirm", "/pin", "/unpin", "/archive", "/restore", "/merge", "/unmerge")
ALLOWED = {200, 201, 202, 204}
SPENDS = {"DELETE", "PATCH"}
"""After these what the request was about is gone, or has a successor."""

PROMISED: dict[str, Rank | str] = {
    "POST /memory/turns": Rank.CONTACT,
    "POST /memory/observations": Rank.CONTACT,
    "GET /memory/observations": Rank.CONTACT,
    "POST /memory/tool-runs": Rank.CONTACT,
    "POST /memory/consolidations": Rank.CONTACT,
    "GET /memory/tool-affinities": Rank.CONTACT,
    "POST /memory/context": Rank.CONTACT,
    "POST /memory/search": Rank.CONTACT,
    "GET /memory/facts/org": Rank.MEMBER,
    "POST /memory/facts/org": Rank.ADMIN,
    "GET /memory/facts/store": Rank.MEMBER,
    "POST /memory/facts/store": Rank.ADMIN,
    "GET /memory/facts/user": Rank.CONTACT,
    "POST /memory/facts/user": Rank.CONTACT,
    "GET /memory/contradictions": Rank.MEMBER,
    "POST /memory/contradictions/{contradiction_id}/settle": Rank.CONTACT,  # whose facts they are is asked of each
    "DELETE /memory/messages/{message_id}": Rank.CONTACT,
    "POST /memory/prune": Rank.ADMIN,
    "GET /memory/stats": Rank.MEMBER,
    "GET /memory/usage": Rank.ADMIN,
    "GET /memory/jobs": Rank.CONTACT,
    "GET /memory/jobs/{job_id}": Rank.CONTACT,
    "POST /memory/jobs/{job_id}/retry": Rank.ADMIN,
    "GET /memory/events": Rank.MEMBER,
    "GET /memory/export": Rank.CONTACT,
    "POST /memory/import": Rank.OWNER,
    "GET /memory/settings": Rank.MEMBER,
    "PATCH /memory/settings": Rank.ADMIN,
    "GET /memory/rules": Rank.MEMBER,
    "PUT /memory/rules": Rank.ADMIN,
    "GET /memory/rules/versions": Rank.MEMBER,
    "GET /memory/users/{user_id}": Rank.CONTACT,
    "PATCH /memory/users/{user_id}": Rank.CONTACT,  # whose wish it is is asked of each
    "DELETE /memory/users/{user_id}": Rank.CONTACT,  # whom one may erase is asked of each
    "DELETE /memory/stores/{store_id}": Rank.OWNER,
    "DELETE /memory": Rank.OWNER,
    "GET /memory/erasures/{receipt_id}": Rank.CONTACT,  # who may read a receipt is asked of each
    "DELETE /people/{user_id}": "platform",
    "GET /erasures/{receipt_id}": "platform",
    "GET /jobs/{job_id}": "platform",
    "PUT /orgs/{org_id}": "platform",
    "GET /orgs/{org_id}": Rank.OWNER,
    "DELETE /orgs/{org_id}": "platform",
    "GET /orgs/{org_id}/stores": Rank.OWNER,
    "PUT /orgs/{org_id}/stores/{store_id}": Rank.OWNER,
    "GET /orgs/{org_id}/stores/{store_id}": Rank.OWNER,
    "DELETE /orgs/{org_id}/stores/{store_id}": Rank.OWNER,
    "GET /orgs/{org_id}/people": Rank.OWNER,
    "PUT /orgs/{org_id}/people/{user_id}": Rank.OWNER,
    "GET /orgs/{org_id}/people/{user_id}": Rank.OWNER,
    "DELETE /orgs/{org_id}/people/{user_id}": Rank.OWNER,
    "GET /orgs/{org_id}/channels": Rank.OWNER,
    "PUT /orgs/{org_id}/channels/{channel}/{address}": Rank.OWNER,
    "GET /orgs/{org_id}/channels/{channel}/{address}": Rank.OWNER,
    "DELETE /orgs/{org_id}/channels/{channel}/{address}": Rank.OWNER,
    "POST /orgs/{org_id}/api-keys": Rank.OWNER,
    "GET /orgs/{org_id}/api-keys": Rank.OWNER,
    "DELETE /orgs/{org_id}/api-keys/{key_id}": Rank.OWNER,
    "GET /healthz": "open",
    "GET /readyz": "open",
}
"""The least rank of each route, as callers were promised it; those of single facts follow."""

for _scope, _reader, _changer in (
    ("org", Rank.MEMBER, Rank.ADMIN),
    ("store", Rank.MEMBER, Rank.ADMIN),
    ("user", Rank.CONTACT, Rank.CONTACT),  # which facts of people are theirs to touch is asked of each fact
):
    _fact = f"/memory/facts/{_scope}/{{fact_id}}"
    PROMISED |= {f"GET {_fact}": _reader, f"GET {_fact}/history": _reader}
    PROMISED |= {f"PATCH {_fact}": _changer, f"DELETE {_fact}": _changer}
    PROMISED |= {f"POST {_fact}{change}": _changer for change in CHANGES_OF_A_FACT if change}


@dataclass(frozen=True)
class Caller:
    """Somebody who asks. `person` is whom they speak for; `rank` None where they are nobody of the organisation."""

    client: httpx.AsyncClient
    rank: Rank | None = None
    person: str = "alice"
    refused: int | None = None
    stranger: bool = False
    stores_only: bool = False
    agents_only: bool = False


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE)


@pytest.fixture(scope="module")
async def callers(world: World, tenant: Tenant, file_clock: MovingClock) -> dict[str, Caller]:
    other = await world.organisation()
    mistaken = other.acting("alice")
    mistaken.headers["X-Org-Id"] = tenant.org_id
    shop1 = await tenant.make_key(act_for_people=True, store_ids=["shop1"])
    maya = await tenant.make_key(act_for_people=True, agent_ids=["maya"])
    return {
        "nobody": Caller(world.nobody, refused=401),
        "a revoked key": Caller(tenant.with_key(await tenant.revoked_key(), "alice"), refused=401),
        "an expired key": Caller(tenant.with_key(await _expired(tenant, file_clock), "alice"), refused=401),
        "a contact": Caller(tenant.acting("carla"), Rank.CONTACT, "carla"),
        "somebody unknown": Caller(tenant.acting("norma"), Rank.CONTACT, "norma"),
        "a member": Caller(tenant.acting("mia"), Rank.MEMBER, "mia"),
        "a member's token": Caller(tenant.token("mia"), Rank.MEMBER, "mia"),
        "an admin": Caller(tenant.acting("anna"), Rank.ADMIN, "anna"),
        "an owner": Caller(tenant.acting("alice"), Rank.OWNER),
        "an owner's token": Caller(tenant.token("alice"), Rank.OWNER),
        "an owner of another": Caller(other.acting("alice"), Rank.OWNER, stranger=True),
        "an owner of another who names this one": Caller(mistaken, refused=404),
        "the platform": Caller(world.platform, Rank.PLATFORM),
        "a key of one store": Caller(tenant.with_key(shop1, "alice"), Rank.OWNER, stores_only=True),
        "a key of one agent": Caller(tenant.with_key(maya, "alice"), Rank.OWNER, agents_only=True),
    }


CALLERS = 15
WRITES_ATLAS = {
    "/memory/turns",
    "/memory/tool-runs",
    "/memory/contradictions/{contradiction_id}/settle",
    "/memory/messages/{message_id}",
}
"""Routes that change what stands in the pocket of `atlas`, beside those of facts."""


ERASE_SOMEBODY = "DELETE /memory/users/{user_id}"
OF_ALL = (
    *("PATCH /memory/settings", "PUT /memory/rules", "POST /memory/prune", "POST /memory/import"),
    *("DELETE /memory", "DELETE /memory/stores/{store_id}", ERASE_SOMEBODY),
)
"""Routes that change more than any limited key reaches."""
OWN = "/memory/users/"
"""What is said here of a person holds in the caller's organisation, where somebody of that id is, too."""


def test_every_route_declares_the_rank_that_was_promised(app: FastAPI) -> None:
    assert {endpoint.name: declared(endpoint) for endpoint in endpoints(app)} == PROMISED


def declared(endpoint: Endpoint) -> Rank | str:
    if endpoint.gate is None:
        return "open"
    return "platform" if endpoint.least is None else endpoint.least


async def test_every_route_answers_every_caller_as_it_declares(
    app: FastAPI, tenant: Tenant, callers: dict[str, Caller]
) -> None:
    routes = endpoints(app)
    wrong, asked = [], 0
    for name, caller in callers.items():
        samples = Samples(tenant, app.openapi(), caller.person)
        for endpoint in routes:
            wanted = set(expected(endpoint, caller))
            spends = endpoint.method in SPENDS or endpoint.path.endswith("/settle")
            sample = await samples.of(endpoint, spend=spends and wanted == ALLOWED)
            answer = await caller.client.request(sample.method, sample.url, json=sample.json)
            asked += 1
            if answer.status_code not in wanted & endpoint.statuses:
                wrong.append(f"{name}: {endpoint.name} gave {answer.status_code}, not one of {wanted}: {answer.text}")
    assert wrong == []
    assert asked == len(PROMISED) * CALLERS


def expected(endpoint: Endpoint, caller: Caller) -> Iterator[int]:
    """The statuses with which the route may answer the caller about what exists in the organisation."""
    refusal = refused(endpoint, caller)
    if refusal is not None:
        yield refusal
    elif endpoint.name == "GET /memory/erasures/{receipt_id}" and (caller.stores_only or caller.agents_only):
        yield 404  # it may name messages of anywhere
    elif endpoint.name == "DELETE /memory":
        yield 422  # it was not confirmed
    elif endpoint.name == ERASE_SOMEBODY and (caller.stranger or (caller.rank or Rank.CONTACT) < Rank.ADMIN):
        yield 404  # somebody else, whom only admins may erase
    elif endpoint.path.endswith("/retry"):
        yield 409  # the job has not failed
    elif endpoint.name == "POST /memory/observations" and caller.agents_only:
        yield 422  # each item is refused for itself
    else:
        yield from ALLOWED


def refused(endpoint: Endpoint, caller: Caller) -> int | None:
    """401, 403 or 404 where the caller is not let in."""
    if endpoint.gate is None:
        return None
    if is_platform_s(endpoint) and not endpoint.provisions and caller.refused != 401:
        return None if caller.rank is Rank.PLATFORM else 403
    if caller.refused is not None:
        return caller.refused
    if caller.rank is Rank.PLATFORM:
        return None if endpoint.provisions else 403
    if caller.stranger:
        return 404 if "{" in endpoint.path and not endpoint.path.startswith(OWN) else None
    if is_platform_s(endpoint) or (endpoint.provisions and (caller.stores_only or caller.agents_only)):
        return 403
    assert caller.rank is not None
    assert endpoint.least is not None
    if caller.rank < endpoint.least:
        return 403
    return 403 if beyond_limits(endpoint, caller) else None


def beyond_limits(endpoint: Endpoint, caller: Caller) -> bool:
    """Whether a limited key asks to change what is not within its limits: here all is of `shop1` and of `atlas`."""
    if endpoint.name in OF_ALL:
        return caller.stores_only or caller.agents_only
    changes_a_fact = endpoint.writes and endpoint.path.startswith("/memory/facts/")
    if caller.stores_only:
        return changes_a_fact and endpoint.path.startswith("/memory/facts/org")
    return caller.agents_only and (changes_a_fact or endpoint.path in WRITES_ATLAS)


async def _expired(tenant: Tenant, clock: MovingClock) -> str:
    """A key that was made two days ago, for one day."""
    clock.advance(days=-2)
    ends = clock() + timedelta(days=1)
    key = await tenant.make_key(act_for_people=True, expires_at=ends.isoformat())
    clock.reset()
    return key
