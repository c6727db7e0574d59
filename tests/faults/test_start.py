"""Starting while the database is away, and on a database that must not be served from."""

import asyncio

import httpx
import pytest

from app.adapters.embedded.roles import DATABASE, DRIVER, provide_database
from app.cli.migrate import upgrade
from tests.faults.load import Shop, every_turn_had_its_one_effect
from tests.faults.programs import Program, gone_after
from tests.faults.stand import Stand, Tenant

REFUSED_SECONDS = 30.0
REASONS = {
    "superuser": "use the serving role",
    "owner": "use the serving role",
    "empty": "run `retenir migrate`",
    "older": "run `retenir migrate`",
    "locked": "does not let us in",
}


@pytest.fixture(scope="module")
def settings_of_service() -> dict[str, str]:
    """The service that is there already leaves the work to those that are started here."""
    return {"RETENIR_WORKER_IN_PROCESS": "false"}


@pytest.mark.parametrize("migrating", [False, True])
async def test_serves_refusals_until_the_database_is_there(stand: Stand, tenant: Tenant, migrating: bool) -> None:
    service = stand.service(**{"RETENIR_OWNER_DATABASE_URL": plain(stand.urls.owner)} if migrating else {})
    with gone_after(service):
        async with tenant.client(service) as client:
            shop = Shop(client, "shop1")
            with stand.postgres_ended():
                await asyncio.to_thread(service.start)
                assert (await client.get("/healthz")).status_code == 200
                for answer in (await client.get("/readyz"), await shop.repeat(0)):
                    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
                    assert answer.headers["retry-after"]
            await shop.talk(asyncio.Event(), turns=3)
            await every_turn_had_its_one_effect(client, [shop])


async def test_a_worker_waits_until_the_database_is_there(stand: Stand, client: httpx.AsyncClient) -> None:
    shop, worker = Shop(client, "shop1"), stand.worker()
    await shop.talk(asyncio.Event(), turns=3)
    with gone_after(worker):
        with stand.postgres_ended():
            worker.start()
            await logged(worker, "claim_failed")
        await every_turn_had_its_one_effect(client, [shop])


@pytest.mark.parametrize("command", ["serve", "worker"])
@pytest.mark.parametrize("wrong", REASONS)
async def test_refuses_a_wrong_database_with_the_reason(stand: Stand, command: str, wrong: str) -> None:
    settings = {**stand.settings, "RETENIR_DATABASE_URL": await url_of(stand, wrong), "RETENIR_PORT": "0"}
    program = Program(command, stand.folder, settings)
    with gone_after(program):
        program.start()
        await asyncio.to_thread(program.ended, REFUSED_SECONDS, code=1)
    assert REASONS[wrong] in program.said()
    assert "Traceback" not in program.said()


async def test_a_wrong_database_that_comes_back_is_not_worked_on_either(
    stand: Stand, client: httpx.AsyncClient, tenant: Tenant
) -> None:
    shop, wrong = Shop(client, "shop1"), await url_of(stand, "superuser")
    await shop.talk(asyncio.Event(), turns=1)
    service, worker = stand.service(RETENIR_DATABASE_URL=wrong), stand.worker(RETENIR_DATABASE_URL=wrong)
    with gone_after(service, worker):
        with stand.postgres_ended():
            worker.start()
            await asyncio.to_thread(service.start)
        async with tenant.client(service) as refused:
            for answer in (await refused.get("/readyz"), await refused.get("/memory/jobs")):
                assert (answer.status_code, answer.json()["code"]) == (503, "database_refused")
        for program in (service, worker):
            await logged(program, "database_refused")
    assert (await client.get(f"/memory/jobs/{shop.jobs[0]}")).json()["attempts"] == 0


async def logged(program: Program, event: str) -> None:
    """The program has said so. Raises TimeoutError when it does not."""
    async with asyncio.timeout(REFUSED_SECONDS):
        while event not in program.said():
            await asyncio.sleep(0.05)


async def url_of(stand: Stand, wrong: str) -> str:
    """A database or a role that the service must not run on."""
    if wrong == "superuser":
        return stand.postgres.url(database=DATABASE)
    if wrong == "owner":
        return plain(stand.urls.owner)
    if wrong == "locked":
        return plain(stand.urls.serving).replace("retenir_app:", "retenir_app:not-")
    urls = await provide_database(stand.postgres, stand.folder, wrong)
    if wrong == "older":
        await upgrade(urls.owner, "0003")
    return plain(urls.serving)


def plain(url: str) -> str:
    """Without the driver, as people write it."""
    return url.replace(f"+{DRIVER}", "")
