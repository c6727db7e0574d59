"""Requests made by chance to one route: good enough to be understood, and about things that may be another's."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from tests.support.bodies import Json, body, when
from tests.support.canaries import Reader
from tests.support.chance import Chance
from tests.support.routes import Endpoint
from tests.support.town import CHANNEL, PEOPLE

MAKES = ("PUT", "PATCH")
"""What is named in the path is made where it is not there."""


@dataclass(frozen=True)
class Probe:
    """One request, who reads its answer, and which of its ids are another organisation's, each with one of nothing."""

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
    sent = body(endpoint, chance, ids)
    headers = dict(chance.asker.headers)
    if chance.often(0.1) and not chance.asker.token:
        headers["X-Org-Id"] = chance.org_id()
    reader = chance.asker.reading(endpoint.path, frozenset(chance.people))
    if endpoint.path == "/memory/context" and sent is not None:
        linked = "shop1" if "channel_address" in sent else None  # what the address stands for, if it is linked
        reader = reader.narrowed(sent.get("store_id", linked), sent["agent_id"])
    elif endpoint.path == "/memory/search" and sent is not None:
        store = sent.get("store_id")
        reader = reader.narrowed(store, sent["agent_id"]) if store else reader.asking(sent["agent_id"])
    return Probe(endpoint, ids, query, headers, sent, reader, dict(chance.nothing), foreign_cursor)


def _ids(endpoint: Endpoint, chance: Chance) -> dict[str, str]:
    kind = endpoint.path.split("/")[3] if "{fact_id}" in endpoint.path else ""
    others = chance.others
    draws: dict[str, Callable[[], str]] = {
        "org_id": chance.doomed if endpoint.name == "DELETE /orgs/{org_id}" else chance.org_id,
        "fact_id": lambda: chance.fact_id(kind),
        "contradiction_id": lambda: chance.made_id(
            chance.home.contradictions, [pair for other in others for pair in other.contradictions]
        ),
        "message_id": lambda: str(chance.one("m1", "m1", "m2", "m3")),
        "receipt_id": lambda: _receipt(endpoint, chance),
        "job_id": lambda: (_receipt if endpoint.path == "/jobs/{job_id}" else _job)(endpoint, chance),
        "key_id": lambda: chance.made_id(chance.home.spare_keys, [key for other in others for key in other.all_keys]),
        "store_id": chance.store_id if endpoint.method == "PUT" else chance.store_asked,
        "user_id": chance.home_alone if endpoint.path == "/people/{user_id}" else lambda: _person(endpoint, chance),
        "channel": lambda: CHANNEL,
        "address": chance.address,
    }
    return {name: draw() for name, draw in draws.items() if f"{{{name}}}" in endpoint.path}


def _receipt(endpoint: Endpoint, chance: Chance) -> str:
    """The platform's own receipts are all of them its own."""
    if not endpoint.path.startswith("/memory"):
        return chance.home.ended[0]
    return chance.made_id(chance.home.erasures, [receipt for other in chance.others for receipt in other.erasures])


def _job(endpoint: Endpoint, chance: Chance) -> str:
    return chance.made_id(chance.home.jobs, [job for other in chance.others for job in other.jobs])


def _person(endpoint: Endpoint, chance: Chance) -> str:
    return str(chance.one(*PEOPLE)) if endpoint.method in MAKES else chance.removable()


def _query(endpoint: Endpoint, chance: Chance, ids: dict[str, str]) -> tuple[Json, bool]:
    query: Json = {}
    if endpoint.path == "/memory/tool-affinities":
        query |= {"user_id": chance.person_asked()} if chance.often(0.7) else {}
    if endpoint.path == "/memory/export" and chance.often(0.5):
        query["scope"] = chance.one("org", "store", "user")
    if endpoint.method == "DELETE" and "{fact_id}" in endpoint.path:
        query["with_sources"] = chance.one("true", "false")
    if endpoint.name == "DELETE /memory":
        query |= {"confirm": chance.one(chance.home.org_id, chance.others[0].org_id), "scope": "shared"}
    if "{message_id}" in endpoint.path and chance.often(0.7):
        query["conversation_id"] = f"talk-{chance.person()}"
    if not endpoint.is_list:
        return query, False
    query["limit"] = chance.one(1, 50, 200)
    if chance.often(0.3):
        query["total"] = "true"
    if endpoint.path == "/memory/facts/user" and chance.often(0.7):
        query["user_id"] = chance.person_asked()
    if endpoint.path == "/memory/observations":
        query |= {"user_id": chance.person_asked()} if chance.often(0.7) else {}
        query |= chance.one({}, {"type": "note"}, {"agent": "otis"}, {"tag": "x"}, {"session": "s1"})
    if endpoint.path == "/memory/facts/store" and chance.often(0.5):
        query["store_id"] = chance.store_asked()
    if endpoint.path == "/memory/contradictions":
        query |= chance.one({}, {"status": "open"}, {"key": "elsewhere"})
        query |= {"user_id": chance.person_asked()} if chance.often(0.2) else {}
        query |= {"store_id": chance.store_asked()} if chance.often(0.2) else {}
    if endpoint.path.startswith("/memory/facts") and chance.often(0.3):
        query |= chance.one({"agent": "otis"}, {"text": chance.others[0].canary("mia").word}, {"archived": "true"})
    if endpoint.path.startswith("/memory/facts") and chance.often(0.3):
        query |= when(chance)
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
