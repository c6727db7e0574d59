"""An endpoint of embeddings, over real HTTP: whatever it answers, each vector is its own text's, or there is none."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.adapters.doubles.embedder import WORDS, by_words
from app.adapters.embedders.openai import Endpoint, EndpointEmbedder
from app.domain.embedding import cosine
from app.ports.embedders import EmbedderAway, EmbeddingFailed, Tally
from tests.support.clock import MovingClock
from tests.support.embeddings import DIMENSION, UNANSWERED, UNUSABLE, honest_vectors, items
from tests.support.model_server import Answer, ModelServer, failing, model_server, told

TEXTS = ["Livraison offerte dès 60 €", "La boutique ouvre à 10 h", "Elle a un chat"]
KEY = "sk-canaryk3y"


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server(honest_vectors) as made:
        yield made


@pytest.fixture
async def embedder(server: ModelServer, clock: MovingClock) -> AsyncIterator[EndpointEmbedder]:
    made = embedding_by(server, clock)
    yield made
    await made.close()


def embedding_by(server: ModelServer, clock: MovingClock, seconds: float = 0.4, **changes: Any) -> EndpointEmbedder:
    endpoint = Endpoint(**{"base": server.url, "key": KEY, "model": "m", "batch": 8, **changes})
    return EndpointEmbedder(endpoint, WORDS, seconds, now=lambda: clock().timestamp())


async def own(embedder: EndpointEmbedder, texts: list[str]) -> bool:
    """Whether each has its own vector."""
    made = await embedder.passages(texts)
    return all(cosine(vector, by_words(text, DIMENSION)) > 0.999 for text, [vector] in zip(texts, made, strict=True))


async def test_what_comes_out_of_order_goes_to_its_own_text(embedder: EndpointEmbedder, server: ModelServer) -> None:
    assert await own(embedder, TEXTS)
    assert len(server.asked) == 1
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.asked[0].body == {"model": "m", "input": TEXTS, "encoding_format": "float"}


async def test_many_texts_are_sent_in_batches_and_long_ones_in_windows(
    embedder: EndpointEmbedder, server: ModelServer
) -> None:
    texts = [f"Le produit {number} est en stock" for number in range(11)]
    long = " ".join(f"mot{number}" for number in range(100))
    tally = Tally()
    made = await embedder.passages([long, "", *texts, "…"], tally)
    sent = [asked.body["input"] for asked in server.asked]
    assert max(map(len, sent)) == 8
    assert [text for batch in sent for text in batch][-len(texts) :] == texts
    assert [len(vectors) for vectors in made] == [sum(map(len, sent)) - len(texts), 0, *[1] * len(texts), 0]
    assert (tally.calls, tally.vectors, tally.tokens) == (len(sent), sum(map(len, sent)), 7 * sum(map(len, sent)))


async def test_nothing_is_sent_for_texts_without_words(embedder: EndpointEmbedder, server: ModelServer) -> None:
    assert await embedder.passages(["", " \n", "…", "\0"]) == [[], [], [], []]
    assert await embedder.question("?!") is None
    assert await embedder.passages([]) == []
    assert server.asked == []


async def test_questions_and_passages_are_told_apart_where_the_model_wants_it(
    server: ModelServer, clock: MovingClock
) -> None:
    embedder = embedding_by(server, clock, query_prefix="query: ", passage_prefix="passage: ", shortened=True, key="")
    await embedder.passages(["un\0deux\ud800trois"])
    await embedder.question("un")
    assert [asked.body["input"] for asked in server.asked] == [["passage: un deux trois"], ["query: un"]]
    assert {asked.body["dimensions"] for asked in server.asked} == {DIMENSION}
    assert not any("authorization" in asked.headers for asked in server.asked)
    await embedder.close()


@pytest.mark.parametrize("name", UNUSABLE)
async def test_of_an_answer_with_a_fault_nothing_is_used(
    embedder: EndpointEmbedder, server: ModelServer, name: str
) -> None:
    server.misbehave(UNUSABLE[name], 2)
    tally = Tally()
    for _ in range(2):
        with pytest.raises(EmbeddingFailed) as failed:
            await embedder.passages(TEXTS, tally)
        assert (type(failed.value), failed.value.code) == (EmbeddingFailed, "embedder_answer_unusable")
    assert (tally.calls, tally.vectors) == (2, 0)
    assert tally.tokens > 0
    assert embedder.answers
    assert await own(embedder, TEXTS)


@pytest.mark.parametrize("name", sorted(UNUSABLE.keys() - {"no index", "one index twice", "an index that is true"}))
async def test_nor_for_one_question(embedder: EndpointEmbedder, server: ModelServer, name: str) -> None:
    server.misbehave(UNUSABLE[name], 1)
    with pytest.raises(EmbeddingFailed):
        await embedder.question(TEXTS[0])
    assert await embedder.question(TEXTS[0]) == (await embedder.passages(TEXTS[:1]))[0][0]


async def test_one_vector_alone_needs_no_index(embedder: EndpointEmbedder, server: ModelServer) -> None:
    server.answer = UNUSABLE["no index"]
    assert await own(embedder, TEXTS[:1])


@pytest.mark.parametrize("name", UNANSWERED)
async def test_one_that_does_not_answer_twice_is_away_for_a_while(
    embedder: EndpointEmbedder, server: ModelServer, clock: MovingClock, name: str
) -> None:
    server.answer = UNANSWERED[name]
    tally = Tally()
    for _ in range(2):
        with pytest.raises(EmbeddingFailed):
            await embedder.passages(TEXTS, tally)
    assert not embedder.answers
    server.answer = server.usual
    calls = len(server.asked)
    with pytest.raises(EmbedderAway) as away:
        await embedder.question("un", tally)
    assert away.value.retry_after is not None
    assert len(server.asked) == calls == tally.calls
    clock.advance(minutes=1)
    assert not embedder.answers  # that it is asked again is no answer
    assert await own(embedder, TEXTS)
    assert embedder.answers


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (failing("429 Too Many Requests", "retry-after: 7"), "embedder_busy"),
        (failing("500 Internal Server Error"), "embedder_unavailable"),
        (lambda _: None, "embedder_timeout"),
    ],
)
async def test_a_refusal_says_what_is_wrong(
    embedder: EndpointEmbedder, server: ModelServer, answer: Answer, code: str
) -> None:
    server.answer = answer
    with pytest.raises(EmbeddingFailed) as failed:
        await embedder.question("un")
    assert failed.value.code == code
    assert isinstance(failed.value, EmbedderAway) == (failed.value.retry_after == 7)


async def test_a_refused_connection_is_an_outage(server: ModelServer, clock: MovingClock) -> None:
    embedder = embedding_by(server, clock, base="http://127.0.0.1:9/v1")
    for _ in range(2):
        with pytest.raises(EmbeddingFailed):
            await embedder.question("un")
    assert not embedder.answers
    await embedder.close()


async def test_a_fault_of_a_later_batch_leaves_nothing_paired(embedder: EndpointEmbedder, server: ModelServer) -> None:
    answers = iter([honest_vectors, UNUSABLE["one too few"]])
    server.answer = lambda asked: next(answers, honest_vectors)(asked)
    with pytest.raises(EmbeddingFailed):
        await embedder.passages([f"Le produit {number}" for number in range(11)])


async def test_who_gives_up_waiting_leaves_the_outage_to_be_noticed(
    embedder: EndpointEmbedder, server: ModelServer
) -> None:
    server.answer = UNANSWERED["hang"]
    for text in ("un", "deux"):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await embedder.question(text)
    async with asyncio.timeout(20):
        while embedder.answers:
            await asyncio.sleep(0.01)
    with pytest.raises(EmbedderAway):
        await embedder.question("trois")
    assert len(server.asked) == 2


async def test_questions_do_not_wait_behind_batches_of_passages(server: ModelServer, clock: MovingClock) -> None:
    embedder = embedding_by(server, clock, seconds=10, batch=1)
    server.gate.clear()
    batches = [asyncio.create_task(embedder.passages([f"Le produit {number}"])) for number in range(9)]
    question = asyncio.create_task(embedder.question("un"))
    while len(server.asked) < 4:
        await asyncio.sleep(0.01)
    assert ["un"] in [asked.body["input"] for asked in server.asked]
    server.gate.set()
    assert await question is not None
    assert all(await asyncio.gather(*batches))
    assert server.most <= 4
    await embedder.close()


async def test_it_ends_though_a_question_hangs(server: ModelServer, clock: MovingClock) -> None:
    embedder = embedding_by(server, clock, seconds=60)
    server.answer = UNANSWERED["hang"]
    asking = asyncio.create_task(embedder.question("un"))
    while not server.asked:
        await asyncio.sleep(0.01)
    await embedder.close()
    with pytest.raises(asyncio.CancelledError):
        await asking


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": "9"}, {"prompt_tokens": -1}, {"total_tokens": True}])
async def test_tokens_that_are_not_told_are_estimated(
    embedder: EndpointEmbedder, server: ModelServer, usage: object
) -> None:
    server.answer = lambda asked: told({"data": items(asked), "usage": usage})
    tally = Tally()
    await embedder.passages(TEXTS, tally)
    assert 10 < tally.tokens < 60


@pytest.mark.parametrize(("usage", "tokens"), [({"total_tokens": 5}, 5), ({"prompt_tokens": 0, "total_tokens": 9}, 0)])
async def test_tokens_may_be_told_in_all_or_as_none(
    embedder: EndpointEmbedder, server: ModelServer, usage: object, tokens: int
) -> None:
    server.answer = lambda asked: told({"data": items(asked), "usage": usage})
    tally = Tally()
    await embedder.passages(TEXTS, tally)
    assert tally.tokens == tokens
