"""Many organisations that remember: one is filled through the service, then its rows are written again for the others.

So each row is one that the service wrote: only the organisation's id and its key's digest differ.
"""

import random
from collections.abc import Sequence

import asyncpg

from app.cli.client import Service
from app.domain.credentials import KeyKind, digest, make_key
from app.domain.decay import Tier
from scripts.benchmarks.stand import SECRET

PATTERN = "org-0"
STORES, PEOPLE, AGENTS = ("shop1", "shop2"), ("alice", "bob", "carla"), ("atlas", "maya")
TOOLS, SESSIONS = ("get_order", "get_stock", "send_mail", "search_web"), 5
WORDS = (
    *("livraison", "offerte", "retour", "délai", "colis", "carton", "recyclé", "remise", "fidélité", "stock"),
    *("delivery", "refund", "brand", "tone", "supplier", "invoice", "holiday", "opening", "sizes", "gift"),
)


def provide_pattern(service: Service, platform_key: str, facts: int) -> None:
    """The organisation that the others are made from: facts by hand over subjects, pockets and tiers, and habits."""
    path = f"/orgs/{PATTERN}"
    service.call("PUT", path, key=platform_key, body={"name": PATTERN})
    for store in STORES:
        service.call("PUT", f"{path}/stores/{store}", key=platform_key, body={"name": store})
    for person in PEOPLE:
        service.call("PUT", f"{path}/people/{person}", key=platform_key, body={"role": "admin"})
    wanted = {"name": "bench", "role": "owner", "act_for_people": True}
    key = service.call("POST", f"{path}/api-keys", key=platform_key, body=wanted)["key"]
    dice = random.Random(7)  # noqa: S311 the same memory in every run
    subjects = [("org", {}), *(("store", {"store_id": store}) for store in STORES)]
    subjects += [("user", {"user_id": person}) for person in PEOPLE]
    tiers = [tier.value for tier in Tier]
    for number in range(facts):
        scope, about = subjects[number % len(subjects)]
        said = " ".join(dice.sample(WORDS, 8))
        fact = {
            "key": f"{WORDS[number % 10][:4]}.{number}".replace("é", "e"),
            "value": said,
            "tier": dice.choice(tiers),
        }
        person = str(about.get("user_id", PEOPLE[0]))
        body = {**fact, **about, "agent_id": AGENTS[number % 3 == 0]}
        service.call("POST", f"/memory/facts/{scope}", key=key, person=person, body=body)
    for person in PEOPLE:
        ran = [(tool, f"s{session}") for tool in TOOLS for session in range(SESSIONS)]
        used = [{"type": "tool_success", "metadata": {"toolName": tool}, "session_id": at} for tool, at in ran]
        service.call("POST", "/memory/observations", key=key, person=person, body={"items": used})
        service.call("POST", "/memory/consolidations", key=key, person=person, body={"deadline_ms": 10_000})


async def copy_pattern(connection: asyncpg.Connection, organisations: int) -> list[str]:
    """The other organisations are there, alike. Answers a key of each, in the order of their numbers."""
    keys = [make_key(KeyKind.API) for _ in range(organisations)]
    digests = [digest(key, SECRET.encode()) for key in keys]
    async with connection.transaction():
        await connection.execute("set local session_replication_role = replica")  # parents and children in any order
        for table in await _tables(connection):
            columns = await _columns(connection, table)
            named = ", ".join(f'"{column}"' for column in columns)
            taken = ", ".join(
                "'org-' || made.place" if column == "org_id" else f'kept."{column}"' for column in columns
            )
            await connection.execute(
                f'insert into "{table}" ({named}) select {taken} from "{table}" as kept, '  # noqa: S608 names of our own schema
                f"generate_series(1, {organisations - 1}) as made (place) where org_id = '{PATTERN}'"
            )
        await connection.execute(
            "update api_keys set digest = made.digest from unnest($1::text[], $2::bytea[]) as made (org_id, digest)"
            " where api_keys.org_id = made.org_id",
            [f"org-{number}" for number in range(organisations)],
            digests,
        )
    await connection.execute("vacuum analyze")
    return keys


async def _tables(connection: asyncpg.Connection) -> Sequence[str]:
    """Every table that holds an organisation's rows; a partition is written through its parent."""
    rows = await connection.fetch(
        "select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'org_id'"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition"
    )
    return [row["relname"] for row in rows]


async def _columns(connection: asyncpg.Connection, table: str) -> Sequence[str]:
    rows = await connection.fetch(
        "select attname from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped"
        " and attgenerated = '' and attidentity <> 'a'",
        table,
    )
    return [row["attname"] for row in rows]
