"""The partitions of `observations`, one for each day of receipt, as the role that owns the table.

What is received on a day that has none lies in `observations_rest`, and is moved when the day gets one.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.faults import translate
from app.domain.errors import Conflict
from app.domain.identifiers import first_uuid7

DAYS_AHEAD = 14
_log = structlog.stdlib.get_logger(__name__)
_TURN = 0x50415254  # an advisory lock: of several who are at it, one goes on
_NAME = re.compile(r"observations_(\d{4})(\d\d)(\d\d)")
# Writers wait no longer than this for us, and we for them: what fails is tried again.
_LIMITS = "set local lock_timeout = '200ms'; set local statement_timeout = '60s'"
_PRESENT = "select inhrelid::regclass::text from pg_inherits where inhparent = 'observations'::regclass"
# The first lock keeps writers from choosing their partition before the new one is there.
_MAKE = """
lock table only observations in share row exclusive mode;
lock table observations_rest in access exclusive mode;
create table {name} (like observations including defaults including constraints);
alter table {name} alter column org_id set statistics 0;
with moved as (delete from observations_rest where id >= '{first}' and id < '{end}' returning *)
insert into {name} select * from moved;
alter table observations attach partition {name} for values from ('{first}') to ('{end}')
"""


TRIES: Final = 3
"""To make a day's partition, while stores and people come and go."""


class PostgresPartitions:
    """Makes and drops partitions on an engine of the owner role. Each is a transaction of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def provide(self, now: datetime) -> None:
        today = now.astimezone(UTC).date()
        for day in (today + timedelta(days=ahead) for ahead in range(-1, DAYS_AHEAD + 1)):
            for _ in range(TRIES):
                with suppress(Conflict):
                    await self._make(day)
                    break
            else:  # its rows stay where they are, and are found there; the next upkeep tries again
                _log.warning("partition_not_made", day=day.isoformat())

    async def _make(self, day: date) -> None:
        """Raises Conflict where what its rows belong to is removed at the same time."""
        async with self._turn() as connection:
            if connection is not None and day not in await _present(connection):
                first, end = first_uuid7(_start(day)), first_uuid7(_start(day + timedelta(days=1)))
                await _run(connection, _MAKE.format(name=_name(day), first=first, end=end))

    async def drop_before(self, instant: datetime) -> None:
        async with self._turn() as connection:
            days = await _present(connection) if connection is not None else set()
        for day in sorted(days):
            if _start(day + timedelta(days=1)) <= instant:
                async with self._turn() as connection:
                    if connection is not None:
                        await _run(connection, f"drop table if exists {_name(day)}")
        async with self._turn() as connection:
            if connection is not None:
                await _run(connection, f"delete from observations_rest where id < '{first_uuid7(instant)}'")  # noqa: S608

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[AsyncConnection | None]:
        """A transaction in which nobody else makes or drops; None where somebody else is at it."""
        try:
            async with self._engine.begin() as connection:
                await _run(connection, _LIMITS)
                free = await connection.scalar(text("select pg_try_advisory_xact_lock(:turn)"), {"turn": _TURN})
                yield connection if free else None
        except Exception as error:
            if (known := translate(error)) is not None:
                raise known from error
            raise


async def _run(connection: AsyncConnection, statements: str) -> None:
    for statement in statements.split(";"):
        await connection.execute(text(statement))


async def _present(connection: AsyncConnection) -> set[date]:
    """The days that have a partition."""
    names = (await connection.execute(text(_PRESENT))).scalars()
    found = (_NAME.fullmatch(name) for name in names)
    return {date(*map(int, match.groups())) for match in found if match}


def _name(day: date) -> str:
    return f"observations_{day:%Y%m%d}"


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
