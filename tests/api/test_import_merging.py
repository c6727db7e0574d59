"""Importing into an organisation that has a memory of its own, and imports that are interrupted or not alone."""

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.domain.tenancy import Rank, TenantScope
from app.services import imports
from tests.support.clock import MovingClock
from tests.support.sessions import TOOL, post
from tests.support.talk import FREE_FROM_60, facts, path_of, tell, write
from tests.support.trips import empty, export, land, records, require_same, send
from tests.support.world import WORKER, Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    """Alice has said and written something, and somebody else wrote in."""
    tenant = await world.organisation(people={"alice": "owner", "mia": "member", "336": None})
    alice = tenant.acting("alice")
    await tell(alice, FREE_FROM_60, answer="Je note 60 €.")
    await post(alice, {**TOOL, "session_id": "s1"})
    await post(tenant.acting("336"), {"type": "note", "content": "Le matin, à noter."})
    await world.finish_jobs()
    assert (await alice.post("/memory/consolidations", json={"deadline_ms": 10_000})).is_success
    for key, value in (("carrier", "Colissimo"), ("hours.opening", "9 h")):
        await write(alice, "org", key, value)
    assert (await alice.put("/memory/rules", json={"markdown": "# Theirs"})).is_success
    return tenant


async def test_what_is_here_stays_and_what_comes_is_folded_over_both(world: World, shop: Tenant) -> None:
    there = await world.organisation(people={"alice": "owner"})
    alice = there.acting("alice")
    mine = await write(alice, "org", "carrier", "Chronopost")
    await write(alice, "org", "phone", "01 02 03 04 05")
    assert (await alice.put("/memory/rules", json={"markdown": "# Ours"})).is_success
    counts = (await land(world, there, await export(shop.owner))).counts
    assert (counts["into_empty"], counts["kept"] > 0) == (False, True)
    assert (await alice.get("/memory/rules")).json()["markdown"] == "# Ours"
    known = {fact["key"]: fact["value"] for fact in await facts(alice, "org")}
    assert (known["phone"], known["hours.opening"]) == ("01 02 03 04 05", "9 h")
    (standing,) = [fact for fact in await facts(alice, "org") if fact["key"] == "carrier"]
    assert standing["value"] == "Chronopost"  # written by hand later than what came
    history = await alice.get(f"/memory/facts/org/{mine['id']}/history")
    assert "Colissimo" in history.text


async def test_a_session_heard_of_on_both_sides_counts_once(world: World, shop: Tenant) -> None:
    there = await empty(world)
    await land(world, there, await export(shop.owner))
    for tenant in (shop, there):
        await post(tenant.acting("alice"), {**TOOL, "session_id": "s2"})
        answer = await tenant.acting("alice").post("/memory/consolidations", json={"deadline_ms": 10_000})
        assert answer.is_success
    await land(world, there, await export(shop.owner))
    (fact,) = [one for one in await facts(there.acting("alice"), "user") if one["category"] == "tool_affinity"]
    assert fact["reinforcement_count"] == 2


async def test_whoever_wants_nothing_remembered_here_is_left_out(world: World, shop: Tenant) -> None:
    there = await world.organisation(people={"alice": "owner", "336": None})
    wish = await there.owner.patch("/memory/users/336", json={"remember": False})
    assert wish.is_success, wish.text
    counts = (await land(world, there, await export(shop.owner))).counts
    found = records(await export(there.owner))
    assert counts["refused"] > 0
    assert [person["remember"] for person in found["people"] if person["user_id"] == "336"] == [False]
    for name in ("observations", "facts", "sources"):
        assert "336" not in {record["user_id"] for record in found[name]}


async def test_what_was_erased_here_is_refused_and_counted(world: World, shop: Tenant) -> None:
    """A message, a person and a fact; what was said again since is there, and stays."""
    alice, file = shop.acting("alice"), await export(shop.owner)
    told = records(file)
    said = next(message for message in told["messages"] if message["speaker"] == "user")
    path = f"/memory/messages/{said['message_id']}?conversation_id={said['conversation_id']}"
    assert (await alice.delete(path)).is_success
    assert (await shop.owner.delete("/memory/users/336")).is_success
    (carrier,) = [fact for fact in told["facts"] if fact["key"] == "carrier"]
    assert (await alice.delete(path_of(carrier))).is_success
    before = await export(shop.owner)
    counts = (await land(world, shop, file)).counts
    assert counts["refused"] > 0
    after = await export(shop.owner)
    require_same(before, after)
    found = records(after)
    assert said["id"] not in {message["id"] for message in found["messages"]}
    assert "336" not in {person["user_id"] for person in found["people"]}
    assert carrier["id"] not in {fact["id"] for fact in found["facts"]}


