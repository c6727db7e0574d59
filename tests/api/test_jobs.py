"""Jobs: who sees them, what becomes of one that fails, and that no word of a turn stands in them."""

import httpx
import pytest

from app.domain.errors import Unavailable
from app.worker import beside
from tests.support.clock import MovingClock
from tests.support.extractors import STUMBLE, Scripted, reading_with
from tests.support.talk import FORMAL, facts, problem, short, tables_holding, tell
from tests.support.waiting import settled
from tests.support.world import Tenant, World

UNKNOWN = "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001"
MODEL_AWAY = Unavailable("model_unavailable", "The model said: Zyxomme")


async def look(client: httpx.AsyncClient, job_id: str) -> tuple[str, int, str | None]:
    """How the job stands: its status, attempts and error."""
    answer = await client.get(f"/memory/jobs/{job_id}")
    assert answer.status_code == 200, answer.text
    job = answer.json()
    return job["status"], job["attempts"], job["error"]


@pytest.fixture(scope="module")
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "ada": "admin", "mia": "member", "bob": "member", "carla": None}
    return await world.organisation(people=people)


async def test_its_maker_sees_a_job_and_admins_see_all(world: World, shop: Tenant) -> None:
    other = await world.organisation(people={"mia": "owner"})
    job_id = (await tell(shop.acting("mia"), FORMAL, conversation_id="of-mia"))["job_id"]
    path = f"/memory/jobs/{job_id}"
    for client in (shop.acting("mia"), shop.token("mia"), shop.acting("ada"), shop.token("alice"), shop.owner):
        assert (await client.get(path)).json()["id"] == job_id
    for client in (
        shop.acting("bob"),
        shop.acting("carla"),
        shop.acting("nobody-known"),
        other.acting("mia"),
        other.owner,
    ):
        assert problem(await client.get(path)) == (404, "not_found")


async def test_the_key_that_asked_may_follow_its_jobs(shop: Tenant) -> None:
    asked, another = [await shop.make_key("member", act_for_people=True) for _ in range(2)]
    job_id = (await tell(shop.with_key(asked, "mia"), "Bonjour.", conversation_id="by-key"))["job_id"]
    assert (await shop.with_key(asked).get(f"/memory/jobs/{job_id}")).status_code == 200
    assert problem(await shop.with_key(another).get(f"/memory/jobs/{job_id}")) == (404, "not_found")


async def test_lists_hold_what_one_may_see(world: World) -> None:
    shop = await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})
    made = {name: (await tell(shop.acting(name), FORMAL, conversation_id=name))["job_id"] for name in ("mia", "carla")}
    await world.finish_jobs()
    made["late"] = (await tell(shop.acting("mia"), FORMAL, at=60, conversation_id="late"))["job_id"]

    async def listed(client: httpx.AsyncClient, **query: str) -> list[str]:
        page = (await client.get("/memory/jobs", params={**query, "total": "true"})).json()
        assert page["total"] == len(page["items"])
        return [job["id"] for job in page["items"]]

    assert await listed(shop.acting("mia")) == [made["late"], made["mia"]]
    assert await listed(shop.acting("carla")) == [made["carla"]]
    assert await listed(shop.acting("alice")) == [made["late"], made["carla"], made["mia"]]
    assert await listed(shop.owner, status="queued") == [made["late"]]
    assert await listed(shop.owner, status="done") == [made["carla"], made["mia"]]
    assert await listed(shop.owner, status="dead") == []


@pytest.mark.parametrize("query", [{"status": "lost"}, {"limit": 0}, {"limit": 201}, {"user_id": "mia"}], ids=short)
async def test_what_cannot_be_listed_by_is_refused(shop: Tenant, query: dict[str, str | int]) -> None:
    assert problem(await shop.owner.get("/memory/jobs", params=query)) == (422, "invalid_request")


@pytest.mark.parametrize("job_id", ["not-a-uuid", UNKNOWN])
async def test_an_id_of_nothing_is_not_found(shop: Tenant, job_id: str) -> None:
    assert problem(await shop.owner.get(f"/memory/jobs/{job_id}")) == (404, "not_found")
    assert problem(await shop.owner.post(f"/memory/jobs/{job_id}/retry")) == (404, "not_found")


async def test_no_word_of_a_turn_stands_in_its_job(world: World, shop: Tenant, superuser_url: str) -> None:
    await tell(shop.acting("mia"), "Notre fournisseur est Wazemmoche.", answer="Wazemmoche, bien.", at=99)
    await world.finish_jobs()
    assert "jobs" not in await tables_holding(superuser_url, "Wazemmoche")


