"""Requests made by chance to one route: good enough to be understood, and about things that may be another's."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from tests.support.canaries import Reader
from tests.support.chance import AGENTS, NOWHERE, Chance
from tests.support.routes import Endpoint
from tests.support.town import CHANNEL, PEOPLE, turn

Json = dict[str, Any]


@dataclass(frozen=True)
class Probe:
    """One request, who reads its answer, and the ids in it that are another organisation's, each with one of nothing."""

    endpoint: Endpoint
    ids: dict[str, str]
    query: Json
    headers: dict[str, str]
    body: Json | None
    reader: Reader
    nothing: dict[str, str]
    foreign_cursor: bool = False

    @property
    def url(self) -> str:
        query = f"?{urlencode(self.query)}" if self.query else ""
        return self.endpoint.at(**self.ids) + query

    def of_nothing(self) -> "Probe":
        """The same request about things that do not exist instead of another organisation's."""
        parts = {"ids": self.ids, "query": self.query, "headers": self.headers, "body": self.body}
        return replace(self, nothing={}, **{name: _swapped(part, self.nothing) for name, part in parts.items()})


def _swapped(part: Any, nothing: dict[str, str]) -> Any:
    if isinstance(part, dict):
        return {name: _swapped(value, nothing) for name, value in part.items()}
    if isinstance(part, list):
        return [_swapped(value, nothing) for value in part]
    return nothing.get(part, part) if isinstance(part, str) else part


def probe(endpoint: Endpoint, chance: Chance) -> Probe:
    """A request to the route. The draws are made in a fixed order: the same dice, the same request."""
    ids = _ids(endpoint, chance)
    query, foreign_cursor = _query(endpoint, chance, ids)
    body = _body(endpoint, chance, ids)
    headers = dict(chance.asker.headers)
    if chance.often(0.1) and not chance.asker.token:
        headers["X-Org-Id"] = chance.org_id()
    reader = chance.asker.reading(endpoint.path, frozenset(chance.people))
    if endpoint.path == "/memory/context" and body is not None:
        linked = "shop1" if "channel_address" in body else None  # what the address stands for, if it is linked
        reader = reader.narrowed(body.get("store_id", linked), body["agent_id"])
    return Probe(endpoint, ids, query, headers, body, reader, dict(chance.nothing), foreign_cursor)


def _ids(endpoint: Endpoint, chance: Chance) -> dict[str, str]:
    kind = endpoint.path.split("/")[3] if "{fact_id}" in endpoint.path else ""
    others = chance.others
    removes = endpoint.method == "DELETE"
    draws: dict[str, Callable[[], str]] = {
        "org_id": lambda: NOWHERE if removes and endpoint.path == "/orgs/{org_id}" else chance.org_id(),
        "fact_id": lambda: chance.fact_id(kind),
        "job_id": lambda: chance.made_id(chance.home.jobs, [job for other in others for job in other.jobs]),
        "key_id": lambda: chance.made_id(chance.home.spare_keys, [key for other in others for key in other.all_keys]),
        "store_id": chance.store_id if endpoint.method == "PUT" else chance.store_asked,
        "user_id": lambda: str(chance.one(*PEOPLE)) if endpoint.method == "PUT" else chance.removable(),
        "channel": lambda: CHANNEL,
        "address": chance.address,
    }
    if removes and endpoint.path == "/orgs/{org_id}" and chance.asker.name != "the platform":
        draws["org_id"] = chance.org_id
    return {name: draw() for name, draw in draws.items() if f"{{{name}}}" in endpoint.path}


def _query(endpoint: Endpoint, chance: Chance, ids: dict[str, str]) -> tuple[Json, bool]:
    query: Json = {}
    if endpoint.path == "/memory/export" and chance.often(0.5):
        query["scope"] = chance.one("org", "store", "user")
    if endpoint.method == "DELETE" and "{fact_id}" in endpoint.path:
        query["with_sources"] = chance.one("true", "false")
    if not endpoint.is_list:
        return query, False
    query["limit"] = chance.one(1, 50, 200)
    if chance.often(0.3):
        query["total"] = "true"
    if endpoint.path == "/memory/facts/user" and chance.often(0.7):
        query["user_id"] = chance.person_asked()
    if endpoint.path == "/memory/facts/store" and chance.often(0.5):
        query["store_id"] = chance.store_asked()
    if endpoint.path.startswith("/memory/facts") and chance.often(0.3):
        query |= chance.one({"agent": "otis"}, {"text": chance.others[0].canary("mia").word}, {"archived": "true"})
    if endpoint.path == "/memory/events" and chance.often(0.4):
        query |= chance.one({"fact": chance.fact_id("user")}, {"actor": "mia"}, {"kind": "created"})
    return query, chance.often(0.3) and _take_cursor(query, endpoint, chance, ids)


