"""Organisations with people and keys in one line, and clients that speak for them through the whole edge."""

import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import jwt
from fastapi import FastAPI

from app.container import Container
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.services.learning import StaleClaimError
from app.settings import Settings

WORKER = Actor(ActorType.WORKER, "worker")


def speaking(app: FastAPI, **headers: str) -> httpx.AsyncClient:
    """A client of the application with these headers; `_` in their names stands for `-`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://retenir.test", headers=sent)


def token_for(settings: Settings, person: str, **claims: Any) -> str:
    """A good token of the person, except for the claims given; None takes a claim out."""
    assert settings.jwt_secret is not None
    now = int(time.time())
    whole = {
        "sub": person,
        "aud": settings.jwt_audience,
        "iss": settings.jwt_issuer,
        "iat": now,
        "exp": now + 300,
        **claims,
    }
    kept = {name: value for name, value in whole.items() if value is not None}
    return jwt.encode(kept, settings.jwt_secret.get_secret_value(), settings.jwt_algorithm)


@dataclass(frozen=True)
class Tenant:
    """An organisation. `owner` is a client with an owner's key that acts for people, and speaks for nobody yet."""

    world: "World"
    org_id: str
    key: str

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.with_key(self.key)

    def acting(self, person: str) -> httpx.AsyncClient:
        """The owner's key, acting for the person."""
        return self.with_key(self.key, person)

    def with_key(self, key: str, person: str | None = None) -> httpx.AsyncClient:
        """A client with that key."""
        acted = {} if person is None else {"X_User_Id": person}
        return speaking(self.world.app, Authorization=f"Bearer {key}", **acted)

    def token(self, person: str, **claims: Any) -> httpx.AsyncClient:
        """A client with the person's token, for this organisation."""
        token = token_for(self.world.settings, person, **claims)
        return speaking(self.world.app, Authorization=f"Bearer {token}", X_Org_Id=self.org_id)

    async def make_key(self, role: str = "owner", *, act_for_people: bool = False, **limits: Any) -> str:
        """A new key of the organisation, with `store_ids`, `agent_ids` and `expires_at` as its limits."""
        wanted = {"name": role, "role": role, "act_for_people": act_for_people, **limits}
        made = await self.world.platform.post(f"{self.path}/api-keys", json=wanted)
        assert made.status_code == 201, made.text
        return str(made.json()["key"])

    async def revoked_key(self) -> str:
        """A key that acts for people, and is revoked already."""
        key = await self.make_key(act_for_people=True)
        listed = await self.owner.get(f"{self.path}/api-keys", params={"limit": 1})
        gone = await self.owner.delete(f"{self.path}/api-keys/{listed.json()['items'][0]['id']}")
        assert gone.status_code == 204
        return key

    @property
    def path(self) -> str:
        """/orgs/… of the organisation."""
        return f"/orgs/{quote(self.org_id, safe='')}"


@dataclass(frozen=True)
class World:
    """The service under test. Each test makes organisations of its own, so that none needs to be cleaned up."""

    app: FastAPI
    settings: Settings
    container: Container
    platform_key: str
    platform: httpx.AsyncClient = field(init=False)
    nobody: httpx.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "platform", speaking(self.app, Authorization=f"Bearer {self.platform_key}"))
        object.__setattr__(self, "nobody", speaking(self.app))

    async def organisation(
        self,
        people: Mapping[str, str | None] | None = None,
        stores: Sequence[str] = ("shop1",),
        org_id: str | None = None,
        **fields: Any,
    ) -> Tenant:
        """A new organisation: owner `alice` and store `shop1` unless others are named; roles by person, None a contact.

        `fields` are the organisation's own, such as `language="en"`.
        """
        org_id = org_id or f"org-{secrets.token_hex(6)}"
        tenant = Tenant(self, org_id, "")
        await self._put(tenant.path, {"name": org_id, **fields})
        for store in stores:
            await self._put(f"{tenant.path}/stores/{quote(store, safe='')}", {"name": store})
        for person, role in ({"alice": "owner"} if people is None else people).items():
            await self._put(f"{tenant.path}/people/{quote(person, safe='')}", {"role": role})
        return Tenant(self, org_id, await tenant.make_key(act_for_people=True))

    async def finish_jobs(self) -> None:
        """All jobs that are due are done, as a worker would do them."""
        while claims := await self.container.directory.claim_jobs(50, self.container.clock()):
            for claim in claims:
                with suppress(StaleClaimError):  # its job was cancelled meanwhile
                    await self.container.job_runner.run(TenantScope(claim.org_id, WORKER, Rank.OWNER), claim)

    async def _put(self, path: str, body: Mapping[str, Any]) -> None:
        made = await self.platform.put(path, json=body)
        assert made.status_code == 201, made.text
