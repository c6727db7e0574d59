"""A shop in which anything may happen, each time told once."""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx
from sqlalchemy.ext.asyncio import AsyncEngine

from app.domain.idempotency import KEEP
from app.domain.tenancy import Rank, TenantScope
from app.services.lifecycle import Lifecycle
from tests.support.clock import MovingClock
from tests.support.sessions import TOOL, post
from tests.support.states import State, due, state_of, told
from tests.support.talk import facts, path_of, turn
from tests.support.world import WORKER, Tenant, World

SAID = (
    "Chez nous, la livraison est offerte dès 60 €.",
    "Chez nous, la livraison est offerte dès 80 €.",
    "La livraison offerte passe à 90 €.",
    "En fait, c'est 70 €.",
    "Je préfère qu'on me vouvoie.",
    "Je préfère qu'on me tutoie.",
    "Ne retiens rien #noremember",
)
KEYS, VALUES = ("hours.opening", "hours.closing", "carrier"), ("le matin", "le soir", "Colissimo")
PEOPLE = ("alice", "mia", "33600000001", "33600000002")
ROLES = {"alice": "owner", "mia": "member", "33600000001": None, "33600000002": None}
Json = dict[str, Any]


@dataclass
class Shop:
    """One organisation, and what may happen to it. Each act is one transaction that changes state, or several of them
    that change different things.
    """

    world: World
    tenant: Tenant
    clock: MovingClock
    superuser: AsyncEngine
    dice: random.Random
    happened: list[str] = field(default_factory=list)
    sessions: int = 0
    sent: list[Any] = field(default_factory=list)
    last: tuple[str, str, Json | None, str, datetime] | None = None

    async def step(self) -> None:
        """Some time passes, something happens, and every change of it is told once."""
        self.clock.advance(hours=self.dice.uniform(0.1, 40))
        act = self.dice.choice(ACTS)
        self.happened.append(act)
        before = await self.state()
        await getattr(self, act)()
        await self.compare(before, retention=act == "sweep", linked=act == "link")

    async def compare(self, before: State, *, retention: bool = False, linked: bool = False) -> None:
        after = await self.state()
        wanted, found = due(before, after, retention=retention, linked=linked), told(before, after)
        if retention:
            wanted, found = Counter(wanted.keys()), Counter(found.keys())
        assert found == wanted, (self.happened, self.sent, found - wanted, wanted - found)

    async def state(self) -> State:
        return await state_of(self.superuser, self.tenant.org_id)

    @property
    def alice(self) -> httpx.AsyncClient:
        return self.tenant.acting("alice")

    async def tell(self) -> None:
        said = turn(self.dice.choice(SAID), answer="Entendu.", conversation_id=self.dice.choice(["c1", "c2"]))
        now = self.clock()
        for message in ("user_message", "assistant_message"):
            said[message]["sent_at"] = now.isoformat()
        await self.send("POST", "/memory/turns", said, self.dice.choice(PEOPLE))
        await self.do_jobs()

    async def do_jobs(self) -> None:
        """Job by job: what one of them changes twice is told twice."""
        directory, runner = self.world.container.directory, self.world.container.job_runner
        while claims := await directory.claim_jobs(1, self.clock()):
            before = await self.state()
            await runner.run(TenantScope(claims[0].org_id, WORKER, Rank.OWNER), claims[0])
            await self.compare(before)

    async def write(self) -> None:
        scope = self.dice.choice(["org", "store", "user"])
        body = {"key": self.dice.choice(KEYS), "value": self.dice.choice(VALUES), "tier": self.tier()}
        about = {"store_id": self.store()} if scope == "store" else {}
        await self.send("POST", f"/memory/facts/{scope}", {**body, **about})

    async def edit(self) -> None:
        if fact := await self.any_fact():
            changes: list[Json] = [{"value": self.dice.choice(VALUES)}, {"tags": ["a"]}, {"tier": self.tier()}]
            await self.send("PATCH", path_of(fact), self.dice.choice(changes))

    async def decide(self) -> None:
        if fact := await self.any_fact():
            verdict = self.dice.choice(["pin", "unpin", "archive", "restore", "confirm", "unmerge"])
            await self.send("POST", f"{path_of(fact)}/{verdict}")

    async def merge(self) -> None:
        one, other = await self.any_fact(archived=False), await self.any_fact(archived=False)
        if one and other and one["scope"] == other["scope"]:
            await self.send("POST", f"{path_of(one)}/merge", {"into": other["id"]})

    async def settle(self) -> None:
        found = (await self.alice.get("/memory/contradictions", params={"status": "open"})).json()["items"]
        if found:
            one = self.dice.choice(found)
            keep = self.dice.choice([one["facts"][0]["id"], "both"])
            await self.send("POST", f"/memory/contradictions/{one['id']}/settle", {"keep": keep})

    async def work(self) -> None:
        self.sessions += 1
        told = {**TOOL, "type": self.dice.choice(["tool_success", "tool_failure"]), "session_id": f"s{self.sessions}"}
        await post(self.alice, {**told, "content": "une commande"})
        await self.send("POST", "/memory/consolidations", {"deadline_ms": 10_000})

    async def note(self) -> None:
        item = {"type": "note", "content": f"Le {self.dice.choice(VALUES)}, à noter.", "tags": ["a"]}
        await self.send("POST", "/memory/observations", {"items": [item, item]})

    async def sweep(self) -> None:
        """As the worker does it daily; what it archives it may remove at once."""
        scope = TenantScope(self.tenant.org_id, WORKER, Rank.OWNER)
        self.clock.advance(days=self.dice.choice([0, 0, 30, 400]))
        await Lifecycle(self.world.container.storage).run(scope, self.clock())

    async def prune(self) -> None:
        await self.send("POST", "/memory/prune", {"mode": "on", "older_than_days": self.dice.choice([1, 90])})

    async def delete_fact(self) -> None:
        if fact := await self.any_fact():
            sources = self.dice.choice(["false", "true"])
            await self.send("DELETE", f"{path_of(fact)}?with_sources={sources}")

    async def delete_message(self) -> None:
        held = list((await self.alice.get("/memory/export")).json()["messages"])
        if held:
            one = self.dice.choice(held)
            path = f"/memory/messages/{one['message_id']}?conversation_id={one['conversation_id']}"
            await self.send("DELETE", path)

    async def delete_person(self) -> None:
        await self.send("DELETE", f"{self.tenant.path}/people/{self.dice.choice(PEOPLE)}")

    async def delete_store(self) -> None:
        await self.send("DELETE", f"{self.tenant.path}/stores/{self.store()}")

    async def settings(self) -> None:
        changes: list[Json] = [{"language": "en"}, {"language": "fr"}, {"enabled": True}, {"holdout_share": 0.0}]
        await self.send("PATCH", "/memory/settings", self.dice.choice(changes))

    async def rules(self) -> None:
        await self.send("PUT", "/memory/rules", {"markdown": self.dice.choice(["# A", "# B", ""])})

    async def wish(self) -> None:
        path = f"/memory/users/{self.dice.choice(PEOPLE)}"
        await self.send("PATCH", path, {"remember": self.dice.random() < 0.7})

    async def person(self) -> None:
        body = {"role": self.dice.choice(["admin", "member", None]), "display_name": self.dice.choice(["M", None])}
        await self.send("PUT", f"{self.tenant.path}/people/{self.dice.choice(PEOPLE[1:])}", body)

    async def name(self) -> None:
        named = {"name": self.dice.choice(["One", "Other"])}
        if self.dice.random() < 0.5:
            await self.send("PUT", f"{self.tenant.path}/stores/{self.store()}", named)
        else:
            answer = await self.world.platform.put(self.tenant.path, json=named)
            assert answer.is_success, answer.text

    async def link(self) -> None:
        path = f"{self.tenant.path}/channels/whatsapp/{self.dice.choice(PEOPLE[2:])}"
        if self.dice.random() < 0.3:
            await self.send("DELETE", path)
        else:
            whom = {"user_id": self.dice.choice(["alice", "mia"]), "store_id": self.dice.choice(["shop1", None])}
            await self.send("PUT", path, whom)

    async def make_key(self) -> None:
        await self.send("POST", f"{self.tenant.path}/api-keys", {"name": "k", "role": "member"})

    async def revoke_key(self) -> None:
        found = (await self.tenant.owner.get(f"{self.tenant.path}/api-keys")).json()["items"]
        names = [key["id"] for key in found if key["name"] == "k"]
        if names:
            await self.send("DELETE", f"{self.tenant.path}/api-keys/{self.dice.choice(names)}")

    async def repeat(self) -> None:
        """The last request again, with its Idempotency-Key: nothing happens."""
        if self.last is not None and self.clock() - self.last[4] < KEEP:
            method, path, body, key, _ = self.last
            before = await self.state()
            answer = await self.alice.request(method, path, json=body, headers={"Idempotency-Key": key})
            assert answer.status_code < 300 or answer.status_code in (404, 409), answer.text
            after = await self.state()
            fresh = [after.kept["events"][one][0] for one in after.events - before.events]
            assert not answer.is_success or set(fresh) <= {"read"}, (path, fresh)

    def tier(self) -> str:
        return self.dice.choice(["session", "volatile", "stable", "identity"])

    def store(self) -> str:
        return self.dice.choice(["shop1", "shop2"])

    async def any_fact(self, archived: bool | None = None) -> Json | None:
        scope = self.dice.choice(["org", "store", "user"])
        hidden = self.dice.random() < 0.4 if archived is None else archived
        found = await facts(self.alice, scope, archived=hidden)
        return self.dice.choice(found) if found else None

    async def send(self, method: str, path: str, body: Json | None = None, person: str = "alice") -> None:
        """With an Idempotency-Key now and then, which the next repetition bears too."""
        key = f"key-{self.dice.getrandbits(64)}"
        keyed = {"Idempotency-Key": key} if self.dice.random() < 0.4 and person == "alice" else {}
        answer = await self.tenant.acting(person).request(method, path, json=body, headers=keyed)
        assert answer.status_code < 300 or answer.status_code in (403, 404, 409, 422), answer.text
        self.sent = [method, path, body, answer.status_code]
        self.last = (method, path, body, key, self.clock()) if keyed and answer.is_success else self.last


ACTS = tuple(
    name
    for name in vars(Shop)
    if not name.startswith("_")
    and name not in ("step", "compare", "state", "alice", "do_jobs", "tier", "store", "any_fact", "send")
    and callable(getattr(Shop, name))
)
