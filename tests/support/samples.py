"""One request to each route that the service accepts: the document's own example, about things that are there."""

import copy
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from app.domain.contradictions import contradiction_id
from tests.support.routes import Endpoint
from tests.support.world import Tenant

CHANNEL = "whatsapp"


@dataclass(frozen=True, slots=True)
class Sample:
    """A request ready to be sent by whomever."""

    method: str
    url: str
    json: Any | None


def request_example(document: dict[str, Any], endpoint: Endpoint) -> Any | None:
    """The body that the document shows for the route; None where it takes none."""
    if "requestBody" not in endpoint.operation:
        return None
    media = endpoint.operation["requestBody"]["content"]["application/json"]
    return copy.deepcopy(_shown(document, media))


def answer_example(document: dict[str, Any], endpoint: Endpoint) -> Any | None:
    """The body that the document shows for the route's success; None where it has none."""
    success = next(answer for status, answer in endpoint.operation["responses"].items() if status.startswith("2"))
    return copy.deepcopy(_shown(document, success["content"]["application/json"])) if "content" in success else None


def _shown(document: dict[str, Any], holder: dict[str, Any]) -> Any:
    """The example at a media type or a schema, or of the first schema that it may be."""
    if "example" in holder:
        return holder["example"]
    if "examples" in holder:
        return holder["examples"][0]
    if "$ref" in holder:
        return _shown(document, document["components"]["schemas"][holder["$ref"].rpartition("/")[2]])
    for inner in ("schema", "anyOf"):
        if inner in holder:
            return _shown(document, holder[inner][0] if inner == "anyOf" else holder[inner])
    raise AssertionError(f"no example at {holder}")


