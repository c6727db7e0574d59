"""What every embedder promises: the double, the model in this process, and one behind an endpoint."""

import math
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.adapters.doubles.embedder import WORDS, InMemoryEmbedder
from app.adapters.embedders.choice import LOCAL
from app.adapters.embedders.local import LocalEmbedder
from app.adapters.embedders.openai import Endpoint, EndpointEmbedder
from app.adapters.embedders.recent import RecentQuestions
from app.domain.embedding import cosine
from app.ports.embedders import Embedder, Tally
from tests.support.embeddings import honest_vectors
from tests.support.model_server import model_server

MONDAYS = "La boutique est fermée le lundi."
CANDLES = "Nos bougies parfumées brûlent pendant quarante heures."


@pytest.fixture(params=["double", "local", "endpoint", "local, recent"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    if request.param == "double":
        yield InMemoryEmbedder()
    elif request.param == "endpoint":
        async with model_server(honest_vectors) as server:
            made = EndpointEmbedder(Endpoint(server.url, "", "m", batch=2), WORDS)
            yield made
            await made.close()
    else:
        local = LocalEmbedder(replace(LOCAL, window=200))
        yield local if request.param == "local" else RecentQuestions(local)
        await local.close()


async def test_each_text_has_its_vectors_in_its_place(embedder: Embedder) -> None:
    texts = [MONDAYS, "", CANDLES, " \n\t", MONDAYS, "…!"]
    made = await embedder.passages(texts)
    assert [len(vectors) for vectors in made] == [1, 0, 1, 0, 1, 0]
    assert made[0] == made[4] == (await embedder.passages([MONDAYS]))[0]
    assert made[0] != made[2]
    assert await embedder.passages([]) == []


async def test_vectors_are_of_the_profile_s_dimension_and_of_length_1(embedder: Embedder) -> None:
    [[passage]] = await embedder.passages([MONDAYS])
    question = await embedder.question("Quand est-ce fermé ?")
    assert question is not None
    for vector in (passage, question):
        assert len(vector) == embedder.profile.dimension
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)


async def test_a_question_is_nearest_to_what_speaks_of_the_same(embedder: Embedder) -> None:
    [[mondays], [candles]] = await embedder.passages([MONDAYS, CANDLES])
    question = await embedder.question("Est-ce que la boutique est fermée le lundi ?")
    assert question is not None
    assert cosine(question, mondays) > cosine(question, candles)
    assert await embedder.question("Est-ce que la boutique est fermée le lundi ?") == question


@pytest.mark.parametrize("text", ["", " ", "\n", "?!…", "\0", "\ud800", "🕯️"])
async def test_a_question_without_words_has_no_vector(embedder: Embedder, text: str) -> None:
    assert await embedder.question(text) is None
    assert await embedder.passages([text]) == [[]]


async def test_of_a_long_text_each_window_is_embedded(embedder: Embedder) -> None:
    tally = Tally()
    [vectors] = await embedder.passages([f"{MONDAYS} " * 12 + CANDLES], tally)
    [[candles]] = await embedder.passages([CANDLES])
    assert 2 <= len(vectors) == tally.vectors <= 2 * 450 / embedder.profile.window + 1
    assert cosine(candles, vectors[-1]) > cosine(candles, vectors[0])


@pytest.mark.parametrize(
    "text", ["a\0b", "a\ud800b", "\ufdfa" * 30, "e\u0301" * 30, "x" * 500, "a\u200db", "١٢٣"], ids=range(7)
)
async def test_odd_characters_are_embedded_like_any(embedder: Embedder, text: str) -> None:
    [vectors] = await embedder.passages([text])
    question = await embedder.question(text)
    assert vectors
    assert question is not None


def test_thresholds_are_in_order() -> None:
    for profile in (WORDS, LOCAL):
        assert 0 < profile.related <= profile.duplicate < 1
