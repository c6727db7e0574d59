"""What several keys say is compared: the same merges, an update ends, a contradiction is listed and settled."""

from typing import Any

import httpx
import pytest

from tests.support.talk import block, facts, happened, path_of, send, turn, write
from tests.support.world import Tenant, World

Json = dict[str, Any]
SPAIN, NO_SPAIN = "We ship to Spain.", "We do not ship to Spain."


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member"}, language="en")


async def keep(client: httpx.AsyncClient, key: str, content: str, **more: Any) -> Json:
    """A fact of its own key, written by hand."""
    return await write(client, more.pop("scope", "store"), key, more.pop("value", content), content=content, **more)


async def compare(world: World, shop: Tenant) -> Json:
    """The consolidation of everybody, done; what it counted."""
    answer = await shop.owner.post("/memory/consolidations", json={"all": True})
    assert answer.status_code == 202, answer.text
    await world.finish_jobs()
    job = (await shop.owner.get(f"/memory/jobs/{answer.json()['job_id']}")).json()
    assert job["status"] == "done", job
    return {name: job["result"][name] for name in ("merged", "superseded", "opposed")}


async def open_ones(client: httpx.AsyncClient) -> list[Json]:
    answer = await client.get("/memory/contradictions", params={"status": "open"})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def test_the_same_in_other_words_is_one_fact(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    one = await keep(alice, "shipping.delay", "We ship orders within two business days.", tags=["a"])
    other = await keep(alice, "dispatch", "Orders are shipped within 2 working days.", tags=["b"])

    assert await compare(world, shop) == {"merged": 1, "superseded": 0, "opposed": 0}
    (standing,) = await facts(alice)
    assert standing["id"] == other["id"]
    assert (standing["confirmation_count"], sorted(standing["tags"])) == (2, ["a", "b"])
    found = await alice.post("/memory/search", json={"query": "ship orders business days", "store_id": "shop1"})
    assert [hit["id"] for hit in found.json()["items"]] == [other["id"]]
    assert (await happened(alice, one))[-1] == "merged"
    assert await compare(world, shop) == {"merged": 0, "superseded": 0, "opposed": 0}

    undone = await alice.post(f"{path_of(one)}/unmerge")
    assert undone.status_code == 200, undone.text
    assert await compare(world, shop) == {"merged": 0, "superseded": 0, "opposed": 0}
    assert len(await facts(alice)) == 2


async def test_an_update_ends_what_another_key_still_says(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    older = await keep(alice, "zones.norway", "We ship to Norway.", value=True)
    newer = await keep(alice, "no_norway", "We no longer ship to Norway.", value=False)

    assert await compare(world, shop) == {"merged": 0, "superseded": 1, "opposed": 0}
    ended = (await alice.get(path_of(older))).json()
    assert (ended["superseded_by"], ended["valid_to"]) == (newer["id"], newer["valid_from"])
    assert [row["id"] for row in await facts(alice)] == [newer["id"]]
    assert (await happened(alice, older))[-1] == "superseded"
    then = await facts(alice, as_of=older["valid_from"])
    assert [row["id"] for row in then] == [older["id"]]

    assert (await alice.delete(path_of(newer))).status_code == 200
    assert await facts(alice) == []


async def test_a_contradiction_across_keys_is_listed_and_settled(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    older = await keep(alice, "zones.spain", SPAIN, value=True)
    newer = await keep(alice, "spain", NO_SPAIN, value=False)

    assert await compare(world, shop) == {"merged": 0, "superseded": 0, "opposed": 1}
    (found,) = await open_ones(alice)
    assert [fact["id"] for fact in found["facts"]] == [older["id"], newer["id"]]
    assert [(await happened(alice, each))[-1] for each in (older, newer)] == ["opposed", "opposed"]
    rows = {row["id"]: row for row in await facts(alice, contradicted=True)}
    assert rows.keys() == {older["id"], newer["id"]}
    assert rows[older["id"]]["score"] == pytest.approx(rows[newer["id"]]["score"] / 2, rel=0.01)
    text = await block(alice)
    assert NO_SPAIN in text
    assert SPAIN not in text

    settled = await alice.post(f"/memory/contradictions/{found['id']}/settle", json={"keep": older["id"]})
    assert settled.status_code == 200, settled.text
    assert await open_ones(alice) == []
    assert [row["id"] for row in await facts(alice)] == [older["id"]]
    assert await compare(world, shop) == {"merged": 0, "superseded": 0, "opposed": 0}


async def test_a_person_may_let_both_hold(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await keep(alice, "zones.spain", SPAIN, value=True)
    await keep(alice, "spain", NO_SPAIN, value=False)
    await compare(world, shop)
    (found,) = await open_ones(alice)

    settled = await alice.post(f"/memory/contradictions/{found['id']}/settle", json={"keep": "both"})
    assert settled.status_code == 200, settled.text
    assert await open_ones(alice) == []
    assert await facts(alice, contradicted=True) == []
    assert len(await facts(alice)) == 2
    assert await compare(world, shop) == {"merged": 0, "superseded": 0, "opposed": 0}


@pytest.mark.parametrize("at", [0, 9000], ids=["before it", "after it"])
async def test_what_was_found_goes_with_the_message_that_said_it(world: World, shop: Tenant, at: float) -> None:
    alice = shop.acting("alice")
    older = await keep(alice, "zones.spain", SPAIN, value=True)
    said = turn("We don't ship to Spain.", at=at)
    await send(alice, said)
    await world.finish_jobs()
    assert len(await open_ones(alice)) == 1
    assert "We don't ship to Spain." not in await block(alice, query="Do we ship to Spain?")

    gone = await alice.delete(f"/memory/messages/{said['user_message']['id']}")
    assert gone.status_code == 200, gone.text
    assert await open_ones(alice) == []
    (left,) = await facts(alice)
    assert (left["id"], left["contradicted"]) == (older["id"], False)


async def test_nothing_else_is_touched(world: World, shop: Tenant) -> None:
    alice, mia = shop.acting("alice"), shop.acting("mia")
    sentences = """
        The shop opens at 9 am.|We ship to Spain within 5 days.|Our logo is green.|Julie handles the newsletter.
        Returns are accepted for 30 days.|Our candles are vegan.|The rent is 900 €.|Our bank is Nordea.
        The newsletter goes out on Tuesday.|We ship to Italy within 5 days.
    """
    for number, sentence in enumerate(sentences.strip().replace("\n", "|").split("|")):
        await keep(alice, f"key{number}", sentence.strip())
    for number in range(2):
        await keep(alice, f"same{number}", "9 h")
    await keep(alice, "logo", "Our logo is green.", scope="org")
    await keep(mia, "logo", "Our logo is green.", scope="user")
    await keep(alice, "logo2", "Our logo is green.", agent_id="maya")
    pinned = await keep(alice, "rent", "The rent costs 900 €.")
    assert (await alice.post(f"{path_of(pinned)}/pin")).status_code == 200

    counts = await compare(world, shop)
    assert counts == {"merged": 1, "superseded": 0, "opposed": 0}
    assert (await alice.get(path_of(pinned))).json()["archived_at"] is None
