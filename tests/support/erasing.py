"""Somebody who left words everywhere, and erasing them."""

from typing import Any
from uuid import uuid4

import httpx

from app.domain.erasures import TOLD
from tests.support.talk import recall, turn, write
from tests.support.world import Tenant, World

Json = dict[str, Any]


NOTHING = dict.fromkeys(TOLD, 0)
"""What a receipt counts where nothing was."""


def went(receipt: Json) -> dict[str, int]:
    """The places from which something went, with how much; the cache is as it happens to be."""
    return {place: count for place, count in receipt["erased"].items() if count and place != "cache_entries"}


def word() -> str:
    """A word that stands nowhere else."""
    return f"zq{uuid4().hex[:12]}zq"


async def erase(client: httpx.AsyncClient, path: str, status: int = 200, **query: str) -> Json:
    """Erased, or on its way; the receipt."""
    answer = await client.delete(path, params=query)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


async def leave_words(world: World, tenant: Tenant, person: str, said: str, store: str = "shop1") -> list[Json]:
    """The person tells of themself and of the shop, notes, sees, is served and uses keys, always with this word.

    Answers the turns that were sent.
    """
    client = tenant.acting(person)
    turns = [
        turn(f"Je préfère le thé {said}.", store_id=store, answer=f"Entendu, {said}."),
        turn(f"Chez nous, le transporteur est {said}.", store_id=store),
        turn(f"Avez-vous reçu le colis {said} ?", store_id=store),
    ]
    for one in turns:
        taken = await client.post("/memory/turns", json=one, headers={"Idempotency-Key": uuid4().hex})
        assert taken.status_code == 202, taken.text
    await world.finish_jobs()
    await write(client, "user", f"habit.{said}", {"is": said}, content=f"Toujours {said}.", tags=[said])
    told = {
        "type": "tool_failure",
        "store_id": store,
        "content": said,
        "metadata": {"toolName": "get_order", "e": said},
    }
    items = [told, {"type": "note", "content": f"Aime {said}"}]
    kept = await client.post("/memory/observations", json={"items": items})
    assert kept.status_code == 202, kept.text
    await recall(client, store_id=store, query=said)
    await client.post("/memory/consolidations", json={"user_id": person, "deadline_ms": 10_000})
    await client.post("/memory/turns", json=turn(f"Encore {said}.", store_id=store))  # nobody has read it yet
    await world.container.receipts.close()
    return turns
