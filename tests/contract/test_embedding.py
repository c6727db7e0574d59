"""Embedding as jobs do it, on both storages: everything gets vectors, beside the words that they are made of."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.domain.events import Change, changes
from app.domain.jobs import EMBEDDING_LANE, LEASE, JobKind, JobStatus, NotNow
from app.domain.messages import Speaker
from app.domain.search import fact_document, told_by
from app.domain.tenancy import TenantScope
from app.ports.embedders import EmbedderAway, EmbeddingFailed
from app.ports.vectors import Progress
from app.services.embedding import AT_ONCE, Embedding
from app.services.learning import StaleClaimError
from tests.contract.backends import Backend
from tests.contract.embedding import say
from tests.contract.embedding_jobs import NOW, Fastidious, apart, claimed, jobs, nearness, progress, work
from tests.unit.memories import ME, SHOP, START, fact
from tests.unit.observed import observed

AWAY = EmbedderAway("embedder_unavailable", "The embedder is away.", 7)


async def test_every_kind_of_document_is_embedded_by_what_it_says(backend: Backend, scope: TenantScope) -> None:
    async with backend.storage.transaction(scope) as uow:
        await uow.messages.add(
            [apart(1, content="Le colis bleu"), apart(2, content="Il part demain", speaker=Speaker.ASSISTANT)]
        )
        facts = [fact(3, content="Offerte dès 60", about=SHOP), fact(4, content="Aime le thé", about=ME)]
        await uow.facts.apply(changes([], facts), START)
        await uow.observations.add([seen := observed(number=5, content="lent à répondre")])
    assert await work(backend, scope, InMemoryEmbedder()) == 1
    told = {1: "Le colis bleu", 2: "Il part demain", 3: fact_document(facts[0]).text, 4: fact_document(facts[1]).text}
    for number, text in told.items():
        assert (await nearness(backend.storage, scope, text))[number] == 1
    assert (await nearness(backend.storage, scope, told_by(seen)))[seen.id.int] == 1
    state = await progress(backend.storage, scope)
    assert (state.embedded, state.failed) == (state.total, 0)
    [job] = await jobs(backend.storage, scope)
    assert (job.kind, job.lane, job.status) == (JobKind.EMBEDDING, EMBEDDING_LANE, JobStatus.DONE)
    assert job.result == {"embedded": state.total, "failed": 0}


async def test_a_thousand_documents_are_done_in_stretches(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, *(apart(number, content=f"colis numéro {number}") for number in range(1, 1001)))
    embedder = InMemoryEmbedder()
    assert await work(backend, scope, embedder) == -(-1000 // AT_ONCE) + (1000 % AT_ONCE == 0)
    assert await progress(backend.storage, scope) == Progress(1000, 0, 1000)
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 1000
    assert [job.result for job in await jobs(backend.storage, scope)] == [{"embedded": 1000, "failed": 0}]
    async with backend.storage.transaction(scope) as uow:
        assert (await uow.usage.of(NOW.date())).embeddings == 1000


async def test_an_organisation_has_one_job_and_none_where_nothing_lacks(backend: Backend, scope: TenantScope) -> None:
    async def queued() -> int:
        await backend.directory.queue_embedding(500, NOW)
        return len(await jobs(backend.storage, scope))

    assert await queued() == 0
    await say(backend.storage, scope, apart(1))
    assert [await queued() for _ in range(3)] == [1, 1, 1]
    await work(backend, scope, InMemoryEmbedder())
    assert await queued() == 1
    await say(backend.storage, scope, apart(2))
    assert await queued() == 2


async def test_long_texts_are_embedded_alone(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, *(apart(number, content="mot " * 5_000) for number in range(1, 9)))
    embedder = Fastidious()
    await work(backend, scope, embedder)
    assert embedder.asked == [1] * 8
    assert await progress(backend.storage, scope) == Progress(8, 0, 8)


async def test_while_the_embedder_is_away_the_job_waits_without_losing_an_attempt(
    backend: Backend, scope: TenantScope
) -> None:
    await say(backend.storage, scope, apart(1))
    embedder = InMemoryEmbedder(fault=AWAY)
    embedding, claim = Embedding(backend.storage, embedder, lambda: NOW), await claimed(backend, scope)
    assert claim is not None
    with pytest.raises(NotNow) as wait:
        await embedding.run(scope, claim)
    assert (wait.value.code, wait.value.until >= NOW + timedelta(seconds=7)) == ("embedder_unavailable", True)
    assert wait.value.until <= NOW + timedelta(minutes=7)
    async with backend.storage.transaction(scope) as uow:
        await uow.jobs.postpone(claim, wait.value.code, wait.value.until)
    assert await claimed(backend, scope) is None
    embedder.fault = None
    assert await work(backend, scope, embedder, wait.value.until) == 1
    assert await progress(backend.storage, scope) == Progress(1, 0, 1)


async def test_a_text_that_fails_alone_keeps_no_other_from_being_embedded(backend: Backend, scope: TenantScope) -> None:
    said = {number: f"colis {number}" for number in range(1, 71)} | {5: "poison", 33: "poison encore", 70: "le poison"}
    await say(backend.storage, scope, *(apart(number, content=content) for number, content in said.items()))
    embedder = Fastidious()
    await work(backend, scope, embedder)
    assert await progress(backend.storage, scope) == Progress(67, 3, 70)
    assert [job.result for job in await jobs(backend.storage, scope)] == [{"embedded": 67, "failed": 3}]
    assert len(embedder.asked) < 100
    assert await claimed(backend, scope) is None
    embedder.unfit = ()
    assert await Embedding(backend.storage, embedder, lambda: NOW).forgive(scope) == 3
    await work(backend, scope, embedder)
    assert await progress(backend.storage, scope) == Progress(70, 0, 70)


async def test_where_nothing_can_be_embedded_no_text_is_blamed(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, apart(1), apart(2))
    claim = await claimed(backend, scope)
    assert claim is not None
    with pytest.raises(EmbeddingFailed):
        await Embedding(backend.storage, Fastidious(unfit=("",)), lambda: NOW).run(scope, claim)
    assert await progress(backend.storage, scope) == Progress(0, 0, 2)


async def test_what_was_made_before_an_outage_is_kept(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, *(apart(number, content=f"colis {number}") for number in (1, 2, 3)))
    await say(backend.storage, scope, apart(4, content="poison"))
    embedder = Fastidious()

    async def leave() -> None:
        if len(embedder.asked) == 7:
            embedder.fault = AWAY

    embedder.meanwhile = leave
    claim = await claimed(backend, scope)
    assert claim is not None
    with pytest.raises(NotNow):
        await Embedding(backend.storage, embedder, lambda: NOW).run(scope, claim)
    state = await progress(backend.storage, scope)
    assert 0 < state.embedded + state.failed < state.total


async def test_what_changes_or_goes_while_it_is_embedded_gets_nothing(backend: Backend, scope: TenantScope) -> None:
    before = fact(3, content="Offerte", value="Offerte")
    async with backend.storage.transaction(scope) as uow:
        await uow.messages.add([apart(1, content="Le colis bleu"), apart(2, content="Le colis rouge")])
        await uow.facts.apply([Change(None, before)], START)
    after = replace(before, content="Payante", value="Payante")

    async def change() -> None:
        embedder.meanwhile = None
        async with backend.storage.transaction(scope) as uow:
            await uow.messages.delete([UUID(int=1)])
            await uow.facts.apply([Change(before, after)], START)

    embedder = Fastidious(meanwhile=change)
    await work(backend, scope, embedder)
    assert await progress(backend.storage, scope) == Progress(2, 0, 2)
    assert (await nearness(backend.storage, scope, "Payante"))[3] == 1
    assert (await nearness(backend.storage, scope, "Le colis rouge"))[2] == 1


async def test_a_late_attempt_writes_nothing(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, apart(1))
    late = await claimed(backend, scope)
    assert late is not None
    taken_over = NOW + 2 * LEASE
    assert await claimed(backend, scope, taken_over) is not None
    with pytest.raises(StaleClaimError):
        await Embedding(backend.storage, InMemoryEmbedder(), lambda: taken_over).run(scope, late)
    assert await progress(backend.storage, scope) == Progress(0, 0, 1)


async def test_nothing_is_shown_to_the_embedder_of_who_wants_nothing_remembered(
    backend: Backend, scope: TenantScope
) -> None:
    await say(backend.storage, scope, apart(1, content="Le colis bleu"), apart(2, content="rouge", user_id="bob"))
    async with backend.storage.transaction(scope) as uow:
        person = await uow.people.get("bob")
        assert person is not None
        await uow.people.save(replace(person, remember=False))
    embedder = InMemoryEmbedder()
    await work(backend, scope, embedder)
    assert embedder.embedded == ["Le colis bleu"]
    assert await progress(backend.storage, scope) == Progress(1, 1, 2)


async def test_an_organisation_whose_memory_is_off_waits(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, apart(1))
    async with backend.storage.transaction(scope) as uow:
        organisation = await uow.organisations.get()
        assert organisation is not None
        settings = replace(organisation.settings, enabled=False)
        await uow.organisations.save(replace(organisation, settings=settings))
    embedder, claim = InMemoryEmbedder(), await claimed(backend, scope)
    assert claim is not None
    with pytest.raises(NotNow, match="memory_off"):
        await Embedding(backend.storage, embedder, lambda: NOW).run(scope, claim)
    assert await Embedding(backend.storage, embedder, lambda: NOW).step(scope) is None
    assert embedder.embedded == []


async def test_a_text_without_words_is_done_and_has_no_vector(backend: Backend, scope: TenantScope) -> None:
    await say(backend.storage, scope, apart(1, content="…!"), apart(2, content="Le colis"))
    await work(backend, scope, InMemoryEmbedder())
    assert await progress(backend.storage, scope) == Progress(2, 0, 2)
    assert list(await nearness(backend.storage, scope, "colis")) == [2]


async def test_a_message_is_read_along_with_what_it_answers(backend: Backend, scope: TenantScope) -> None:
    asked = apart(1, content="Quand part le colis ?", speaker=Speaker.ASSISTANT)
    answered = apart(2, content="Mardi.", conversation_id=asked.conversation_id)
    await say(backend.storage, scope, asked, answered, apart(3, content="…", conversation_id=asked.conversation_id))
    embedder = InMemoryEmbedder()
    await work(backend, scope, embedder)
    assert sorted(embedder.embedded) == ["Quand part le colis ?", "Quand part le colis ?\nMardi."]
    async with backend.storage.transaction(scope) as uow:
        await uow.messages.delete([asked.id])
    assert await work(backend, scope, embedder) == 1
    assert embedder.embedded[2:] == ["Mardi."]


async def test_what_is_read_along_is_blamed_before_what_is_read(backend: Backend, scope: TenantScope) -> None:
    poison, answer = apart(1, content="poison"), apart(2, content="Mardi.", conversation_id="talk-1")
    unwilling = apart(3, content="rouge", user_id="bob")
    await say(backend.storage, scope, poison, answer, unwilling, apart(4, content="bleu", conversation_id="talk-3"))
    async with backend.storage.transaction(scope) as uow:
        person = await uow.people.get("bob")
        assert person is not None
        await uow.people.save(replace(person, remember=False))
    embedder = Fastidious()
    await work(backend, scope, embedder)
    assert {text for text in embedder.embedded if text != "Bonjour."} == {"Mardi.", "bleu"}
    assert await progress(backend.storage, scope) == Progress(2, 2, 4)
