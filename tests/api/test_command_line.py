"""`retenir org`, `key` and `platform-key`: what they make opens the service that runs on the same database."""

import asyncio
import re
import secrets
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.cli import main
from app.cli.demo import API_KEY, PLATFORM_KEY, provide_demo
from app.container import Container
from app.settings import Settings
from app.worker import Upkeep
from tests.support.talk import path_of, write
from tests.support.world import Tenant, World, speaking

ROUTE = "/memory/settings"


async def retenir(settings: Settings, *command: str) -> Result:
    """The command's outcome, given the database of the tests."""
    assert settings.secret is not None
    given = {
        "RETENIR_DATABASE_URL": settings.database_url,
        "RETENIR_OWNER_DATABASE_URL": settings.owner_database_url,
        "RETENIR_SECRET": settings.secret.get_secret_value(),
    }
    return await asyncio.to_thread(CliRunner().invoke, main, command, env=given)


async def done(settings: Settings, *command: str) -> str:
    """What a command that succeeds prints on stdout."""
    result = await retenir(settings, *command)
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


async def test_from_nothing_to_a_key_that_opens(world: World, settings: Settings) -> None:
    org_id = f"org-{secrets.token_hex(4)}"
    await done(settings, "org", "create", org_id, "--name", "Lune", "--language", "en", "--time-zone", "Europe/Rome")
    tenant = Tenant(world, org_id, await done(settings, "key", "create", org_id, "--act-for-people"))
    assert (await tenant.owner.get(tenant.path)).json()["time_zone"] == "Europe/Rome"
    assert (await tenant.acting("alice").get("/memory/facts/user")).status_code == 200


async def test_a_key_is_limited_listed_and_revoked(world: World, settings: Settings) -> None:
    tenant = await world.organisation()
    options = ("--role", "member", "--store", "shop1", "--agent", "maya", "--days", "30", "--name", "till 1")
    key = await done(settings, "key", "create", tenant.org_id, *options)
    assert (await tenant.with_key(key).get(ROUTE)).status_code == 200
    line = (await done(settings, "key", "list", tenant.org_id)).splitlines()[0]
    key_id, role, state, name = line.split(maxsplit=3)
    assert (role, state, name) == ("member", "live", "till 1")
    await done(settings, "key", "revoke", tenant.org_id, key_id)
    assert (await tenant.with_key(key).get(ROUTE)).status_code == 401
    assert "revoked" in (await done(settings, "key", "list", tenant.org_id)).splitlines()[0]


async def test_a_platform_key_provisions(world: World, settings: Settings) -> None:
    key = await done(settings, "platform-key", "create")
    client = speaking(world.app, Authorization=f"Bearer {key}")
    assert (await client.put(f"/orgs/org-{secrets.token_hex(4)}", json={"name": "Lune"})).status_code == 201


async def test_an_organisation_is_deleted_when_it_is_meant(world: World, settings: Settings) -> None:
    tenant = await world.organisation()
    assert (await retenir(settings, "org", "delete", tenant.org_id)).exit_code == 1  # nobody says yes
    assert (await tenant.owner.get(tenant.path)).status_code == 200
    await done(settings, "org", "delete", tenant.org_id, "--yes")
    assert (await world.platform.get(tenant.path)).status_code == 404


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("org", "create", "two words"), "printable ASCII"),
        (("org", "create", "x", "--time-zone", "Mars/Olympus"), "IANA"),
        (("org", "create", "x", "--language", "de"), "'de' is not one of"),
        (("org", "delete", "no-such-org", "--yes"), "nothing of this id"),
        (("key", "create", "no-such-org"), "nothing of this id"),
        (("key", "list", "no-such-org"), "nothing of this id"),
        (("key", "create", "x", "--role", "platform"), "'platform' is not one of"),
        (("key", "revoke", "x", "y"), "is not a valid UUID"),
    ],
)
async def test_what_cannot_be_done_is_said_in_words(settings: Settings, command: tuple[str, ...], reason: str) -> None:
    result = await retenir(settings, *command)
    assert result.exit_code != 0
    assert reason in result.output
    assert "Traceback" not in result.output


async def test_a_platform_key_needs_the_owner_s_database(settings: Settings) -> None:
    result = await retenir(settings.model_copy(update={"owner_database_url": None}), "platform-key", "create")
    assert (result.exit_code, "RETENIR_OWNER_DATABASE_URL" in result.output) == (1, True)


async def test_the_demo_is_the_same_at_each_start(world: World, settings: Settings, tmp_path: Path) -> None:
    first, second = await provide_demo(settings, tmp_path), await provide_demo(settings, tmp_path)
    assert first == second
    assert first.introduction("http://x").count(first.api_key) == 4
    for name, key in ((API_KEY, first.api_key), (PLATFORM_KEY, first.platform_key)):
        assert (tmp_path / name).read_text().strip() == key
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    demo = Tenant(world, "demo", first.api_key)
    assert (await demo.acting("alice").patch(ROUTE, json={})).status_code == 200
    assert (await demo.owner.get("/orgs/demo/stores/shop1")).status_code == 200
    assert (
        await speaking(world.app, Authorization=f"Bearer {first.platform_key}").get("/orgs/demo")
    ).status_code == 200


async def test_the_demo_replaces_a_key_that_was_revoked_and_leaves_the_rest(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    first = await provide_demo(settings, tmp_path)
    demo = Tenant(world, "demo", first.api_key)
    await demo.owner.put("/orgs/demo/stores/shop1", json={"name": "Renamed"})
    key_id = (await demo.owner.get("/orgs/demo/api-keys")).json()["items"][0]["id"]
    await demo.owner.delete(f"/orgs/demo/api-keys/{key_id}")
    second = await provide_demo(settings, tmp_path)
    assert second.api_key != first.api_key
    assert second.platform_key == first.platform_key
    assert (await demo.with_key(second.api_key).get("/orgs/demo/stores/shop1")).json()["name"] == "Renamed"
    assert (await demo.owner.get(ROUTE)).status_code == 401


async def test_the_audit_trail_is_verified(
    world: World, settings: Settings, container: Container, superuser_url: str
) -> None:
    tenant = await world.organisation()
    alice = tenant.acting("alice")
    fact = await write(alice, "user", "carrier", "Colissimo")
    await Upkeep(container).once()
    told = await done(settings, "verify-audit", "--org", tenant.org_id)
    assert re.fullmatch(
        rf"{tenant.org_id}: (\d+) events, \1 sealed in 1 seals, 0 unsealed; words of \1 checked, of 0 erased;"
        r" head [0-9a-f]{64}",
        told,
    )
    assert (await alice.delete(path_of(fact))).status_code == 200
    assert (await tenant.owner.delete(f"{tenant.path}/stores/shop1")).status_code == 200
    assert "BROKEN" not in await done(settings, "verify-audit", "--org", tenant.org_id)
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.begin() as connection:
        forged = text("update events set kind = 'read' where org_id = :org and kind = 'role_changed' returning id")
        forged_id = (await connection.execute(forged, {"org": tenant.org_id})).scalar_one()
    await engine.dispose()
    for asked in (("--org", tenant.org_id), ()):
        result = await retenir(settings, "verify-audit", *asked)
        assert result.exit_code == 1
        assert f"BROKEN at seal 1, event {forged_id}: " in result.output
    await world.platform.delete(tenant.path)
    assert (await retenir(settings, "verify-audit", "--org", tenant.org_id)).exit_code == 1
    assert tenant.org_id not in await done(settings, "verify-audit")
