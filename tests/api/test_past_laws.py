"""Whatever happens to a memory, it is read at `known_at` as it was answered then, by every route."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
import pytest

from app.domain.tenancy import Rank, TenantScope
from app.services.lifecycle import Lifecycle
from tests.support.clock import MovingClock
from tests.support.sessions import TOOL, post
from tests.support.talk import facts, path_of, turn
from tests.support.world import WORKER, Tenant, World

Json = dict[str, Any]
SAID = (
    "Chez nous, la livraison est offerte dès 60 €.",
    "Chez nous, la livraison est offerte dès 80 €.",
    "La livraison offerte passe à 90 €.",
    "En fait, c'est 70 €.",
    "Je préfère qu'on me vouvoie.",
    "Je préfère qu'on me tutoie.",
    "Le transporteur passe vers seize heures.",
)
QUERIES = ("livraison offerte", "transporteur ou order", "matin")
KEYS, VALUES = ("hours.opening", "hours.closing", "carrier"), ("le matin", "le soir", "Colissimo")
OWN = {"updated_at", "last_seen_at", "receipt_id"}
"""What an answer of the past does not know, or has of its own."""
STEPS = 16


@dataclass
class Shop:
    """One memory, what may happen to it, and what it answers."""

    world: World
    tenant: Tenant
    clock: MovingClock
    dice: random.Random
    sessions: int = 0
    happened: list[str] = field(default_factory=list)

    @property
    def alice(self) -> httpx.AsyncClient:
        return self.tenant.acting("alice")

    async def step(self) -> None:
        """Some time passes, and something happens; somebody speaks first."""
        self.clock.advance(hours=self.dice.uniform(0.1, 6))
        acts = (self.tell, self.tell, self.write, self.write, self.edit, self.decide, self.decide, self.merge,
                self.settle, self.work, self.note, self.sweep)  # fmt: skip
        act = self.dice.choice(acts) if self.happened else self.tell
        self.happened.append(act.__name__)
        await act()

    async def tell(self) -> None:
        """Somebody says something, now or days ago."""
        ago = timedelta(seconds=self.dice.choice([20, 20, 5_000, 200_000]))
        words = self.dice.choice(SAID) if len(self.happened) > 1 else SAID[0]
        said = turn(words, answer="Entendu.", conversation_id=self.dice.choice(["c1", "c2"]))
        now = self.clock()
        said["user_message"]["sent_at"] = (now - ago).isoformat()
        said["assistant_message"]["sent_at"] = (now - ago + timedelta(seconds=5)).isoformat()
        person = self.dice.choice(["alice", "alice", "mia"])
        await self.sent(self.tenant.acting(person).post("/memory/turns", json=said))
        if self.dice.random() < 0.8 or len(self.happened) == 1:  # else it is read later, with what is said next
            await self.world.finish_jobs()

    async def write(self) -> None:
        """A fact is written by hand, now and then as of a day before, or for a few hours."""
        scope = self.dice.choice(["org", "store", "user"])
        body = {"key": self.dice.choice(KEYS), "value": self.dice.choice(VALUES), "tier": self.tier()}
        if self.dice.random() < 0.3:
            body["valid_from"] = (self.clock() - timedelta(days=2)).isoformat()
        about = {"store_id": "shop1"} if scope == "store" else {}
        await self.sent(self.alice.post(f"/memory/facts/{scope}", json={**body, **about}))

    async def edit(self) -> None:
        fact = await self.any_fact()
        changes: list[Json] = [{"value": self.dice.choice(VALUES)}, {"tags": ["a"]}, {"tier": self.tier()}]
        if fact:
            await self.sent(self.alice.patch(path_of(fact), json=self.dice.choice(changes)))

    async def decide(self) -> None:
        fact = await self.any_fact()
        verdict = self.dice.choice(["pin", "unpin", "archive", "restore", "restore", "confirm", "unmerge"])
        if fact:
            await self.sent(self.alice.post(f"{path_of(fact)}/{verdict}"))

    async def merge(self) -> None:
        one, other = await self.any_fact(archived=False), await self.any_fact(archived=False)
        if one and other and one["scope"] == other["scope"]:
            await self.sent(self.alice.post(f"{path_of(one)}/merge", json={"into": other["id"]}))

    async def settle(self) -> None:
        found = (await self.alice.get("/memory/contradictions", params={"status": "open"})).json()["items"]
        if found:
            one = self.dice.choice(found)
            keep = self.dice.choice([one["facts"][0]["id"], one["facts"][1]["id"], "both"])
            await self.sent(self.alice.post(f"/memory/contradictions/{one['id']}/settle", json={"keep": keep}))

    async def work(self) -> None:
        """A session in which tools were run, consolidated at the start of the next one."""
        self.sessions += 1
        kind = self.dice.choice(["tool_success", "tool_failure"])
        told = {**TOOL, "type": kind, "session_id": f"s{self.sessions}", "content": "une commande, an order"}
        await post(self.alice, {**told, "occurred_at": (self.clock() - timedelta(minutes=5)).isoformat()})
        await self.sent(self.alice.post("/memory/consolidations", json={"deadline_ms": 10_000}))

    async def note(self) -> None:
        await post(self.alice, {"type": "note", "content": f"Le {self.dice.choice(VALUES)}, à noter.", "tags": ["a"]})

    async def sweep(self) -> None:
        """As the worker does it daily."""
        scope = TenantScope(self.tenant.org_id, WORKER, Rank.OWNER)
        await Lifecycle(self.world.container.storage).run(scope, self.clock())

    def tier(self) -> str:
        return self.dice.choice(["session", "volatile", "stable", "identity"])

    async def any_fact(self, archived: bool | None = None) -> Json | None:
        scope = self.dice.choice(["org", "store", "user"])
        hidden = self.dice.random() < 0.4 if archived is None else archived
        found = await facts(self.alice, scope, archived=hidden)
        return self.dice.choice(found) if found else None

    async def sent(self, request: Any) -> None:
        answer = await request
        assert answer.status_code < 300 or answer.status_code in (409, 422), answer.text

    async def answers(self, **when: str) -> Json:
        """What every route tells, of now or of then."""
        told: Json = {}
        for scope in ("org", "store", "user"):
            for archived in (False, True):
                told[f"{scope} {archived}"] = await facts(self.alice, scope, archived=archived, **when)
        for query in QUERIES:
            asked = {"query": query, "store_id": "shop1", "limit": 50, **when}
            found = await self.alice.post("/memory/search", json=asked)
            asked = {**asked, "conversation_id": "c9", "deadline_ms": 10_000}
            del asked["limit"]
            context = await self.alice.post("/memory/context", json=asked)
            assert (found.status_code, context.status_code) == (200, 200), (found.text, context.text)
            told |= {f"search {query}": found.json()["items"], f"context {query}": context.json()}
        return told


@pytest.mark.parametrize("seed", range(3))
async def test_known_at_tells_what_was_answered_then(world: World, clock: MovingClock, seed: int) -> None:
    tenant = await world.organisation(people={"alice": "owner", "mia": "member"})
    await tenant.owner.patch("/memory/settings", json={"domains": {}})  # a conversation is a session that goes on
    shop = Shop(world, tenant, clock, random.Random(seed))
    answered = []
    for _ in range(STEPS):
        await shop.step()
        answered.append((clock().isoformat(), await shop.answers()))
    clock.advance(hours=1)
    present = await shop.answers()
    now = clock().isoformat()
    assert difference(await shop.answers(as_of=now, known_at=now), present) is None
    for step, (known_at, told) in enumerate(answered):
        found = difference(await shop.answers(known_at=known_at), told)
        assert found is None, (step, shop.happened[: step + 1], found)
    assert any(told["search livraison offerte"] for _, told in answered)


def difference(one: Any, other: Any, place: str = "") -> str | None:
    """Where two answers differ by more than the moments between two requests; None where they do not."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = (one.keys() | other.keys()) - OWN
        pairs = [(one.get(name), other.get(name), f"{place}/{name}") for name in sorted(names)]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [
            (left, right, f"{place}/{number}") for number, (left, right) in enumerate(zip(one, other, strict=True))
        ]
    elif isinstance(one, float) and isinstance(other, float):
        return None if abs(one - other) < 1e-4 else f"{place}: {one} / {other}"
    else:
        return None if one == other else f"{place}: {one} / {other}"
    return next(filter(None, (difference(*pair) for pair in pairs)), None)
