"""Bodies made by chance: what is said in them names the place in which it would then stand."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from app.api.schemas.imports import example
from tests.support.chance import AGENTS, Chance
from tests.support.routes import Endpoint
from tests.support.town import CHANNEL, PEOPLE, turn

Json = dict[str, Any]
QUERIES = ("le thé ou le café ?", "Qu'a-t-on reçu ?", "canary get_order")
"""Words of what is said and kept."""


def body(endpoint: Endpoint, chance: Chance, ids: dict[str, str]) -> Json | None:
    """What the route takes, for the ids that are in its path; None where it takes nothing."""
    if endpoint.path == "/memory/import":
        return example()
    if endpoint.body is None:
        return None
    name = chance.home.canary(name=True).word
    link = {"user_id": "carla", "store_id": chance.one("shop1", "shop2")}
    key = {"name": name, "role": chance.one("member", "admin"), "act_for_people": chance.often(0.5)}
    bodies: dict[str, Callable[[], Json]] = {
        "/memory/turns": lambda: _turns(chance),
        "/memory/observations": lambda: {"items": [_observation(chance) for _ in range(chance.one(1, 1, 3))]},
        "/memory/tool-runs": lambda: _tool_run(chance),
        "/memory/consolidations": lambda: _consolidation(chance),
        "/memory/context": lambda: _context(chance),
        "/memory/search": lambda: _search(chance),
        "/memory/contradictions/{contradiction_id}/settle": lambda: {
            "keep": "both" if chance.often(0.5) else chance.fact_id("user")
        },
        "/memory/rules": lambda: {"markdown": _again(chance, chance.home.canary(everyone=True).word)},
        "/memory/users/{user_id}": lambda: {"remember": True},
        "/memory/prune": lambda: chance.one({"mode": "on"}, {"older_than_days": 0}, {"mode": "off"}, {}),
        "/memory/settings": lambda: {
            "share_messages": chance.one("person", "store"),
            "language": chance.one("fr", "en"),
        },
        "/orgs/{org_id}": lambda: {"name": name},
        "/orgs/{org_id}/stores/{store_id}": lambda: {"name": name},
        "/orgs/{org_id}/people/{user_id}": lambda: {"role": PEOPLE[ids["user_id"]]},
        "/orgs/{org_id}/channels/{channel}/{address}": lambda: link,
        "/orgs/{org_id}/api-keys": lambda: key,
    }
    if endpoint.path.startswith("/memory/facts/"):
        kind = endpoint.path.split("/")[3]
        if endpoint.path.endswith("/merge"):
            return {"into": _alike(chance, kind, ids["fact_id"]) if chance.often(0.6) else chance.fact_id(kind)}
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


def _observation(chance: Chance) -> Json:
    """Something that happened to somebody, in words of theirs: a note, or what a tool did in a store."""
    person, agent, store = chance.person(), chance.one(*AGENTS), chance.store_id()
    if chance.often(0.5):
        return {
            "type": "note",
            "user_id": person,
            "agent_id": agent,
            "content": chance.home.canary(person, agent=agent).word,
        }
    word = chance.home.canary(person, agent=agent, store=store).word
    told = {"metadata": {"toolName": "get_order", "durationMs": 5}, "content": word}
    return {"type": "tool_success", "user_id": person, "agent_id": agent, "store_id": store, **told}


def _tool_run(chance: Chance) -> Json:
    person, agent = chance.person(), chance.one(*AGENTS)
    seen = {"type": "order", "id": chance.home.canary(person, agent=agent).word}
    run = {"tool_name": "get_order", "ok": chance.often(0.5), "duration_ms": 5, "entities": [seen]}
    return {"user_id": person, "agent_id": agent, **run}


def _consolidation(chance: Chance) -> Json:
    asked = chance.one({}, {"user_id": chance.person()}, {"store_id": chance.store_asked()}, {"all": True})
    return {"agent_id": chance.one(*AGENTS), "deadline_ms": 10_000, **asked}


def _context(chance: Chance) -> Json:
    asked: Json = {"agent_id": chance.one(*AGENTS), "deadline_ms": 10_000}
    if chance.often(0.2):
        asked |= {"channel": CHANNEL, "channel_address": chance.address()}
    elif chance.often(0.7):
        asked["user_id"] = chance.person_asked()
    if chance.often(0.7):
        asked["store_id"] = chance.store_asked()
    asked |= when(chance)
    return {**asked, "query": chance.one(*QUERIES)} if chance.often(0.7) else asked


def _search(chance: Chance) -> Json:
    asked: Json = {"agent_id": chance.one(*AGENTS), "query": chance.one(*QUERIES, chance.others[0].canary("mia").word)}
    if chance.often(0.7):
        asked["user_id"] = chance.person_asked()
    if chance.often(0.7):
        asked["store_id"] = chance.store_asked()
    return {**asked, **when(chance)}


def when(chance: Chance) -> Json:
    """As of this very instant, now and then: the present, read as the past is."""
    named = chance.one(("as_of",), ("known_at",), ("as_of", "known_at"), (), (), ())
    return dict.fromkeys(named, datetime.now(UTC).isoformat())


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
    changes: list[Json] = [{"value": _again(chance, word)}, {"tags": [word]}, {"content": f"{word}, said anew"}]
    return chance.dice.choice(changes)


def _alike(chance: Chance, kind: str, fact_id: str) -> str:
    """A fact of the same subject and pocket, if there is one."""
    place = chance.word_at(kind, fact_id)
    there = [other for other, canary in chance.home.facts[kind].items() if canary == place and other != fact_id]
    return str(chance.one(*(there or [fact_id])))


def _again(chance: Chance, word: str) -> str:
    return f"{word} {chance.dice.randrange(5)}"