class Samples:
    """Makes requests about one organisation and one of its people, whom the request speaks for."""

    def __init__(self, tenant: Tenant, document: dict[str, Any], person: str = "alice") -> None:
        self._tenant = tenant
        self._document = document
        self._person = person
        self._known: dict[str, dict[str, str]] = {}

    async def of(self, endpoint: Endpoint, *, spend: bool = False) -> Sample:
        """A request about what earlier ones were about too; `spend`: about something new, as it will be removed."""
        ids = {"org_id": await self._organisation(endpoint, spend), **await self._ids(endpoint, spend)}
        body = request_example(self._document, endpoint)
        if isinstance(body, dict) and "into" in body:
            body["into"] = await self._fact(endpoint.path.split("/")[3])
        if isinstance(body, dict) and not endpoint.provisions:
            for part in (body, *body.get("items", ())):
                if "user_id" in part:
                    part["user_id"] = self._person
                if "deadline_ms" in part:
                    part["deadline_ms"] = 10_000  # else a busy machine changes what is answered
                if "conversation_id" in part:
                    part["conversation_id"] = f"c-{uuid4().hex}"
        confirmed = (
            f"?confirm={self._tenant.org_id}&scope=shared" if spend and endpoint.name == "DELETE /memory" else ""
        )
        return Sample(endpoint.method, endpoint.at(**ids) + confirmed, body)

    async def _organisation(self, endpoint: Endpoint, spend: bool) -> str:
        if spend and endpoint.name == "DELETE /orgs/{org_id}":
            return (await self._tenant.world.organisation()).org_id
        return self._tenant.org_id

    async def _ids(self, endpoint: Endpoint, spend: bool) -> dict[str, str]:
        if spend:
            return await self._targets(endpoint)
        place = endpoint.path.rpartition("}")[0]
        if endpoint.method == "DELETE" and place == "/memory/users/{user_id":
            place = endpoint.name  # somebody else than the one that reads and writes
        if endpoint.method == "PUT" or place not in self._known:
            self._known[place] = await self._targets(endpoint)
        return self._known[place]

    async def _targets(self, endpoint: Endpoint) -> dict[str, str]:
        """An id for each name in the path but the organisation's, of something that is there unless it is to be put."""
        if "{fact_id}" in endpoint.path:
            return {"fact_id": await self._fact(endpoint.path.split("/")[3])}
        if "{contradiction_id}" in endpoint.path:
            return {"contradiction_id": await self._contradiction()}
        if "{message_id}" in endpoint.path:
            return {"message_id": await self._message()}
        if "{receipt_id}" in endpoint.path or endpoint.path == "/jobs/{job_id}":
            mine = endpoint.path.startswith("/memory")
            receipt_id = await (self._receipt() if mine else self._platform_receipt())
            return {"receipt_id": receipt_id, "job_id": receipt_id}
        if "{job_id}" in endpoint.path:
            return {"job_id": await self._job()}
        if "{key_id}" in endpoint.path:
            return {"key_id": await self._key()}
        if endpoint.path == "/memory/users/{user_id}" and endpoint.method != "DELETE":
            return {"user_id": self._person}
        return await self._named(endpoint)

    async def _fact(self, kind: str) -> str:
        about = {"org": {}, "store": {"store_id": "shop1"}, "user": {"user_id": self._person}}[kind]
        author = self._tenant.acting(self._person) if kind == "user" else self._tenant.owner
        wanted = {"key": f"sample.{uuid4().hex}", "value": "60 €", **about}
        made = await author.post(f"/memory/facts/{kind}", json=wanted)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def _contradiction(self) -> str:
        """Two values of the person's, both believed."""
        author, wanted = self._tenant.acting(self._person), {"key": f"sample.{uuid4().hex}"}
        older, newer = [
            (await author.post("/memory/facts/user", json={**wanted, "value": value})).json()["id"]
            for value in ("60 €", "80 €")
        ]
        restored = await author.post(f"/memory/facts/user/{older}/restore")
        assert restored.status_code == 200, restored.text
        return str(contradiction_id(UUID(older), UUID(newer)))

    async def _message(self) -> str:
        name = f"m-{uuid4().hex}"
        message = {"id": name, "content": "Bonjour", "sent_at": "2026-03-02T10:00:00Z"}
        turn = {"conversation_id": "c1", "channel": "web", "user_message": message}
        taken = await self._tenant.acting(self._person).post("/memory/turns", json=turn)
        assert taken.status_code == 202, taken.text
        return name

    async def _job(self) -> str:
        message = {"id": "m1", "content": "Bonjour", "sent_at": "2026-03-02T10:00:00Z"}
        turn = {"conversation_id": f"c-{uuid4().hex}", "channel": "web", "user_message": message}
        taken = await self._tenant.acting(self._person).post("/memory/turns", json=turn)
        assert taken.status_code == 202, taken.text
        return str(taken.json()["job_id"])

    async def _key(self) -> str:
        await self._tenant.make_key("member")
        listed = await self._tenant.owner.get(f"{self._tenant.path}/api-keys", params={"limit": 1})
        return str(listed.json()["items"][0]["id"])

    async def _receipt(self) -> str:
        """Of an erasure that the person asked for themself."""
        gone = await self._tenant.acting(self._person).delete(f"/memory/facts/user/{await self._fact('user')}")
        assert gone.status_code == 200, gone.text
        return str(gone.json()["receipt_id"])

    async def _platform_receipt(self) -> str:
        """Of an organisation that is gone."""
        gone = await self._tenant.world.platform.delete((await self._tenant.world.organisation()).path)
        assert gone.status_code == 200, gone.text
        return str(gone.json()["receipt_id"])

    async def _named(self, endpoint: Endpoint) -> dict[str, str]:
        """Something of a new name, put there first unless the route itself puts it."""
        name = f"n-{uuid4().hex}"
        ids = {
            part: CHANNEL if part == "channel" else name
            for part in ("store_id", "user_id", "channel", "address")
            if f"{{{part}}}" in endpoint.path
        }
        if ids and endpoint.method != "PUT":
            bodies = {"store_id": {"name": name}, "user_id": {"role": None}, "channel": {"user_id": "alice"}}
            noun = {"store_id": "stores", "user_id": "people"}.get(next(iter(ids)))
            path = f"{self._tenant.path}/{noun}/{name}" if noun else endpoint.at(org_id=self._tenant.org_id, **ids)
            made = await self._tenant.world.platform.put(path, json=bodies[next(iter(ids))])
            assert made.status_code == 201, made.text
        return ids


def is_platform_s(endpoint: Endpoint) -> bool:
    """Whether no rank of an organisation lets anybody in."""
    return endpoint.gate is not None and endpoint.least is None
