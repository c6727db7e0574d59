"""Short ways to use the service as a caller does: something is said, a block is asked for, facts are read."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import httpx
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

FORMAL = "Je préfère qu'on me vouvoie."
FREE_FROM_60 = "Chez nous, la livraison est offerte dès 60 €."
FREE_FROM_80 = "Chez nous, la livraison est offerte dès 80 €."
SHIPPING, ADDRESS_FORM = "shipping.free_threshold", "preference.address_form"
"""The keys under which the service keeps what these sentences say."""

TWO_HOURS_AGO = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)
ANSWER_SECONDS = 5
_numbers = count(1)


def short(given: Any) -> str:
    """A parameter's name in the name of a test."""
    return repr(given)[:60]


def moment(seconds: float) -> str:
    """An instant of the conversations: so many seconds after two hours ago."""
    return (TWO_HOURS_AGO + timedelta(seconds=seconds)).isoformat()


def turn(content: str, *, at: float = 0, answer: str | None = None, **fields: Any) -> dict[str, Any]:
    """A turn of conversation c1 on the web, about shop1 unless told otherwise; its message has an id of its own.

    It is said `at` seconds on, and answered, if at all, `ANSWER_SECONDS` later.
    """
    number = next(_numbers)
    body: dict[str, Any] = {
        "conversation_id": "c1",
        "channel": "web",
        "store_id": "shop1",
        "user_message": {"id": f"m{number}", "content": content, "sent_at": moment(at)},
    }
    if answer is not None:
        body["assistant_message"] = {"id": f"a{number}", "content": answer, "sent_at": moment(at + ANSWER_SECONDS)}
    return {**body, **fields}


async def send(client: httpx.AsyncClient, body: dict[str, Any]) -> dict[str, Any]:
    """The body is accepted as a turn, or as several; what became of it."""
    answer = await client.post("/memory/turns", json=body)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


async def tell(client: httpx.AsyncClient, content: str, **fields: Any) -> dict[str, Any]:
    """Something is said; see `turn`."""
    return await send(client, turn(content, **fields))


async def recall(client: httpx.AsyncClient, **asked: Any) -> dict[str, Any]:
    """The memory for a prompt about shop1, with all the time that a busy machine may need."""
    answer = await client.post("/memory/context", json={"store_id": "shop1", "deadline_ms": 10_000, **asked})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def block(client: httpx.AsyncClient, **asked: Any) -> str:
    """The text of `recall`."""
    return str((await recall(client, **asked))["block"])


async def facts(client: httpx.AsyncClient, scope: str = "store", **query: Any) -> list[dict[str, Any]]:
    """The facts of a scope, newest first."""
    answer = await client.get(f"/memory/facts/{scope}", params={"limit": 200, **query})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def write(client: httpx.AsyncClient, scope: str, key: str, value: Any, **fields: Any) -> dict[str, Any]:
    """A fact is written by hand; for the store scope about shop1."""
    about = {"store_id": "shop1"} if scope == "store" else {}
    answer = await client.post(f"/memory/facts/{scope}", json={"key": key, "value": value, **about, **fields})
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


async def history(client: httpx.AsyncClient, fact: dict[str, Any]) -> dict[str, Any]:
    """All that is known of a fact's past."""
    answer = await client.get(f"{path_of(fact)}/history")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def happened(client: httpx.AsyncClient, fact: dict[str, Any]) -> list[str]:
    """The kinds of the fact's events, oldest first."""
    answer = await client.get("/memory/events", params={"fact": fact["id"], "limit": 200})
    assert answer.status_code == 200, answer.text
    return [event["kind"] for event in reversed(answer.json()["items"])]


def path_of(fact: dict[str, Any]) -> str:
    """Where a fact is found."""
    return f"/memory/facts/{fact['scope']}/{fact['id']}"


def problem(answer: httpx.Response) -> tuple[int, str]:
    """A refusal as its status and code."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, str(answer.json()["code"])


def faults(answer: httpx.Response) -> list[tuple[str, str]]:
    """The places that a refusal names, with what is wrong there."""
    return [(fault["pointer"], fault["kind"]) for fault in answer.json()["errors"]]


async def tables_holding(superuser_url: str, words: str, org_id: str | None = None) -> dict[str, int]:
    """Every table of which a row holds these words in any column, with the number of such rows.

    Rows of `org_id` alone where it is given, with those of no organisation.
    """
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    found: dict[str, int] = {}
    ours = (
        "coalesce(to_jsonb(t) ->> 'org_id', :org_id) is not distinct from coalesce(:org_id, to_jsonb(t) ->> 'org_id')"
    )
    async with engine.connect() as connection:
        names = await connection.execute(text("select tablename from pg_tables where schemaname = 'public'"))
        for name in names.scalars().all():
            query = text(f'select count(*) from "{name}" as t where strpos(t::text, :words) > 0 and {ours}')
            found[name] = int((await connection.execute(query, {"words": words, "org_id": org_id})).scalar_one())
    return {name: rows for name, rows in found.items() if rows}