def _take_cursor(query: Json, endpoint: Endpoint, chance: Chance, ids: dict[str, str]) -> bool:
    """Put the cursor of another organisation's list, of the same route where there is one, into the query."""
    other = chance.one(*chance.others)
    path = endpoint.path.replace("{org_id}", other.org_id)
    cursors = other.cursors.get(path) or [cursor for each in other.cursors.values() for cursor in each]
    query["cursor"] = chance.one(*cursors)
    return True


def _body(endpoint: Endpoint, chance: Chance, ids: dict[str, str]) -> Json | None:
    if endpoint.body is None:
        return None
    name = chance.home.canary(name=True).word
    link = {"user_id": "carla", "store_id": chance.one("shop1", "shop2")}
    key = {"name": chance.home.canary().word, "role": chance.one("member", "admin"), "act_for_people": chance.often(0.5)}
    bodies: dict[str, Callable[[], Json]] = {
        "/memory/turns": lambda: _turns(chance),
        "/memory/context": lambda: _context(chance),
        "/memory/settings": lambda: {"share_messages": chance.one("person", "store"), "language": chance.one("fr", "en")},
        "/orgs/{org_id}": lambda: {"name": name},
        "/orgs/{org_id}/stores/{store_id}": lambda: {"name": name},
        "/orgs/{org_id}/people/{user_id}": lambda: {"role": PEOPLE[ids["user_id"]]},
        "/orgs/{org_id}/channels/{channel}/{address}": lambda: link,
        "/orgs/{org_id}/api-keys": lambda: key,
    }
    if endpoint.path.startswith("/memory/facts/"):
        kind = endpoint.path.split("/")[3]
        return _patch(chance, kind, ids["fact_id"]) if "fact_id" in ids else _fact(chance, kind)
    return bodies[endpoint.path]()


def _turns(chance: Chance) -> Json:
    items = [_turn(chance) for _ in range(chance.one(1, 1, 1, 3))]
    return items[0] if len(items) == 1 else {"items": items}


def _turn(chance: Chance) -> Json:
    """A turn in anybody's conversation. Its words are those of whoever says them, in the store where they are said."""
    by_address = chance.often(0.2)
    speaker = chance.address() if by_address else chance.person()
    store = chance.store_id() if chance.often(0.5) else None
    told = chance.home.canary(speaker, store=store).word if store else chance.home.canary(speaker).word
    said = f"Avez-vous reçu {told} ?" if store else f"Je préfère le café {told}."
    whose = chance.one(*PEOPLE)
    known = whose != "dave" and chance.often(0.3)  # he may have gone, with what he said
    made = turn(speaker, "m1" if known else f"n{chance.dice.randrange(10_000)}", said)
    made |= {"conversation_id": f"talk-{whose}", "agent_id": chance.one(*AGENTS)}
    if by_address:
        made |= {"channel": CHANNEL, "channel_address": made.pop("user_id")}
    if store:
        made["store_id"] = store
    if chance.often(0.3):
        receipts = [receipt for other in chance.others for receipt in other.receipts]
        made["receipt_id"] = chance.made_id(chance.home.receipts, receipts)
    return made


def _context(chance: Chance) -> Json:
    asked: Json = {"agent_id": chance.one(*AGENTS), "deadline_ms": 10_000}
    if chance.often(0.2):
        asked |= {"channel": CHANNEL, "channel_address": chance.address()}
    elif chance.often(0.7):
        asked["user_id"] = chance.person_asked()
    if chance.often(0.7):
        asked["store_id"] = chance.store_asked()
    return asked


def _fact(chance: Chance, kind: str) -> Json:
    agent = chance.one(*AGENTS)
    places: dict[str, Callable[[], Json]] = {
        "org": dict,
        "store": lambda: {"store": chance.store_id()},
        "user": lambda: {"person": chance.person()},
    }
    canary = chance.home.canary(agent=agent, **places[kind]())
    about = {"store_id": canary.store, "user_id": canary.person}
    named = {name: value for name, value in about.items() if value is not None}
    return {"key": canary.key, "value": _again(chance, canary.word), "agent_id": agent, **named}


def _patch(chance: Chance, kind: str, fact_id: str) -> Json:
    word = chance.word_at(kind, fact_id).word
    return chance.one({"value": _again(chance, word)}, {"tags": [word]}, {"content": f"{word}, said anew"})


def _again(chance: Chance, word: str) -> str:
    return f"{word} {chance.dice.randrange(5)}"