async def test_what_is_erased_while_it_waits_does_not_come(world: World, shop: Tenant, superuser_url: str) -> None:
    file, there = await export(shop.owner), await world.organisation(people={"alice": "owner", "336": None})
    assert (await send(there.owner, file)).status_code == 202
    assert await waiting(superuser_url, there, "336") > 0
    erased = await there.owner.delete("/memory/users/336")
    assert erased.is_success
    assert await waiting(superuser_url, there, "336") == 0
    await world.finish_jobs()
    found = records(await export(there.owner))
    for name in ("people", "facts", "sources", "observations", "messages"):
        assert "336" not in {record["user_id"] for record in found[name]}


async def waiting(superuser_url: str, tenant: Tenant, user_id: str) -> int:
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        query = text("select count(*) from import_records where org_id = :org_id and user_id = :user_id")
        count = (await connection.execute(query, {"org_id": tenant.org_id, "user_id": user_id})).scalar_one()
    await engine.dispose()
    return int(count)


async def test_a_worker_that_dies_between_stretches_is_taken_over(
    world: World, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, there = await export(shop.owner, lines=True), await empty(world)
    monkeypatch.setattr(imports, "RECORDS", 3)
    monkeypatch.setattr(imports, "SECONDS", 0.0)
    answer = await send(there.owner, file)
    path, turns = f"/memory/jobs/{answer.json()['id']}", 0
    done = [0]
    while (job := (await there.owner.get(path)).json())["status"] != "done":
        turns += 1
        (claim,) = await world.container.directory.claim_jobs(1, world.container.clock())
        await world.container.job_runner.run(TenantScope(claim.org_id, WORKER, Rank.OWNER), claim)
        done.append(((await there.owner.get(path)).json()["result"] or {"done": 0})["done"])
    assert turns > 5
    assert done == sorted(done)
    assert job["result"]["done"] == job["result"]["total"]
    require_same(file, await export(there.owner))


async def test_a_worker_that_is_killed_has_done_what_it_did(
    world: World, shop: Tenant, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, there = await export(shop.owner, lines=True), await empty(world)
    monkeypatch.setattr(imports, "RECORDS", 1)
    answer = await send(there.owner, file)
    path, directory, runner = (
        f"/memory/jobs/{answer.json()['id']}",
        world.container.directory,
        world.container.job_runner,
    )
    for _ in range(3):
        (claim,) = await directory.claim_jobs(1, clock())
        working = asyncio.create_task(runner.run(TenantScope(claim.org_id, WORKER, Rank.OWNER), claim))
        await asyncio.sleep(0.1)
        working.cancel()
        await asyncio.wait([working])
        clock.advance(minutes=2)
    monkeypatch.setattr(imports, "RECORDS", 200)
    await world.finish_jobs()
    job = (await there.owner.get(path)).json()
    assert (job["status"], job["result"]["done"]) == ("done", job["result"]["total"])
    require_same(file, await export(there.owner))


async def test_who_writes_meanwhile_loses_nothing(world: World, shop: Tenant) -> None:
    file, there = await export(shop.owner), await world.organisation(people={"alice": "owner"}, stores=())
    alice = there.acting("alice")
    await send(there.owner, file)

    async def writes() -> list[UUID]:
        made = [await write(alice, "org", f"mine.k{number}", f"v{number}") for number in range(8)]
        made += [await write(alice, "org", "carrier", f"Transporteur {number}") for number in range(4)]
        return [UUID(fact["id"]) for fact in made]

    ids, _ = await asyncio.gather(writes(), world.finish_jobs())
    await world.finish_jobs()
    kept = {record["id"] for record in records(await export(there.owner))["facts"]}
    assert {str(one) for one in ids} <= kept
    assert {record["id"] for record in records(file)["facts"]} <= kept
    live = [fact for fact in await facts(alice, "org") if fact["key"] == "carrier"]
    assert [fact["value"] for fact in live] == ["Transporteur 3"]


async def test_the_same_key_takes_a_file_in_once(world: World, shop: Tenant) -> None:
    file, there = await export(shop.owner), await empty(world)
    first, again = [await send(there.owner, file, **{"Idempotency-Key": "k"}) for _ in range(2)]
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    other = await send(there.owner, await export(shop.owner, lines=True), **{"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_mismatch")


async def test_two_files_of_one_organisation_come_in_one_after_the_other(world: World, shop: Tenant) -> None:
    file, there = await export(shop.owner), await empty(world)
    for _ in range(2):
        assert (await send(there.owner, file)).status_code == 202
    claimed = await world.container.directory.claim_jobs(10, world.container.clock())
    assert len(claimed) == 1
    await world.container.job_runner.run(TenantScope(there.org_id, WORKER, Rank.OWNER), claimed[0])
    await world.finish_jobs()
    require_same(file, await export(there.owner))
