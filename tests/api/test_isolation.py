"""Three organisations with the same ids, every kind of caller, every route, ids drawn from anywhere: nobody reads or
changes what is another's, and what is another's is answered as what does not exist."""

import json
import random
import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.support.askers import Asker, askers
from tests.support.canaries import Canary, found_in
from tests.support.chance import Chance
from tests.support.fingerprints import Fingerprints, Place, changed
from tests.support.probes import Probe, probe
from tests.support.routes import Endpoint, endpoints
from tests.support.town import Organisation, build, furnish, settled
from tests.support.world import World, speaking

SEED = 4711
REQUESTS = 2000
"""At least so many are made in all."""
MAY_DIFFER = {"request_id", "receipt_id", "next_cursor", "strength", "score", "last_seen_at", "tool_affinities"}
READ = ("/context", "/search")
"""Routes that only read, though they are posted to."""
PERSONAL = {
    *("user_facts", "messages", "observations", "jobs", "channel_links", "documents"),
    *("fact_sources", "fact_decisions", "contradictions"),
}


@dataclass
class Run:
    """The requests so far, and what they showed."""

    client: httpx.AsyncClient
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    read: set[Canary] = field(default_factory=set)
    succeeded: Counter[str] = field(default_factory=Counter)
    compared: int = 0

    async def send(self, one: Probe) -> httpx.Response:
        return await self.client.request(one.endpoint.method, one.url, headers=one.headers, json=one.body)

    async def check(self, asker: Asker, one: Probe) -> None:
        """Send it. Fails with the whole request in words when the answer tells what it must not."""
        answer = await self.send(one)
        self.asked[asker.name, one.endpoint.name] += 1
        self.succeeded[one.endpoint.name] += answer.is_success
        told = found_in(answer.text) | found_in(str(answer.headers))
        leaked = {canary for canary in told if not one.reader.may_read(canary)}
        case = _in_words(asker, one, answer)
        assert answer.status_code in one.endpoint.statuses, f"an undeclared status: {case}"
        assert not leaked, f"{leaked} told: {case}"
        assert not (one.foreign_cursor and answer.is_success), f"another's cursor was taken: {case}"
        self.read |= told
        if one.nothing:
            twin = await self.send(one.of_nothing())
            assert _comparable(answer) == _comparable(twin), f"what is another's is not as nothing, {twin.text}: {case}"
            self.compared += 1


@pytest.fixture(scope="module")
async def prints(superuser_url: str) -> Fingerprints:
    return Fingerprints(superuser_url)


@pytest.fixture(scope="module")
async def town(world: World, prints: Fingerprints) -> list[Organisation]:
    async with settled(world):
        made = await build(world, f"town-{secrets.token_hex(4)}")
        for here in made:
            await furnish(here)
    await prints.bury_jobs([here.org_id for here in made])
    return made


async def test_nobody_reads_or_changes_what_is_another_s(
    app: FastAPI, world: World, town: list[Organisation], prints: Fingerprints
) -> None:
    dice, routes = random.Random(SEED), endpoints(app)
    run = Run(speaking(app))
    for here in town:
        for turn, asker in enumerate(await askers(here, await _revoked(here))):
            await _ask_everything(run, world, asker, town, routes, dice, prints)
            if asker.trusted and turn % 2:  # they may have removed what the next ones should be kept from
                async with settled(world):
                    await furnish(here)
    assert run.asked.keys() == {(asker.name, route.name) for asker in await askers(town[0], "") for route in routes}
    assert run.asked.total() >= REQUESTS
    assert sum(times > 0 for times in run.succeeded.values()) >= len(routes) * 0.95, run.succeeded
    assert {canary for here in town for canary in _furnished(here)} <= run.read
    assert run.compared > REQUESTS / 4


async def _ask_everything(
    run: Run,
    world: World,
    asker: Asker,
    town: list[Organisation],
    routes: list[Endpoint],
    dice: random.Random,
    prints: Fingerprints,
) -> None:
    """One request of the asker to every route, in a drawn order; afterwards only what it may touch is touched."""
    others = [other for other in town if other is not asker.home]
    before = await prints.take([here.org_id for here in town])
    probes: list[Probe] = []
    async with settled(world):
        for route in dice.sample(routes, len(routes)):
            probes.append(probe(route, Chance(dice, asker, others)))
            await run.check(asker, probes[-1])
    touched = changed(before, await prints.take([here.org_id for here in town]))
    wrong = {place for place in touched if not _may_touch(asker, place)}
    assert not wrong, f"seed {SEED}, {asker.name} of {asker.home.org_id} touched {wrong} by one of {_sent(probes)}"


def _may_touch(asker: Asker, place: Place) -> bool:
    if place.org_id != asker.home.org_id or asker.rank is None:
        return False
    return asker.trusted or place.table not in PERSONAL or place.person in ("", asker.person)


def _furnished(here: Organisation) -> list[Canary]:
    """What is there for somebody to read at all times."""
    return [here.canary(name=True), *(canary for facts in here.facts.values() for canary in facts.values())]


def _comparable(answer: httpx.Response) -> tuple[int, Any]:
    """Status and body, without what differs from request to request; of a new thing the status alone."""
    if answer.request.method != "GET" and answer.is_success and not answer.request.url.path.endswith(READ):
        return answer.status_code, None
    return answer.status_code, json.loads(answer.content or "null", object_hook=_lasting)


def _lasting(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in MAY_DIFFER}


def _in_words(asker: Asker, one: Probe, answer: httpx.Response) -> str:
    sent = {name: value for name, value in one.headers.items() if name != "Authorization"}
    return (
        f"seed {SEED}, {asker.name} of {asker.home.org_id}: {one.endpoint.method} {one.url} {sent} "
        f"{json.dumps(one.body)} was answered {answer.status_code} {answer.text[:2000]}"
    )


def _sent(probes: list[Probe]) -> list[tuple[str, str, Any]]:
    return [(one.endpoint.method, one.url, one.body) for one in probes if one.endpoint.writes]


async def _revoked(here: Organisation) -> str:
    tenant = here.tenant
    key = await tenant.make_key(act_for_people=True)
    listed = (await tenant.owner.get(f"{tenant.path}/api-keys", params={"limit": 1})).json()
    assert (await tenant.owner.delete(f"{tenant.path}/api-keys/{listed['items'][0]['id']}")).status_code == 204
    return key
