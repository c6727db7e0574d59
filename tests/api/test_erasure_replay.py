"""After a restore from a backup, the ledger takes away again what was erased since."""

import pytest

from app.api.deps import platform_scope
from app.services.erasure_replay import ErasureReplay, LedgerLine
from tests.api.large import stuffed
from tests.support.backups import backup, restore
from tests.support.erasing import erase, leave_words, word
from tests.support.talk import FREE_FROM_60, facts, path_of, send, tables_holding, tell, turn, write
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"olga": "owner", "mia": "member", "carla": None, "dave": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


@pytest.fixture
def replay(world: World) -> ErasureReplay:
    here = world.container
    return ErasureReplay(here.storage, here.directory, here.erasures, here.clock, platform_scope)


async def ledger(replay: ErasureReplay) -> list[LedgerLine]:
    """As it was printed before the disaster."""
    return [line async for line in replay.lines()]


async def test_what_was_erased_since_the_backup_is_erased_again(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str
) -> None:
    olga, erased, kept = shop.acting("olga"), [word() for _ in range(4)], word()
    await leave_words(world, shop, "carla", erased[0])
    await leave_words(world, shop, "dave", erased[1], "shop2")
    told = turn(f"Chez nous, le transporteur est {erased[2]}.")
    await send(olga, told)
    await leave_words(world, shop, "mia", kept)
    fact = await write(olga, "org", "motto", erased[3])
    await world.finish_jobs()
    saved = await backup(superuser_url, shop.org_id)
    await erase(olga, "/memory/users/carla")
    await erase(olga, "/memory/stores/shop2")
    await erase(shop.acting("dave"), "/memory/users/dave")
    await erase(olga, f"/memory/messages/{told['user_message']['id']}")
    await erase(olga, path_of(fact))
    lines = await ledger(replay)
    await restore(superuser_url, shop.org_id, saved)
    assert all([await tables_holding(superuser_url, said) for said in erased])
    standing = await tables_holding(superuser_url, kept)
    done = await replay.replay(lines)
    assert (done["people"], done["stores"], done["messages"], done["sources"]) == (2, 1, 1, 1)
    assert [await tables_holding(superuser_url, said) for said in erased] == [{}] * 4
    assert await tables_holding(superuser_url, kept) == standing
    assert (await send(olga, told))["reason"] == "erased"
    assert await replay.replay(lines) == {}


async def test_what_was_to_stay_of_a_person_stays(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str
) -> None:
    olga, mias = shop.acting("olga"), word()
    await tell(shop.acting("mia"), FREE_FROM_60)
    await leave_words(world, shop, "mia", mias)
    saved = await backup(superuser_url, shop.org_id)
    await erase(olga, "/memory/users/mia", keep="shared")
    left = {fact["id"]: fact["value"] for fact in await facts(olga, "store")}
    assert "60 €" in left.values()
    lines = await ledger(replay)
    await restore(superuser_url, shop.org_id, saved)
    assert (await replay.replay(lines))["people"] == 1
    assert {fact["id"]: fact["value"] for fact in await facts(olga, "store")} == left
    assert (await olga.get("/memory/users/mia")).status_code == 404
    assert await replay.replay(lines) == {}


@pytest.mark.parametrize("order", [(True, False), (False, True)])
async def test_who_went_twice_leaves_what_was_to_stay_each_time(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str, order: tuple[bool, bool]
) -> None:
    olga, mia, seen = shop.acting("olga"), shop.acting("mia"), []

    async def values() -> list[str]:
        return sorted(fact["value"] for fact in await facts(olga, "store"))

    for number, keeps in enumerate(order):
        assert (await world.platform.put(f"{shop.path}/people/mia", json={"role": "admin"})).is_success
        await tell(mia, f"Chez nous, le délai de retour est de {30 + number} jours.")
        await write(mia, "store", f"motto.{number}", word())
        saved = await backup(superuser_url, shop.org_id)
        await olga.delete("/memory/users/mia", params={"keep": "shared"} if keeps else {})
        seen.append((saved, await values()))
    assert [bool(left) for _, left in seen] == [order[0], True]
    lines = await ledger(replay)
    for saved, left in seen:
        await restore(superuser_url, shop.org_id, saved)
        await replay.replay(lines)
        assert await values() == left


async def test_a_memory_is_emptied_again_of_what_was_in_it_then(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str
) -> None:
    olga, before, since = shop.acting("olga"), word(), word()
    await leave_words(world, shop, "carla", before)
    saved = await backup(superuser_url, shop.org_id)
    await erase(olga, "/memory", confirm=shop.org_id)
    lines = await ledger(replay)
    await restore(superuser_url, shop.org_id, saved)
    await write(olga, "org", "motto", since)
    await replay.replay(lines)
    assert [fact["value"] for fact in await facts(olga, "org")] == [since]
    assert {"messages", "user_facts", "fact_sources", "documents"}.isdisjoint(
        await tables_holding(superuser_url, before)
    )


async def test_an_organisation_that_is_being_erased_is_left_to_its_job(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str
) -> None:
    large = await stuffed(world, 11_000)
    [fact, *_] = (await large.owner.get("/memory/facts/store", params={"store_id": "shop1"})).json()["items"]
    await erase(large.owner, path_of(fact))
    said = word()
    await leave_words(world, shop, "carla", said)
    saved = await backup(superuser_url, shop.org_id)
    await erase(shop.acting("olga"), "/memory/users/carla")
    lines = await ledger(replay)
    await restore(superuser_url, shop.org_id, saved)
    await erase(world.platform, large.path, 202)
    assert (await replay.replay(lines))["people"] == 1
    assert await tables_holding(superuser_url, said) == {}
    await world.finish_jobs()
    assert await tables_holding(superuser_url, large.org_id) == {}


async def test_an_organisation_and_a_person_everywhere_go_again(
    world: World, shop: Tenant, replay: ErasureReplay, superuser_url: str
) -> None:
    person, said, theirs = f"user-{word()}", word(), word()
    await leave_words(world, shop, person, said)
    other = await world.organisation(people={"olga": "owner", "carla": None})
    await leave_words(world, other, "carla", theirs)
    saved = [await backup(superuser_url, tenant.org_id) for tenant in (shop, other)]
    await erase(world.platform, f"/people/{person}")
    await erase(world.platform, other.path)
    for tenant, rows in zip((shop, other), saved, strict=True):
        await restore(superuser_url, tenant.org_id, rows)
    assert await tables_holding(superuser_url, said)
    assert await tables_holding(superuser_url, theirs)
    done = await replay.replay()  # what the platform's own receipts say was not restored with the organisations
    assert (done["organisations"], done["people"]) == (1, 1)
    assert await tables_holding(superuser_url, said) == await tables_holding(superuser_url, theirs) == {}
    made_anew = await world.organisation(org_id=other.org_id)
    await write(made_anew.owner, "org", "motto", "x")
    assert await replay.replay() == {}
    assert len(await facts(made_anew.owner, "org")) == 1
