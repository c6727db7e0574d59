"""Making the organisations of a transcript in a running service, with their stores and people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from app.cli.client import Service
from app.cli.transcripts.model import Transcript


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation of the service, and an owner's API key of it that acts for its people."""

    org_id: str
    key: str


def fresh_tenants(service: Service, platform_key: str, transcript: Transcript, prefix: str) -> dict[str, Tenant]:
    """A new, furnished organisation for each of the transcript's, by the transcript's name for it.

    Their ids are `prefix`, the transcript's name and, where it has several, their own: new as long as the prefix is.
    Raises ServiceError.
    """
    tenants = {}
    for org in transcript.orgs:
        org_id = f"{prefix}-{transcript.name}" + (f"-{org}" if len(transcript.orgs) > 1 else "")
        body = {"name": f"{transcript.name} {org}", "language": transcript.language}
        service.call("PUT", _path(org_id), key=platform_key, body=body)
        wanted = {"name": "replay", "role": "owner", "act_for_people": True}
        made = service.call("POST", _path(org_id, "api-keys"), key=platform_key, body=wanted)
        tenants[org] = Tenant(org_id, made["key"])
        furnish(service, transcript, org, tenants[org], key=platform_key)
    return tenants


def furnish(service: Service, transcript: Transcript, org: str, tenant: Tenant, *, key: str) -> None:
    """Puts what the transcript names in `org` (stores, people, whom messages are shown to) into the tenant.

    `key` may provision: the platform's or an owner's. Raises ServiceError.
    """

    def put(kind: str, name: str, body: Mapping[str, Any]) -> None:
        service.call("PUT", _path(tenant.org_id, kind, name), key=key, body=body)

    for store in transcript.stores:
        if store.org == org:
            put("stores", store.id, {"name": store.name})
    for person in transcript.people:
        if person.org == org:
            put("people", person.id, {"role": person.role, "display_name": person.name})
    if transcript.share_messages != "person":
        wish = {"share_messages": transcript.share_messages}
        service.call("PATCH", "/memory/settings", key=tenant.key, body=wish)


def _path(*parts: str) -> str:
    return "/orgs/" + "/".join(quote(part, safe="") for part in parts)
