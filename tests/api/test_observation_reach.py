"""Who reports observations for whom, who reads them, and what becomes of them with their person."""

import pytest

from app.domain.observations import session_of
from app.domain.tenancy import Rank, TenantScope
from tests.support.sessions import OBSERVATIONS, TOOL, mine, post
from tests.support.talk import problem, tables_holding
from tests.support.world import WORKER, Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "anna": "admin", "mia": "member", "carla": None})


async def test_a_backend_reports_for_many_people_and_makes_those_it_does_not_know(shop: Tenant) -> None:
    items = [{**TOOL, "user_id": person, "store_id": "new"} for person in ("alice", "carla", "norma", "norma")]
    assert {item["status"] for item in await post(shop.owner, *items)} == {"stored"}
    assert [len(await mine(shop.acting(person))) for person in ("alice", "carla", "norma", "mia")] == [1, 1, 2, 0]
    assert (await shop.owner.get(f"{shop.path}/people/norma")).json()["role"] is None
    assert (await shop.owner.get(f"{shop.path}/stores/new")).status_code == 200


async def test_without_a_person_an_item_is_nobody_s(shop: Tenant) -> None:
    answered = await post(shop.owner, TOOL, {**TOOL, "user_id": "alice"})
    assert (answered[0]["error"]["code"], answered[1]["status"]) == ("person_required", "stored")
    assert problem(await shop.owner.get(OBSERVATIONS)) == (422, "person_required")


async def test_a_key_that_does_not_act_reports_nothing(shop: Tenant) -> None:
    mute = shop.with_key(await shop.make_key("owner"))
    assert problem(await mute.post(OBSERVATIONS, json={"items": [{**TOOL, "user_id": "alice"}]})) == (
        403,
        "may_not_act",
    )
    assert problem(await mute.get(OBSERVATIONS, params={"user_id": "alice"})) == (403, "may_not_act")


async def test_a_token_reports_its_own_and_makes_no_store(shop: Tenant) -> None:
    items = TOOL, {**TOOL, "user_id": "carla"}, {**TOOL, "user_id": "mia"}, {**TOOL, "store_id": "nowhere"}
    answered = await post(shop.token("mia"), *items)
    codes = [item["error"] and item["error"]["code"] for item in answered]
    assert codes == [None, "person_mismatch", None, "not_found"]
    assert len(await mine(shop.token("mia"))) == 2


async def test_a_contact_reports_and_reads_their_own(shop: Tenant) -> None:
    await post(shop.acting("carla"), {**TOOL, "content": "de Carla"})
    assert [item["content"] for item in await mine(shop.acting("carla"))] == ["de Carla"]
    for other in ("alice", "anna", "mia"):
        assert await mine(shop.acting(other)) == []
        wanted = await shop.acting(other).get(OBSERVATIONS, params={"user_id": "carla"})
        assert problem(wanted) == (422, "person_mismatch")


async def test_a_key_s_limits_narrow_what_is_written_and_read(shop: Tenant) -> None:
    items = [{**TOOL, "store_id": "shop1"}, {**TOOL, "store_id": "shop2"}, {**TOOL, "agent_id": "maya"}, TOOL]
    await post(shop.acting("alice"), *items)
    in_shop1 = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["shop1"]), "alice")
    of_maya = shop.with_key(await shop.make_key(act_for_people=True, agent_ids=["maya"]), "alice")
    assert [item["store_id"] for item in await mine(in_shop1)] == [None, None, "shop1"]
    assert [item["agent_id"] for item in await mine(of_maya)] == ["atlas", "maya", "atlas", "atlas"]
    assert [item["status"] for item in await post(in_shop1, *items)] == ["stored", "rejected", "stored", "stored"]
    assert [item["status"] for item in await post(of_maya, *items)] == ["rejected", "rejected", "stored", "rejected"]


async def test_two_organisations_with_the_same_ids_do_not_meet(world: World, shop: Tenant) -> None:
    other = await world.organisation()
    for tenant in (shop, other):
        await post(tenant.acting("alice"), {**TOOL, "session_id": "s1", "content": tenant.org_id})
    for tenant in (shop, other):
        assert [item["content"] for item in await mine(tenant.acting("alice"))] == [tenant.org_id]


async def test_go_with_their_person(shop: Tenant, superuser_url: str) -> None:
    word = f"canary-{shop.org_id}"
    await post(shop.acting("carla"), {**TOOL, "content": word}, {"type": "note", "content": word})
    assert (await tables_holding(superuser_url, word)).keys() >= {"observations", "user_facts", "fact_sources"}
    assert (await shop.owner.delete(f"{shop.path}/people/carla")).status_code == 200
    assert await tables_holding(superuser_url, word) == {}
    assert await mine(shop.acting("carla")) == []


async def test_what_came_over_an_address_is_its_person_s(shop: Tenant) -> None:
    address = "33612345678=="
    await post(shop.owner, {**TOOL, "user_id": address}, {"type": "note", "user_id": address, "content": "Rappeler."})
    link = {"user_id": "carla", "store_id": "shop1"}
    assert (await shop.owner.put(f"{shop.path}/channels/whatsapp/33612345678%3D%3D", json=link)).status_code == 201
    assert [item["store_id"] for item in await mine(shop.acting("carla"))] == ["shop1", "shop1"]
    facts = (await shop.acting("carla").get("/memory/facts/user")).json()["items"]
    assert [fact["content"] for fact in facts] == ["Rappeler."]


async def test_the_day_is_the_person_s_own(world: World, shop: Tenant) -> None:
    """23:30 in Paris on 1 March is 2 March in Auckland, where mia is; the sender's own offset comes before both."""
    zone = {"role": "member", "time_zone": "Pacific/Auckland"}
    assert (await shop.owner.put(f"{shop.path}/people/mia", json=zone)).status_code == 200
    late, own = "2026-03-01T22:30:00Z", "2026-03-01T23:30:00+01:00"
    await post(shop.owner, *({**TOOL, "user_id": who, "occurred_at": late} for who in ("alice", "mia")))
    await post(shop.acting("mia"), {**TOOL, "occurred_at": own})
    scope = TenantScope(shop.org_id, WORKER, Rank.OWNER)
    async with world.container.storage.transaction(scope) as uow:
        days = [(one.user_id, session_of(one)) async for one in uow.observations.everything(None)]
    assert days == [("alice", "day 2026-03-01"), ("mia", "day 2026-03-02"), ("mia", "day 2026-03-01")]