async def test_a_reading_that_fails_is_tried_again_later(world: World, clock: MovingClock, superuser_url: str) -> None:
    extractor = Scripted(MODEL_AWAY)
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        taken = await tell(shop.acting("alice"), f"Je {STUMBLE}.")
        assert taken["stored"] == 1
        for attempt in range(1, 7):
            await here.finish_jobs()
            assert await look(shop.owner, taken["job_id"]) == ("failed", attempt, "model_unavailable")
            clock.advance(seconds=0 if attempt == 6 else 3**attempt)
        await here.finish_jobs()  # 182 to 304 seconds after the sixth attempt, no sooner
        assert (await look(shop.owner, taken["job_id"]))[1] == 6
        clock.advance(seconds=304)
        extractor.fault = None
        await here.finish_jobs()
        assert await look(shop.owner, taken["job_id"]) == ("done", 7, None)
        assert len(await facts(shop.acting("alice"), "user")) == 1
    assert await tables_holding(superuser_url, "Zyxomme") == {}


async def test_after_eight_attempts_it_is_given_up_until_an_admin_retries(world: World, clock: MovingClock) -> None:
    extractor = Scripted(MODEL_AWAY)
    async with reading_with(extractor, world) as here:
        shop = await here.organisation(people={"alice": "owner", "mia": "member"})
        job_id = (await tell(shop.acting("mia"), f"Je {STUMBLE}."))["job_id"]
        for _ in range(10):
            await here.finish_jobs()
            clock.advance(minutes=20)
        assert await look(shop.owner, job_id) == ("dead", 8, "model_unavailable")
        (dead,) = (await shop.owner.get("/memory/jobs", params={"status": "dead"})).json()["items"]
        assert (dead["id"], dead["result"]) == (job_id, None)
        assert dead["finished_at"] is not None
        assert await facts(shop.acting("mia"), "user") == []

        assert problem(await shop.acting("mia").post(f"/memory/jobs/{job_id}/retry")) == (403, "forbidden")
        extractor.fault = None
        retried = await shop.owner.post(f"/memory/jobs/{job_id}/retry")
        assert (retried.status_code, retried.json()["status"], retried.json()["attempts"]) == (200, "queued", 0)
        await here.finish_jobs()
        assert await look(shop.acting("mia"), job_id) == ("done", 1, None)
        assert len(await facts(shop.acting("mia"), "user")) == 1
        assert problem(await shop.owner.post(f"/memory/jobs/{job_id}/retry")) == (409, "not_retryable")


async def test_another_organisation_s_job_cannot_be_retried(world: World) -> None:
    async with reading_with(Scripted(MODEL_AWAY), world) as here:
        shop, other = await here.organisation(), await here.organisation()
        job_id = (await tell(shop.acting("alice"), f"Je {STUMBLE}."))["job_id"]
        await here.finish_jobs()
        assert problem(await other.owner.post(f"/memory/jobs/{job_id}/retry")) == (404, "not_found")
        assert (await look(shop.owner, job_id))[0] == "failed"


async def test_a_failed_job_need_not_wait_for_its_time(world: World) -> None:
    extractor = Scripted(MODEL_AWAY)
    async with reading_with(extractor, world) as here:
        shop = await here.organisation()
        job_id = (await tell(shop.acting("alice"), f"Je {STUMBLE}."))["job_id"]
        await here.finish_jobs()
        extractor.fault = None
        assert (await shop.owner.post(f"/memory/jobs/{job_id}/retry")).json()["status"] == "queued"
        await here.finish_jobs()
        assert await look(shop.owner, job_id) == ("done", 1, None)


@pytest.mark.parametrize("fault", [ValueError("Zyxomme"), KeyError("x"), RecursionError(), AssertionError()], ids=short)
async def test_a_broken_reading_does_not_stop_the_worker(world: World, superuser_url: str, fault: Exception) -> None:
    async with reading_with(Scripted(fault), world) as here, beside(here.container):
        shop = await here.organisation()
        alice = shop.acting("alice")
        broken = (await tell(alice, f"Je {STUMBLE}.", conversation_id="broken"))["job_id"]
        assert (await settled(alice, broken))["error"] == "internal"
        sound = (await tell(alice, "Je vais bien.", conversation_id="sound"))["job_id"]
        if (await settled(alice, sound))["error"] == "database_unavailable":  # a busy machine; the clock stands still
            await shop.owner.post(f"/memory/jobs/{sound}/retry")
        assert (await settled(alice, sound))["status"] == "done"
        assert [fact["value"] for fact in await facts(alice, "user")] == ["Je vais bien."]
    assert await tables_holding(superuser_url, "Zyxomme") == {}
