"""Three organisations whose stores, people, conversations and messages bear the same ids, and whose words differ."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import UUID

from app.domain.contradictions import contradiction_id
from app.domain.tenancy import ATLAS
from tests.support.canaries import OPERATORS, Canary
from tests.support.world import Tenant, World

STORES = ("shop1", "shop2")
PEOPLE = {"olga": "owner", "anna": "admin", "mia": "member", "max": "member", "carla": None, "dave": None}
assert {person for person, role in PEOPLE.items() if role} == OPERATORS
CHANNEL = "whatsapp"
LINKED, UNLINKED = "+33600000001", "+33600000002"
"""Two addresses: carla's, in shop1, and one that is a contact of its own until somebody links it to her."""
CONTACTS = frozenset({"carla", "dave", "norma", LINKED, UNLINKED})
SENT_AT = "2026-03-02T10:00:00Z"


@dataclass
class Organisation:
    """One of the three. `facts` has where each fact stands, by scope and id; the rest are ids that the service made."""

    tenant: Tenant
    facts: dict[str, dict[str, Canary]] = field(default_factory=lambda: {"org": {}, "store": {}, "user": {}})
    jobs: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    erasures: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    spare_keys: list[str] = field(default_factory=list)
    all_keys: list[str] = field(default_factory=list)
    cursors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def org_id(self) -> str:
        return self.tenant.org_id

    @property
    def only(self) -> str:
        """The id of a store and of a contact that no other organisation has."""
        return f"only-{self.org_id}"

    @property
    def doomed(self) -> str:
        """Another organisation, whose removal is nobody's loss."""
        return f"{self.org_id}-doomed"

    def canary(self, person: str | None = None, **place: Any) -> Canary:
        """A word of this organisation."""
        return Canary(self.org_id, person, **place)

    def shared(self) -> Iterator[tuple[str, Canary]]:
        """Where facts of the organisation and of its stores stand: (scope, word)."""
        for agent in (ATLAS, "maya"):
            yield "org", self.canary(agent=agent)
        yield "org", self.canary(everyone=True)
        for store in (*STORES, self.only):
            for agent in (ATLAS, "maya", "otis"):
                yield "store", self.canary(store=store, agent=agent)
        yield "store", self.canary(store="shop1", everyone=True)


async def build(world: World, prefix: str) -> list[Organisation]:
    """The three, empty but for their people and stores."""
    made = []
    for number in range(3):
        org_id = f"{prefix}-{number}"
        people = {**PEOPLE, f"only-{org_id}": None}
        made.append(Organisation(await world.organisation(people, (*STORES, f"only-{org_id}"), org_id)))
        await world.organisation(PEOPLE, STORES, made[-1].doomed)
        made[-1].ended.append(_good(await world.platform.delete((await world.organisation()).path))["receipt_id"])
    return made


async def furnish(here: Organisation) -> None:
    """Everything is there (again): people with their roles, stores, links, a spare key, facts and turns of each."""
    tenant, platform = here.tenant, here.tenant.world.platform
    name = here.canary(name=True).word
    puts: dict[str, dict[str, Any]] = {"": {"name": name}}
    puts |= {f"/stores/{store}": {"name": name} for store in (*STORES, here.only)}
    puts |= {f"/people/{person}": {"role": role} for person, role in {**PEOPLE, here.only: None}.items()}
    puts |= {f"/channels/{CHANNEL}/{quote(LINKED)}": {"user_id": "carla", "store_id": "shop1"}}
    for path, body in puts.items():
        _good(await platform.put(f"{tenant.path}{path}", json=body))
    here.facts = {"org": {}, "store": {}, "user": {}}  # those that stand; others have successors by now
    _good(await tenant.owner.put("/memory/rules", json={"markdown": here.canary(everyone=True).word}))
    for kind, canary in here.shared():
        await _write(here, kind, canary)
    for person in (*PEOPLE, UNLINKED):
        await _write(here, "user", here.canary(person))
        await _say(here, person)
        await _observe(here, person)
    here.contradictions = [
        await _contradict(here, "store", here.canary(store="shop1")),
        *[await _contradict(here, "user", here.canary(person)) for person in PEOPLE],
    ]
    await _note_ids(here)


