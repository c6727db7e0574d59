"""Servers of a test's own, which it may end and freeze, with services and an organisation on them."""

import os
import secrets
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import DATABASE, DRIVER, DatabaseUrls
from app.adapters.embedded.valkey import EmbeddedValkey
from tests.faults.programs import Program, Service

SECRET = "vT6nXq2LzR8wKj4HsYb9Cd5Gm3FpEa7U"
LEASE_SECONDS = 8


@dataclass(frozen=True)
class Tenant:
    """An organisation with the owner `alice`, and an owner's key that acts for people."""

    org_id: str
    key: str

    def client(self, service: Service, person: str | None = "alice") -> httpx.AsyncClient:
        """A client of the service with that key."""
        acting = {} if person is None else {"X-User-Id": person}
        headers = {"Authorization": f"Bearer {self.key}", **acting}
        return httpx.AsyncClient(base_url=service.address, headers=headers, timeout=30)


@dataclass(frozen=True)
class Stand:
    """A Postgres and a Valkey that are nobody else's, the schema in one, and a key of the platform."""

    folder: Path
    postgres: EmbeddedPostgres
    valkey: EmbeddedValkey
    urls: DatabaseUrls
    platform_key: str

    def service(self, **settings: str) -> Service:
        """A service on these servers, yet to be started."""
        return Service(self.folder, {**self.settings, **settings})

    def worker(self, **settings: str) -> Program:
        """A worker on these servers, yet to be started."""
        return Program("worker", self.folder, {**self.settings, **settings})

    @property
    def settings(self) -> dict[str, str]:
        """Those of a service; a job whose worker died is taken over soon."""
        return {
            "RETENIR_DATABASE_URL": self.urls.serving.replace(f"+{DRIVER}", ""),
            "RETENIR_REDIS_URL": self.valkey.url(),
            "RETENIR_SECRET": SECRET,
            "RETENIR_LOG_FORMAT": "json",
            "RETENIR_JOB_LEASE_SECONDS": str(LEASE_SECONDS),
            "RETENIR_REQUESTS_PER_MINUTE": "1000000",
            "RETENIR_EMBEDDER": "none",
        }

    async def organisation(self, service: Service) -> Tenant:
        """A new organisation, made over HTTP."""
        path = f"/orgs/{(org_id := f'org-{secrets.token_hex(4)}')}"
        async with self.platform(service) as platform:
            for place, body in ((path, {"name": org_id}), (f"{path}/people/alice", {"role": "owner"})):
                assert (await platform.put(place, json=body)).status_code == 201
            wanted = {"name": "faults", "role": "owner", "act_for_people": True}
            made = await platform.post(f"{path}/api-keys", json=wanted)
        return Tenant(org_id, made.json()["key"])

    def platform(self, service: Service) -> httpx.AsyncClient:
        """A client with the platform's key."""
        headers = {"Authorization": f"Bearer {self.platform_key}"}
        return httpx.AsyncClient(base_url=service.address, headers=headers, timeout=30)

    @asynccontextmanager
    async def superuser(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection to the service's database of one whom nothing holds back."""
        connection = await asyncpg.connect(self.postgres.url(database=DATABASE))
        try:
            yield connection
        finally:
            await connection.close()

    async def as_superuser(self, *statements: str) -> None:
        """Run statements, each in a transaction of its own."""
        async with self.superuser() as connection:
            for statement in statements:
                await connection.execute(statement)

    @contextmanager
    def postgres_ended(self) -> Iterator[None]:
        """For the block nobody listens; sessions were cut."""
        self.postgres.stop()
        try:
            yield
        finally:
            self.postgres.start()

    @contextmanager
    def postgres_killed(self) -> Iterator[None]:
        """The same, without a farewell: what was committed is found in the log."""
        os.kill(self._postmaster, signal.SIGKILL)
        try:
            yield
        finally:
            self.postgres.start()

    @contextmanager
    def postgres_frozen(self) -> Iterator[None]:
        """For the block it takes connections and requests, and answers none."""
        with frozen(self._postmaster):
            yield

    @property
    def _postmaster(self) -> int:
        return int((self.folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """The process and its children stand still for the block."""
    os.kill(pid, signal.SIGSTOP)  # first, so that no child is added
    children = children_of(pid)
    try:
        for child in children:
            os.kill(child, signal.SIGSTOP)
        yield
    finally:
        for process in (*children, pid):
            os.kill(process, signal.SIGCONT)


def children_of(pid: int) -> list[int]:
    """The processes that it started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended
        if parent == pid:
            found.append(int(status.parent.name))
    return found
