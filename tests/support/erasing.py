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
    """The person says this word in every field that they can write, of turns, facts, observations, tool runs and of
    what asks; answers the turns that were sent.
    """
    client = tenant.acting(person)
    turns = [
        _turn(said, store, f"Je préfère le thé {said}.", answer=f"Entendu, {said}."),
        _turn(said, store, f"Chez nous, le transporteur est {said}."),
        _turn(said, store, f"Avez-vous reçu le colis {said} ?", channel="whatsapp"),
    ]
    for one in turns:
        await _sent(client, "turns", one)
    await world.finish_jobs()
    await write(client, "user", f"habit.{said}", {said: said}, content=f"Toujours {said}.", tags=[said], category=said)
    told = {
        "content": said,
        "session_id": said,
        "tags": [said],
        "store_id": store,
        "metadata": {"toolName": said, said: said},
    }
    await _sent(
        client, "observations", {"items": [{"type": "tool_failure", **told}, {"type": "note", "content": said}]}
    )
    entities = [{"type": said, "id": said, "name": said}]
    run = {"tool_name": said, "ok": False, "duration_ms": 5, "error": said, "session_id": said, "entities": entities}
    await _sent(client, "tool-runs", {**run, "store_id": store})
    await recall(client, store_id=store, query=said, conversation_id=said)
    await client.post("/memory/consolidations", json={"user_id": person, "session_id": said, "deadline_ms": 10_000})
    await _sent(client, "turns", _turn(said, store, f"Encore {said}."))  # nobody has read it yet
    await world.container.receipts.close()
    return turns


def _turn(said: str, store: str, content: str, **fields: Any) -> Json:
    """A turn whose ids say it, too."""
    told = turn(content, store_id=store, conversation_id=f"c-{said}", **fields)
    for message in ("user_message", "assistant_message"):
        if message in told:
            told[message]["id"] += said
    return told


async def _sent(client: httpx.AsyncClient, route: str, body: Json) -> None:
    """Posted with a key, so that its answer is kept."""
    taken = await client.post(f"/memory/{route}", json=body, headers={"Idempotency-Key": uuid4().hex})
    assert taken.status_code == 202, taken.text
