"""Each change of an organisation's state leaves exactly one event, whatever happens and in whatever order.

State is read from the tables as a superuser, before and after each act, and held against the events between.
"""

import os
import random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.support.clock import MovingClock
from tests.support.happenings import ROLES, Shop
from tests.support.talk import facts, happened, path_of, write
from tests.support.world import World

SEQUENCES = int(os.environ.get("RETENIR_SEQUENCES", "12"))
"""How many sequences; 1,000 are promised."""
STEPS = 20


@pytest.mark.parametrize("seed", range(SEQUENCES))
async def test_each_change_leaves_one_event(
    world: World, clock: MovingClock, superuser: AsyncEngine, seed: int
) -> None:
    tenant = await world.organisation(people=ROLES, stores=("shop1", "shop2"))
    shop = Shop(world, tenant, clock, superuser, random.Random(seed))
    for _ in range(STEPS):
        await shop.step()


async def test_what_a_deletion_does_to_a_row_on_its_way_is_not_told(world: World) -> None:
    """The merged row goes first, and the one that took it counts one less before it goes, too."""
    alice = (await world.organisation()).acting("alice")
    one, other = [await write(alice, "org", key, "Colissimo") for key in ("carrier", "parcels")]
    assert (await alice.post(f"{path_of(one)}/merge", json={"into": other["id"]})).status_code == 200
    assert (await alice.delete(path_of(other))).status_code == 200
    assert await facts(alice, "org", archived=True) == []
    assert await happened(alice, one) == ["created", "merged", "deleted"]
    assert (await happened(alice, other))[-1:] == ["deleted"]
    assert (await happened(alice, other)).count("edited") == 0


async def test_who_becomes_another_leaves_what_became_of_their_rows(world: World) -> None:
    """A row that only changes hands is told with the link; of two that say the same one is left."""
    tenant = await world.organisation(people={"alice": "owner", "336": None})
    alice, contact = tenant.acting("alice"), tenant.acting("336")
    theirs = await write(contact, "user", "carrier", "Colissimo")
    mine = await write(alice, "user", "carrier", "Colissimo")
    alone = await write(contact, "user", "hours", "le matin")
    linked = await tenant.owner.put(f"{tenant.path}/channels/whatsapp/336", json={"user_id": "alice"})
    assert linked.status_code == 201
    kept = {fact["id"] for fact in await facts(alice, "user")}
    assert kept == {theirs["id"], alone["id"]}
    assert await happened(alice, alone) == ["created"]
    assert await happened(alice, theirs) == ["created", "confirmed"]
    assert await happened(alice, mine) == ["created", "merged"]


async def test_who_came_back_under_an_address_and_is_linked_again_is_told_of_again(world: World) -> None:
    tenant = await world.organisation()
    alice = tenant.acting("alice")
    for linked in (201, 200):
        await write(tenant.acting("336"), "user", "carrier", "Colissimo")
        link = await tenant.owner.put(f"{tenant.path}/channels/whatsapp/336", json={"user_id": "alice"})
        assert link.status_code == linked
    again = await tenant.owner.put(f"{tenant.path}/channels/whatsapp/336", json={"user_id": "alice"})
    assert again.status_code == 200
    told = await alice.get("/memory/events", params={"kind": "settings_changed", "total": True})
    assert told.json()["total"] == 2
