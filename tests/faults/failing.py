"""Triggers that make work on one organisation's rows slow, or fail at the very end, when its transaction commits."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import StrEnum

from tests.faults.stand import Stand

TABLES = (
    "select c.oid::regclass::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'"
    " where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace"
)


class Failure(StrEnum):
    """How a commit fails, as statements of a trigger."""

    RAISES = "raise exception 'refused: %, %', old, new"
    DEADLOCK = "raise exception 'refused' using errcode = '40P01'"
    CUT = "perform pg_terminate_backend(pg_backend_pid())"


@asynccontextmanager
async def commits_failing(stand: Stand, org_id: str, failure: Failure, only: str = "") -> AsyncIterator[None]:
    """For the block, no transaction that writes rows of the organisation, in any table or in one only, can commit."""
    async with stand.superuser() as connection:
        tables = [only] if only else [table for (table,) in await connection.fetch(TABLES)]
    when = "constraint trigger {} after insert or update or delete on {} deferrable initially deferred"
    async with _triggers(stand, "fail", tables, when, _of(org_id, failure)):
        yield


@asynccontextmanager
async def commits_colliding(stand: Stand, org_id: str, times: int) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """For the block, the next so many commits of the organisation fail as a deadlock's victim does, and so many again
    after each call of what is yielded.
    """
    number = "collisions"  # a sequence counts on through what is rolled back
    body = f"if nextval('{number}') <= {times} then {Failure.DEADLOCK}; end if"
    when = "constraint trigger {} after insert or update or delete on {} deferrable initially deferred"
    async with stand.superuser() as connection:
        tables = [table for (table,) in await connection.fetch(TABLES)]
    await stand.as_superuser(f"create sequence {number}", f"grant usage on sequence {number} to public")
    try:
        async with _triggers(stand, "collide", tables, when, _of(org_id, body)):
            yield lambda: stand.as_superuser(f"alter sequence {number} restart")
    finally:
        await stand.as_superuser(f"drop sequence {number}")


@asynccontextmanager
async def jobs_taking(stand: Stand, org_id: str, seconds: float) -> AsyncIterator[None]:
    """For the block, learning one fact takes so long."""
    when = "trigger {} before insert on {}"
    async with _triggers(stand, "dawdle", ["fact_sources"], when, _of(org_id, f"perform pg_sleep({seconds})")):
        yield


@asynccontextmanager
async def poisoned(stand: Stand, org_id: str, message_id: str) -> AsyncIterator[None]:
    """For the block, nothing can be learnt from that message."""
    body = f"if new.message_id = '{message_id}' then raise 'poison'; end if"
    async with _triggers(stand, "refuse", ["fact_sources"], "trigger {} before insert on {}", _of(org_id, body)):
        yield


def _of(org_id: str, body: str) -> str:
    return f"if coalesce(new.org_id, old.org_id) = '{org_id}' then {body}; end if;"


@asynccontextmanager
async def _triggers(stand: Stand, name: str, tables: list[str], when: str, body: str) -> AsyncIterator[None]:
    function = f"create function {name}() returns trigger language plpgsql as $$ begin {body} return new; end $$"
    places = [f"create {when.format(name, table)} for each row execute function {name}()" for table in tables]
    try:
        await stand.as_superuser(function, *places)
        yield
    finally:
        await stand.as_superuser(f"drop function if exists {name} cascade")
