"""An export on its way into another organisation, and how the two compare."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from app.domain.export import LINES
from tests.support.world import Tenant, World

Json = dict[str, Any]
OWN_KINDS = {"imported", "exported", "key_made", "role_changed"}
"""What the trip itself leaves in a trail: the organisation was made, and its key."""


@dataclass(frozen=True)
class Landed:
    """How a file was taken in."""

    answer: httpx.Response
    job: Json

    @property
    def counts(self) -> Json:
        told: Json = self.job["result"]
        return told


async def export(client: httpx.AsyncClient, *, lines: bool = False, **query: str) -> bytes:
    """The document, to the byte."""
    headers = {"Accept": LINES} if lines else {}
    answer = await client.get("/memory/export", params=query, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.content


async def send(client: httpx.AsyncClient, file: bytes, **headers: str) -> httpx.Response:
    """The file as it is, of the type that it looks like."""
    media = LINES if file.startswith(b'{"type"') else "application/json"
    return await client.post("/memory/import", content=file, headers={"Content-Type": media, **headers})


async def land(world: World, tenant: Tenant, file: bytes) -> Landed:
    """The file is brought in, whole."""
    answer = await send(tenant.owner, file)
    assert answer.status_code == 202, answer.text
    await world.finish_jobs()
    job = (await tenant.owner.get(f"/memory/jobs/{answer.json()['id']}")).json()
    assert job["status"] == "done", job
    return Landed(answer, job)


async def empty(world: World) -> Tenant:
    """An organisation with a key, and nothing else."""
    return await world.organisation(people={}, stores=())


def records(file: bytes) -> Json:
    """A file of lines as the document that it would be."""
    if not file.startswith(b'{"type"'):
        whole: Json = json.loads(file)
        return whole
    names = {"person": "people", "rules": "rules", "settings": "settings", "manifest": "manifest"}
    single = {"organisation", "settings", "manifest"}
    lists = (
        "stores",
        "people",
        "channels",
        "facts",
        "sources",
        "decisions",
        "messages",
        "observations",
        "events",
        "rules",
    )
    document: Json = {name: [] for name in lists}
    for line in file.splitlines():
        told = json.loads(line)
        kind = told["type"]
        if kind in single:
            document[kind] = told["record"]
        else:
            document[names.get(kind, f"{kind}s")].append(told["record"])
    return document


def comparable(file: bytes, trip: set[str] | None = None) -> Json:
    """The document without what a trip changes. `trip`: the ids of events that were there before it."""
    document = records(file)
    del document["organisation"]["org_id"], document["manifest"]
    if trip is not None:
        document["events"] = [
            event for event in document["events"] if event["id"] in trip or event["kind"] not in OWN_KINDS
        ]
    return document


def event_ids(file: bytes) -> set[str]:
    return {event["id"] for event in records(file)["events"]}


def differing(one: Any, other: Any) -> Any:
    """What stands in one of two lists alone."""
    if not isinstance(one, list):
        return one, other
    return [each for each in one if each not in other], [each for each in other if each not in one]


def require_same(before: bytes, after: bytes, but: Sequence[str] = ()) -> None:
    """The same memory, as canonical JSON, but for what the trip itself changes and these members."""
    one, other = comparable(before), comparable(after, event_ids(before))
    for name in but:
        del one[name], other[name]
    for name in one:
        assert one[name] == other[name], (name, differing(one[name], other[name]))
    assert json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
