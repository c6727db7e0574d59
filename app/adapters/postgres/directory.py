"""What is read before a scope is known, through `security definer` functions that answer ids, roles and counts.

The only statements of the service that run without a tenant.
"""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.faults import translate
from app.adapters.postgres.hashes import thing_digest
from app.domain.erasures import ErasureKind, PlatformErasure, Thing
from app.domain.errors import Unavailable
from app.domain.generations import Generations
from app.domain.identifiers import uuid7
from app.domain.jobs import LEASE, Claim
from app.domain.seals import Mark
from app.domain.tenancy import Role
from app.ports.storage import Caller, Membership

HEAD = "0021"
"""The schema revision that this code needs; `tests/migrations` holds it to the newest one."""

PGVECTOR = (0, 8)
"""The oldest version of the extension that will do."""

_FIND_KEY = text("select * from find_api_key(:digest, :person, :now)")
_FIND_PLATFORM_KEY = text("select find_platform_key(:digest)")
_FIND_MEMBERSHIP = text("select * from find_membership(:org_id, :user_id)")
_FIND_GENERATIONS = text("select * from find_generations(:org_id, :store_id, :user_id)")
_CLAIM_JOBS = text("select * from claim_jobs(:limit, :now, :lease)")
_LIST_ORGANISATIONS = text("select org_id from list_organisations(:after, :limit)")
_MARK_EVENTS = text("select place, writers from mark_events()")
_LIST_UNSEALED = text("select org_id from unsealed_organisations(:after, :upto, :limit)")
_FORGET_IDEMPOTENCY = text("select forget_idempotency(:before, :limit)")
_REVISION = text(
    "select version_num, (select extversion from pg_extension where extname = 'vector') as vector from alembic_version"
)
_QUEUE_EMBEDDING = text("select queue_embedding(:ids, :now)")
_EMBEDDED_ELSEWHERE = text("select embedded_elsewhere(:space)")
_FIND_MEMBERSHIPS = text("select org_id from find_memberships(:user_id)")
_FIND_ERASURE = text("select * from find_platform_erasure(:receipt_id)")
_LIST_ERASURES = text("select * from list_platform_erasures(:after, :limit)")
_ROLE = text(
    "select exists (select from pg_roles where (rolsuper or rolbypassrls) and pg_has_role(oid, 'member')) as unbound,"
    " exists (select from pg_class where relnamespace = 'public'::regnamespace"
    " and pg_has_role(relowner, 'member')) as owns"
)
_NO_SCHEMA = {"42P01", "42883", "42501"}
_NOT_LET_IN = {"28000", "28P01", "3D000"}


class WrongDatabaseError(Unavailable):
    """The database answers and cannot be used: the service must not start. The detail says why."""

    def __init__(self, detail: str) -> None:
        super().__init__("database_unusable", detail)


