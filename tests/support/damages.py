"""What may happen to a file of lines on its way, and what is said of it then."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

Json = dict[str, Any]
Damage = Callable[[list[Json]], None]


def lines_of(file: bytes) -> list[Json]:
    return [json.loads(line) for line in file.splitlines()]


def sealed(lines: list[Json], *, counts: bool = True) -> bytes:
    """The lines as a file whose manifest is right again, so that it is what was done to them that is noticed."""
    *before, manifest = lines
    body = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in before)
    if counts:
        names = {"person": "people", "rules": "rules"}
        found: dict[str, int] = dict.fromkeys(manifest["record"]["counts"], 0)
        for line in before:
            name = names.get(line["type"], f"{line['type']}s")
            if name in found:
                found[name] += 1
        manifest["record"]["counts"] = found
    manifest["record"]["checksum"] = f"sha256:{sha256(body).hexdigest()}"
    return body + json.dumps(manifest).encode() + b"\n"


def first(lines: list[Json], kind: str) -> Json:
    return next(line for line in lines if line["type"] == kind)


def change(kind: str, **fields: Any) -> Damage:
    """Fields of the first record of its kind are others."""
    return lambda lines: first(lines, kind)["record"].update(fields)


def without(kind: str) -> Damage:
    def damage(lines: list[Json]) -> None:
        lines[:] = [line for line in lines if line["type"] != kind]

    return damage


def drop_first(lines: list[Json]) -> None:
    del lines[0]


UNFIT: list[tuple[str, Damage, str, str]] = [
    ("an unknown type", lambda lines: lines[3].update(type="secret"), "/type", "unknown_type"),
    ("a field that nobody knows", change("person", org_id="another"), "/record/org_id", "unknown_field"),
    ("another organisation's field", change("fact", updated_at=None), "/record/updated_at", "time_expected"),
    ("an id that is no uuid", change("source", id="not-a-uuid"), "/record/id", "uuid_expected"),
    ("a person's id with a space", change("person", user_id="a b"), "/record/user_id", "id_expected"),
    ("a time without a zone", change("message", sent_at="2026-03-01T10:00:00"), "/record/sent_at", "time_without_zone"),
    ("a role of no kind", change("person", role="king"), "/record/role", "unknown_value"),
    ("a text that is a number", change("message", content=3), "/record/content", "text_expected"),
    ("a text that is too long", change("message", content="x" * 70_000), "/record/content", "too_long"),
    (
        "a confidence over 1",
        lambda lines: first(lines, "source")["record"]["traits"].update(confidence=1.5),
        "/record/traits/confidence",
        "out_of_range",
    ),
    (
        "a tier of no kind",
        lambda lines: first(lines, "source")["record"]["traits"].update(tier="gold"),
        "/record/traits/tier",
        "unknown_value",
    ),
    ("a verdict of no kind", change("decision", verdict="burn"), "/record/verdict", "unknown_value"),
    ("a merger into nothing", change("decision", verdict="merge"), "/record/changes/into", "missing"),
    (
        "an event with other words",
        change("event", new={"role": "owner", "more": 1}),
        "/record/digest",
        "digest_differs",
    ),
    ("an observation without its tool", change("observation", metadata={}), "/record/metadata/toolName", "missing"),
    ("rules of version 0", change("rules", version=0), "/record/version", "out_of_range"),
    ("a time zone of no place", change("store", time_zone="Mars/Olympus"), "/record/time_zone", "unknown_time_zone"),
    ("settings that nobody may choose", change("settings", holdout_share=3), "/record/holdout_share", "unfit_settings"),
    ("settings of nothing", change("settings", enabled=None), "/record/enabled", "unfit_settings"),
    (
        "a budget of nothing",
        lambda lines: first(lines, "settings")["record"]["budgets"].update(core=None),
        "/record/budgets/core",
        "unfit_settings",
    ),
    ("settings without tiers", change("settings", tiers={}), "/record/tiers", "unfit_settings"),
    ("a fact of a store without one", change("fact", scope="store", store_id=None), "/record/store_id", "missing"),
    ("another version", change("manifest", schema_version=9), "/record/schema_version", "unknown_version"),
    ("records out of order", lambda lines: lines.insert(1, lines.pop(-3)), "", "out_of_order"),
    ("no organisation", drop_first, "", "out_of_order"),
    ("two organisations", lambda lines: lines.insert(1, lines[0]), "", "repeated"),
]
