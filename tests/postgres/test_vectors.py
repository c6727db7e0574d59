"""What only a server with several writers can get wrong about vectors: pairs, jobs, plans, an old pgvector."""

import asyncio
import random
from contextlib import suppress
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.doubles.embedder import WORDS, InMemoryEmbedder
from app.adapters.postgres.directory import PostgresDirectory, WrongDatabaseError
from app.adapters.postgres.storage import PostgresStorage
from app.domain.errors import Conflict, Unavailable
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.search import DocumentKind, fact_document
from app.domain.tenancy import TenantScope
from app.services.embedding import Embedding
from tests.contract.finding import EVERYTHING
from tests.postgres.furnished import LATER, furnish
from tests.unit.memories import ME, START, fact

Orgs = tuple[TenantScope, str]
FACTS, ROUNDS, EMBEDDERS = 6, 25, 3


@pytest.fixture
def storage(serving: AsyncEngine) -> PostgresStorage:
    return PostgresStorage(serving, b"pepper")


async def embedded(storage: PostgresStorage, scope: TenantScope, told: Fact) -> float | None:
    """How near the fact's vector is to the words that it has now; None where it has none."""
    [[asked]] = await InMemoryEmbedder().passages([fact_document(told).text])
    async with storage.transaction(scope) as uow:
        return (await uow.vectors.cosines(asked, WORDS.name, [DocumentKind.FACT], [told.id])).get(told.id)


async def test_no_vector_ever_stands_beside_other_words(storage: PostgresStorage, orgs: Orgs) -> None:
    """Facts are rewritten, and come and go, while several embed; then all are embedded once more."""
    scope, chance = orgs[0], random.Random(3)
    standing: dict[int, Fact | None] = dict.fromkeys(range(100, 100 + FACTS))
    done = asyncio.Event()

    async def rewrite(number: int) -> None:
        for turn in range(ROUNDS):
            before = standing[number]
            words = f"mot{number} tour{turn} {uuid4().hex}"
            gone = before is not None and chance.random() < 0.2
            after = None if gone else fact(number, f"k.{number}", words)
            with suppress(Conflict, Unavailable):  # another stood in its way
                async with storage.transaction(scope) as uow:
                    await uow.facts.apply([Change(before, after)], START)
                standing[number] = after
            if (told := standing[number]) is not None:
                assert await embedded(storage, scope, told) in (None, pytest.approx(1, abs=1e-3))
            await asyncio.sleep(chance.uniform(0, 0.02))

    async def embed() -> None:
        embedding = Embedding(storage, Slow(), lambda: LATER)
        while not done.is_set():
            with suppress(Conflict, Unavailable):
                await embedding.step(scope)

    embedders = [asyncio.create_task(embed()) for _ in range(EMBEDDERS)]
    await asyncio.gather(*(rewrite(number) for number in standing))
    done.set()
    await asyncio.gather(*embedders)
    while (step := await Embedding(storage, InMemoryEmbedder(), lambda: LATER).step(scope)) and step.more:
        pass
    for told in filter(None, standing.values()):
        assert await embedded(storage, scope, told) == pytest.approx(1, abs=1e-3)


class Slow(InMemoryEmbedder):
    """Takes a moment, in which others write."""

    async def passages(self, texts, tally=None):  # type: ignore[no-untyped-def]
        await asyncio.sleep(random.uniform(0, 0.02))
        return await super().passages(texts, tally)


async def test_an_organisation_gets_one_job_however_many_look(
    storage: PostgresStorage, serving: AsyncEngine, orgs: Orgs
) -> None:
    directory = PostgresDirectory(serving)
    for _ in range(5):
        await asyncio.gather(*(directory.queue_embedding(500, LATER) for _ in range(8)))
    query = "select count(*) from jobs where lane = 'embedding'"
    async with storage.transaction(orgs[0]) as uow:
        assert (await uow._session.execute(text(query))).scalar() == 1


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("embedded = '' order by id desc limit 5", "ix_documents_lacking"),
        ("embedded <> '' and embedded < 'm' order by embedded desc, id desc limit 5", "ix_documents_embedded"),
        (
            "shelf = 'user alice' and conversation_id = 'talk' and (at, id) > (now(), gen_random_uuid())"
            " order by at, id limit 5",
            "ix_documents_conversation",
        ),
    ],
)
async def test_what_is_looked_for_is_found_by_index_under_row_security(
    storage: PostgresStorage, orgs: Orgs, query: str, index: str
) -> None:
    async with storage.transaction(orgs[0]) as uow:
        await uow._session.execute(text("set local enable_seqscan = off"))
        await uow._session.execute(text("set local enable_sort = off"))
        rows = await uow._session.execute(
            text(f"explain select id from documents where org_id = :org and {query}"), {"org": orgs[0].org_id}
        )
        plan = "\n".join(row[0] for row in rows)
    assert index in plan


async def test_an_older_pgvector_is_refused_with_the_reason(superuser: AsyncEngine, serving: AsyncEngine) -> None:
    async with superuser.connect() as plain:
        known = await plain.scalar(text("select extversion from pg_extension where extname = 'vector'"))
    older = text("update pg_extension set extversion = :version where extname = 'vector'")
    directory = PostgresDirectory(serving)
    try:
        for version, fits in (("0.7.4", False), ("0.8.0", True), ("0.10.1", True), ("1.0", True)):
            async with superuser.begin() as plain:
                await plain.execute(older, {"version": version})
            if fits:
                await directory.ready()
            else:
                with pytest.raises(WrongDatabaseError, match="pgvector"):
                    await directory.ready()
    finally:
        async with superuser.begin() as plain:
            await plain.execute(older, {"version": known})
    await directory.ready()


async def test_vectors_of_another_tenant_are_never_nearest(storage: PostgresStorage, orgs: Orgs) -> None:
    """Both have the same ids, people and shelves."""
    ours, theirs = orgs
    other = await furnish(storage, f"third-{uuid4().hex}")
    async with storage.transaction(ours) as uow:
        mine = await uow.vectors.nearest((0.0, 1.0), "model 2", [EVERYTHING], 50)
    async with storage.transaction(other) as uow:
        await uow.organisations.delete()
    async with storage.transaction(ours) as uow:
        assert await uow.vectors.nearest((0.0, 1.0), "model 2", [EVERYTHING], 50) == mine
    assert theirs != ours.org_id
    assert ME in EVERYTHING.subjects
