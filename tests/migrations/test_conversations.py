"""What was indexed before documents knew their conversation is told it, and lacks vectors."""

from uuid import uuid4

from alembic import command
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.adapters.embedded.roles import DRIVER, provide_database
from tests.migrations.test_stairway import alembic
from tests.support.servers import ROOT, Servers

FILL = [
    "insert into organisations (org_id, name, created_at, settings, version)"
    " select org, org, now(), '{}', 1 from unnest(array['one', 'two']) org",
    "insert into people (org_id, user_id, ref, created_at, remember)"
    " select org_id, 'alice', gen_random_uuid(), now(), true from organisations",
    "insert into messages (org_id, id, conversation_id, message_id, channel, speaker, content, sent_at, user_id,"
    " agent_id, recorded_at) select org_id, '00000000-0000-0000-0000-000000000001', 'talk ' || org_id, 'm', 'web',"
    " 'user', 'said', now(), 'alice', 'atlas', now() from organisations",
    "insert into documents (org_id, kind, id, shelf, user_id, agent_id, label, public, disowned, length)"
    " select org_id, kind, '00000000-0000-0000-0000-000000000001', 'user alice', 'alice', 'atlas', '', false, false, 1"
    " from organisations, unnest(array['message', 'fact']) kind",
]


async def test_is_told_it(servers: Servers) -> None:
    name = f"t_talks_{uuid4().hex[:8]}"
    urls = await provide_database(servers.postgres, ROOT, name)
    owner = create_async_engine(urls.owner, poolclass=NullPool)
    superuser = create_async_engine(servers.postgres.url(driver=DRIVER, database=name), poolclass=NullPool)
    await alembic(owner, command.upgrade, "0015")
    async with superuser.begin() as plain:
        for statement in FILL:
            await plain.execute(text(statement))
    await alembic(owner, command.upgrade, "0016")
    async with superuser.connect() as plain:
        told = text("select org_id, kind, conversation_id, embedded, marks from documents order by 1, 2")
        rows = [tuple(row) for row in await plain.execute(told)]
    await servers.drop(name)
    assert rows == [
        (org, kind, talk, "", 0)
        for org in ("one", "two")
        for kind, talk in (("fact", None), ("message", f"talk {org}"))
    ]
