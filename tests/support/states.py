"""What an organisation's state is, as a superuser sees it, and which changes of it the audit trail has to tell."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

ACTS = ("read", "exported", "turn_skipped")
"""What leaves an event and changes nothing."""
FIELDS = ("value", "content", "language", "category", "tags", "tier", "half_life_days", "confidence", "many",
          "audience", "trust", "confirmation_count", "reinforcement_count", "pinned", "live", "superseded_by",
          "merged_into", "valid_from", "valid_to")  # fmt: skip
"""Of a fact's row, what a person would call another fact. Who opposes it: see `_opposed`."""
_ROWS = " union all ".join(
    f"select id, to_jsonb(f) || jsonb_build_object('live', archived_at is null) as row from {table} f"
    " where org_id = :org"
    for table in ("org_facts", "store_facts", "user_facts")
)
_LOOKS = {
    "facts": f"select coalesce(jsonb_object_agg(id, row), '{{}}') from ({_ROWS}) facts",
    "people": "select coalesce(jsonb_object_agg(user_id, to_jsonb(t)), '{}') from people t where org_id = :org",
    "stores": "select coalesce(jsonb_object_agg(store_id, to_jsonb(t)), '{}') from stores t where org_id = :org",
    "links": "select coalesce(jsonb_object_agg(address, to_jsonb(t)), '{}') from channel_links t where org_id = :org",
    "keys": "select coalesce(jsonb_object_agg(id, revoked_at is null), '{}') from api_keys t where org_id = :org",
    "rules": "select to_jsonb(coalesce(max(version), 0)) from rules t where org_id = :org",
    "messages": "select coalesce(jsonb_object_agg(id, to_jsonb(t)), '{}') from messages t where org_id = :org",
    "settings": "select jsonb_build_array(name, settings, quotas) from organisations t where org_id = :org",
    "events": "select coalesce(jsonb_object_agg(id, jsonb_build_array(kind, fact_id, subject_ref)), '{}')"
    " from events t where org_id = :org",
}
_LOOK = text("select " + ", ".join(f"({query}) as {name}" for name, query in _LOOKS.items()))


@dataclass(frozen=True)
class State:
    """All of it at one moment."""

    kept: dict[str, Any]

    @property
    def events(self) -> set[str]:
        return set(self.kept["events"])


async def state_of(superuser: AsyncEngine, org_id: str) -> State:
    async with superuser.connect() as connection:
        return State(dict((await connection.execute(_LOOK, {"org": org_id})).one()._mapping))


Place = tuple[str, str | None]
"""A kind of event and whom or what it is about; of facts the kind is `fact`, whichever it is."""


def told(before: State, after: State) -> Counter[Place]:
    """The events between, but for those of acts and of settlements."""
    fresh = [after.kept["events"][one] for one in after.events - before.events]
    found: Counter[Place] = Counter()
    for kind, fact_id, subject in fresh:
        if kind not in (*ACTS, "settled"):
            found["fact" if fact_id else kind, fact_id or subject] += 1
    return found


def due(before: State, after: State, *, retention: bool = False, linked: bool = False) -> Counter[Place]:
    """One event for each change between the two. `retention`: messages that went were over age, untold. `linked`: who
    is gone became another one, which is told of the other one.
    """
    fresh = [after.kept["events"][one] for one in after.events - before.events]
    settled = {fact_id for kind, fact_id, _ in fresh if kind == "settled"}
    return Counter([*_changes(before.kept, after.kept, retention, linked), *_opposed(before.kept, after.kept, settled)])


def _changes(old: dict[str, Any], new: dict[str, Any], retention: bool, linked: bool) -> Iterator[Place]:
    gone = {row["ref"]: name for name, row in old["people"].items() if name not in new["people"]}
    shut = {row["ref"]: name for name, row in old["stores"].items() if name not in new["stores"]}
    adopted = set(gone.values()) if linked else set()
    yield from (("erased", ref) for ref, name in gone.items() if name not in adopted)
    yield from (("erased", ref) for ref in shut)
    if not retention:
        yield from _messages(old, new, {*gone.values()}, {*shut.values()})
    for fact_id in old["facts"].keys() | new["facts"].keys():
        was, now = old["facts"].get(fact_id), new["facts"].get(fact_id)
        with_its_own = (
            was and now is None and (was.get("user_id") in gone.values() or was.get("store_id") in shut.values())
        )
        if not with_its_own and _seen(was) != _seen(now):
            yield "fact", fact_id
    yield from _people(old["people"], new["people"])
    for name in old["stores"].keys() & new["stores"].keys():
        if _named(old["stores"][name], "name", "time_zone") != _named(new["stores"][name], "name", "time_zone"):
            yield "settings_changed", new["stores"][name]["ref"]
    yield from _links(old, new, adopted)
    for key in old["keys"].keys() | new["keys"].keys():
        if old["keys"].get(key) != new["keys"].get(key):
            yield ("key_made" if key not in old["keys"] else "key_revoked"), None
    if old["rules"] != new["rules"]:
        yield "rules_changed", None
    if old["settings"] != new["settings"]:
        yield "settings_changed", None


def _opposed(old: dict[str, Any], new: dict[str, Any], settled: set[str | None]) -> Iterator[Place]:
    """A fact that is otherwise the same is told of whoever opposes it now. That somebody does so no more is told of
    that one, or by a settlement, which names one of the two.
    """
    both = old["facts"].keys() & new["facts"].keys()
    same = {fact_id for fact_id in both if _seen(old["facts"][fact_id]) == _seen(new["facts"][fact_id])}
    for fact_id in same:
        was, now = (set(kept["facts"][fact_id]["opposed"] or ()) for kept in (old, new))
        untold = {other for other in (was - now) & same if settled.isdisjoint((fact_id, other))}
        if now - was or untold:
            yield "fact", fact_id


def _messages(old: dict[str, Any], new: dict[str, Any], gone: set[str], shut: set[str]) -> Iterator[Place]:
    """Those that went with a person or a store are told with them."""
    for place in old["messages"].keys() - new["messages"].keys():
        message = old["messages"][place]
        if message["user_id"] not in gone and message["store_id"] not in shut:
            yield "erased", old["people"][message["user_id"]]["ref"]


def _people(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Place]:
    for name in old.keys() | new.keys():
        was, now = old.get(name), new.get(name)
        ref = (now or was or {}).get("ref")
        if (was or {}).get("role") != (now or {}).get("role"):
            yield "role_changed", ref
        new_with_a_wish = now and not was and not now["remember"]
        if new_with_a_wish or (was and now and _named(was, *_OF_A_PERSON) != _named(now, *_OF_A_PERSON)):
            yield "settings_changed", ref


_OF_A_PERSON = ("remember", "display_name", "time_zone")


def _links(old: dict[str, Any], new: dict[str, Any], adopted: set[str]) -> Iterator[Place]:
    """What goes with a person or a store is told with them."""
    for place in old["links"].keys() | new["links"].keys():
        was, now = old["links"].get(place), new["links"].get(place)
        owner = (now or was)["user_id"]
        if (was == now and place not in adopted) or owner not in new["people"]:
            continue
        if was and now and was["user_id"] == owner and was["store_id"] not in (None, *new["stores"]):
            continue
        yield "settings_changed", new["people"][owner]["ref"]


def _seen(fact: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if fact is None else {name: fact[name] for name in FIELDS}


def _named(row: dict[str, Any], *names: str) -> list[Any]:
    return [row[name] for name in names]