class PostgresDirectory:
    """Reads on one engine, each in a transaction of its own."""

    def __init__(self, engine: AsyncEngine, lease: timedelta = LEASE, pepper: bytes = b"") -> None:
        self._engine = engine
        self._lease = lease
        self._pepper = pepper

    async def find_key(self, digest: bytes, person: str | None, now: datetime) -> Caller | None:
        rows = await self._run(_FIND_KEY, digest=digest, person=person, now=now)
        if not rows:
            return None
        row = rows[0]
        return Caller(
            org_id=row.org_id,
            key_id=str(row.key_id),
            role=Role(row.role),
            act_for_people=row.act_for_people,
            stores=None if row.store_ids is None else frozenset(row.store_ids),
            agents=None if row.agent_ids is None else frozenset(row.agent_ids),
            person_role=Role(row.person_role) if row.person_role else None,
        )

    async def find_platform_key(self, digest: bytes) -> bool:
        return bool((await self._run(_FIND_PLATFORM_KEY, digest=digest))[0][0])

    async def find_membership(self, org_id: str, user_id: str) -> Membership | None:
        rows = await self._run(_FIND_MEMBERSHIP, org_id=org_id, user_id=user_id)
        return Membership(Role(rows[0].role) if rows[0].role else None) if rows else None

    async def generations(self, org_id: str, store_id: str | None, user_id: str | None) -> Generations:
        rows = await self._run(_FIND_GENERATIONS, org_id=org_id, store_id=store_id, user_id=user_id)
        return Generations(*rows[0])

    async def claim_jobs(self, limit: int, now: datetime) -> list[Claim]:
        rows = await self._run(_CLAIM_JOBS, limit=limit, now=now, lease=self._lease)
        claims = [Claim(row.org_id, row.job_id, row.attempt) for row in rows]
        return sorted(claims, key=lambda claim: claim.job_id)  # the oldest first: RETURNING keeps no order

    async def organisations(self, limit: int, after: str | None = None) -> list[str]:
        rows = await self._run(_LIST_ORGANISATIONS, after=after or "", limit=limit)
        return [row.org_id for row in rows]

    async def mark_events(self) -> Mark:
        row = (await self._run(_MARK_EVENTS))[0]
        return Mark(row.place, frozenset(row.writers))

    async def unsealed_organisations(self, upto: int, limit: int, after: str | None = None) -> list[str]:
        rows = await self._run(_LIST_UNSEALED, after=after or "", upto=upto, limit=limit)
        return [row.org_id for row in rows]

    async def queue_embedding(self, limit: int, now: datetime) -> int:
        return int((await self._run(_QUEUE_EMBEDDING, ids=[uuid7() for _ in range(limit)], now=now))[0][0])

    async def embedded_elsewhere(self, space: str) -> int:
        return int((await self._run(_EMBEDDED_ELSEWHERE, space=space))[0][0])

    async def forget_idempotency(self, before: datetime, limit: int) -> int:
        return int((await self._run(_FORGET_IDEMPOTENCY, before=before, limit=limit))[0][0])

    async def memberships(self, user_id: str) -> list[str]:
        return [row.org_id for row in await self._run(_FIND_MEMBERSHIPS, user_id=user_id)]

    async def find_erasure(self, receipt_id: UUID) -> PlatformErasure | None:
        rows = await self._run(_FIND_ERASURE, receipt_id=receipt_id)
        return _erasure(rows[0]) if rows else None

    async def erasures(self, limit: int, after: UUID | None = None) -> list[PlatformErasure]:
        return [_erasure(row) for row in await self._run(_LIST_ERASURES, after=after or UUID(int=0), limit=limit)]

    def erased_digest(self, thing: Thing) -> bytes:
        return thing_digest(self._pepper, "", thing)

    async def ready(self) -> None:
        rows = await self._run(_REVISION)
        if not rows or rows[0].version_num < HEAD:
            raise Unavailable("schema_outdated", "The database has an older schema: run `retenir migrate`.")
        if not _new_enough(rows[0].vector or "0"):
            raise WrongDatabaseError("The database needs the extension vector (pgvector), 0.8 or later.")

    async def check_role(self) -> None:
        """Raises WrongDatabaseError when row-level security would not hold the role that the service connects as.

        What the role may become counts as what it is.
        """
        row = (await self._run(_ROLE))[0]
        if row.unbound or row.owns:
            raise WrongDatabaseError(
                "RETENIR_DATABASE_URL connects as a role that is a superuser, bypasses row-level security or owns"
                " tables: use the serving role (scripts/postgres-roles.sh makes it)."
            )

    async def _run(self, statement: Any, **values: object) -> list[Any]:
        try:
            async with self._engine.begin() as connection:
                return list((await connection.execute(statement, values)).all())
        except Exception as error:
            state = getattr(getattr(error, "orig", None), "sqlstate", None)
            if state in _NO_SCHEMA:
                raise WrongDatabaseError("The database has no schema of Retenir: run `retenir migrate`.") from error
            if state in _NOT_LET_IN:
                raise WrongDatabaseError("The database of RETENIR_DATABASE_URL does not let us in.") from error
            if (known := translate(error)) is not None:
                raise known from error
            raise


def _erasure(row: Any) -> PlatformErasure:
    return PlatformErasure(
        receipt_id=row.receipt_id,
        kind=ErasureKind(row.kind),
        began_at=row.began_at,
        erased=row.erased if isinstance(row.erased, dict) else json.loads(row.erased),
        remaining=row.remaining,
        completed_at=row.completed_at,
        digest=row.digest,
    )


def _new_enough(version: str) -> bool:
    """Whether this pgvector has vectors of 16-bit numbers and what we do with them."""
    major, minor, *_ = [int(part) for part in version.split(".") if part.isdecimal()] + [0, 0]
    return (major, minor) >= PGVECTOR
