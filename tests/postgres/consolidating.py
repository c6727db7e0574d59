"""One process of several that consolidate the same person: says when it is ready, and starts when it is told.

python -m tests.postgres.consolidating URL ORGANISATION PERSON
"""

import asyncio
import sys

from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.container import utc_now
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.services.session_start import SessionIn, SessionStart


async def consolidate(url: str, org_id: str, person: str) -> None:
    scope = TenantScope(org_id, Actor(ActorType.PERSON, person), Rank.MEMBER, person)
    engine = make_engine(url)
    start = SessionStart(PostgresStorage(engine, b"pepper"), utc_now)
    async with PostgresStorage(engine, b"pepper").transaction(scope) as uow:
        await uow.people.get(person)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    started = await start.start(scope, SessionIn("atlas", deadline_ms=10_000))
    sys.stdout.write(f"{started.outcome.created} {started.outcome.reinforced}\n")
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(consolidate(*sys.argv[1:]))