async def _write(here: Organisation, kind: str, canary: Canary) -> None:
    """A fact that says the word, in the place that the word is for."""
    place = {"store": {"store_id": canary.store}, "user": {"user_id": canary.person}, "org": {}}[kind]
    audience = {"audience": "everyone"} if canary.everyone else {}
    wanted = {"key": canary.key, "value": canary.word, "agent_id": canary.agent, **place, **audience}
    made = _good(await here.tenant.owner.post(f"/memory/facts/{kind}", json=wanted))
    here.facts[kind][made["id"]] = canary


async def _contradict(here: Organisation, kind: str, canary: Canary) -> str:
    """Another value stands against the fact that says the word; the id of what is between them."""
    place = {"store": {"store_id": canary.store}, "user": {"user_id": canary.person}}[kind]
    wanted = {"key": f"{canary.key}.too", "agent_id": canary.agent, **place}
    ids = []
    for value in (canary.word, f"{canary.word} too"):
        made = _good(await here.tenant.owner.post(f"/memory/facts/{kind}", json={**wanted, "value": value}))
        here.facts[kind][made["id"]] = canary
        ids.append(made["id"])
    writer = here.tenant.acting(canary.person) if canary.person else here.tenant.owner
    _good(await writer.post(f"/memory/facts/{kind}/{ids[0]}/restore"))
    return str(contradiction_id(UUID(ids[0]), UUID(ids[1])))


async def _say(here: Organisation, person: str) -> None:
    """Two turns of the same ids in every organisation: one that tells of the speaker, one that asks in a store."""
    told, asked = here.canary(person).word, here.canary(person, store="shop2").word
    items = [
        {**turn(person, "m1", f"Je préfère le thé {told}."), "agent_id": "maya"},
        {**turn(person, "m2", f"Avez-vous reçu {asked} ?"), "store_id": "shop2"},
    ]
    taken = await here.tenant.owner.post("/memory/turns", json={"items": items})
    assert taken.status_code in (202, 422), taken.text  # where they were erased, another may have taken their ids
    answers = taken.json()["items"] if taken.is_success else []
    here.jobs = sorted({*here.jobs, *(answer["job_id"] for answer in answers if answer.get("job_id"))})


async def _observe(here: Organisation, person: str) -> None:
    """What happened to the person: in a store, and as an agent noted it."""
    seen, noted = here.canary(person, store="shop2").word, here.canary(person, agent="maya").word
    told = {"type": "tool_success", "metadata": {"toolName": "get_order"}, "content": seen, "store_id": "shop2"}
    items = [{"user_id": person, **told}, {"user_id": person, "type": "note", "content": noted, "agent_id": "maya"}]
    _good(await here.tenant.owner.post("/memory/observations", json={"items": items}))


def turn(person: str, message_id: str, content: str) -> dict[str, Any]:
    """A turn of the person's one conversation."""
    message = {"id": message_id, "content": content, "sent_at": SENT_AT}
    return {"conversation_id": f"talk-{person}", "channel": "web", "user_id": person, "user_message": message}


async def _note_ids(here: Organisation) -> None:
    """What chance may pick from: keys that may go, a receipt, and a cursor of each kind."""
    tenant = here.tenant
    await tenant.make_key("member")
    listed = _good(await tenant.owner.get(f"{tenant.path}/api-keys", params={"limit": 200}))["items"]
    here.spare_keys, here.all_keys = [listed[0]["id"]], [key["id"] for key in listed]
    served = _good(await tenant.acting("mia").post("/memory/context", json={"store_id": "shop1"}))
    here.receipts.append(served["receipt_id"])
    mia = tenant.acting("mia")
    passing = _good(await mia.post("/memory/facts/user", json={"key": "passing", "value": here.canary("mia").word}))
    here.erasures.append(_good(await mia.delete(f"/memory/facts/user/{passing['id']}"))["receipt_id"])
    for path in (
        "/memory/facts/org",
        "/memory/facts/user",
        "/memory/observations",
        "/memory/events",
        "/memory/contradictions",
        f"{tenant.path}/people",
    ):
        reader = tenant.acting("mia") if path in ("/memory/facts/user", "/memory/observations") else tenant.owner
        page = _good(await reader.get(path, params={"limit": 1}))
        here.cursors[path] = [page["next_cursor"]] if page["next_cursor"] else []


def _good(answer: Any) -> dict[str, Any]:
    assert answer.is_success, answer.text
    body: dict[str, Any] = answer.json()
    return body


@asynccontextmanager
async def settled(world: World) -> AsyncIterator[None]:
    """Around a block: whatever it left to be done later is done when it ends."""
    yield
    await world.finish_jobs()
    await world.container.receipts.close()
