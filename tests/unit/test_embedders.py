"""Which embedder is taken, what it may not be, and what is remembered of questions."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.adapters.embedders import UnfitEmbedderError, embedder_of
from app.adapters.embedders.choice import KNOWN, LOCAL
from app.adapters.embedders.recent import RecentQuestions
from app.domain.embedding import EmbedderProfile
from app.ports.embedders import EmbedderAway, Tally
from app.settings import Settings

KEY = "sk-canary-canary"
ENDPOINT = {"embedder": "openai", "embedder_model": "text-embedding-3-small", "embedder_key": KEY}
OTHER = {**ENDPOINT, "embedder_model": "a-model", "embedder_dimension": 512}


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RETENIR_{name.upper()}", raising=False)


def chosen(**values: Any) -> EmbedderProfile | None:
    embedder = embedder_of(Settings.model_validate(values))
    return embedder.profile if embedder is not None else None


def test_the_model_of_the_extra_is_taken_where_it_is_there() -> None:
    assert chosen() == chosen(embedder="local") == LOCAL
    assert chosen(embedder="none") is None


@pytest.mark.parametrize(
    ("named", "model", "dimension"),
    [
        ("text-embedding-3-small", "text-embedding-3-small", 1536),
        ("openai/text-embedding-3-large", "text-embedding-3-large", 3072),
        ("intfloat/multilingual-e5-small", "multilingual-e5-small", 384),
        ("BAAI/bge-m3", "bge-m3", 1024),
        ("nomic-embed-text:latest", "nomic-embed-text", 768),
    ],
)
def test_known_models_are_known_by_the_names_that_servers_give_them(named: str, model: str, dimension: int) -> None:
    profile = chosen(**{**ENDPOINT, "embedder_model": named})
    assert profile is not None
    assert (profile.name, profile.dimension) == (f"{named}@{dimension}", dimension)
    known = KNOWN[model]
    assert (profile.window, profile.related, profile.duplicate) == (known.window, known.related, known.duplicate)


def test_the_numbers_of_text_embedding_3_small_are_its_own() -> None:
    profile = chosen(**ENDPOINT)
    assert profile is not None
    assert (profile.dimension, profile.related, profile.duplicate) == (1536, 0.70, 0.92)


def test_vectors_made_otherwise_have_another_name() -> None:
    ways: list[dict[str, Any]] = [
        {},
        {"embedder_dimension": 512},
        {"embedder_passage_prefix": "passage: "},
        {"embedder_passage_prefix": "text: "},
        {"embedder_model": "text-embedding-3-large", "embedder_dimension": 512},
    ]
    names = {profile.name for way in ways if (profile := chosen(**{**ENDPOINT, **way})) is not None}
    assert len(names) == len(ways)


def test_the_operator_s_thresholds_stand() -> None:
    for settings in ({}, OTHER):
        profile = chosen(**settings, embedder_related=0.5, embedder_duplicate=0.95)
        assert profile is not None
        assert (profile.related, profile.duplicate) == (0.5, 0.95)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({**OTHER, "embedder_dimension": None}, "RETENIR_EMBEDDER_DIMENSION is missing"),
        ({**ENDPOINT, "embedder_dimension": 3072}, "cannot be 3072: this model has 1536"),
        ({**ENDPOINT, "embedder_model": "bge-m3", "embedder_dimension": 512}, "cannot be 512: this model has 1024"),
        ({"embedder_related": 0.99}, "RETENIR_EMBEDDER_RELATED (0.99) is above"),
        ({**ENDPOINT, "embedder_duplicate": 0.5}, "is above RETENIR_EMBEDDER_DUPLICATE (0.5)"),
    ],
)
def test_what_contradicts_the_model_is_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnfitEmbedderError) as refused:
        chosen(**values)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"embedder": "cohere"}, "embedder"),
        ({"embedder_model": None}, "needs RETENIR_EMBEDDER_MODEL"),
        ({"embedder_key": None}, "needs RETENIR_EMBEDDER_KEY"),
        ({"embedder": "local"}, "RETENIR_EMBEDDER_MODEL is for RETENIR_EMBEDDER=openai alone"),
        ({"embedder": None}, "RETENIR_EMBEDDER_MODEL is for RETENIR_EMBEDDER=openai alone"),
        ({"embedder": "none", "embedder_model": None}, "RETENIR_EMBEDDER_KEY is for RETENIR_EMBEDDER=openai alone"),
        ({"embedder_model": "a model"}, "embedder_model"),
        ({"embedder_key": "sk with a blank"}, "cannot be sent as a header"),
        ({"embedder_url": "https://user:pass@h/v1"}, "must be http:// or https://"),
        ({"embedder_dimension": 0}, "embedder_dimension"),
        ({"embedder_batch_size": 0}, "embedder_batch_size"),
        ({"embedder_timeout_seconds": 0}, "embedder_timeout_seconds"),
        ({"embedder_related": 1.0}, "embedder_related"),
        ({"embedder_duplicate": 0}, "embedder_duplicate"),
    ],
)
def test_settings_that_contradict_each_other_refuse_the_start(changes: dict[str, Any], reason: str) -> None:
    Settings.model_validate(ENDPOINT)
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({**ENDPOINT, **changes})
    assert reason in str(refused.value)
    assert not any(word in str(refused.value) for word in (KEY, "sk with", "user:pass"))


class Owned(InMemoryEmbedder):
    """One that is begun and ended."""

    opened = closed = 0

    def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1


async def test_a_question_that_comes_again_is_not_embedded_again() -> None:
    embedder = Owned()
    recent = RecentQuestions(embedder)
    tally = Tally()
    first = await recent.question("Quels sont vos délais ?", tally)
    assert first is not None
    assert await recent.question("Quels sont vos délais ?", tally) == first
    assert await recent.question("Quels sont vos délais ?\n") == first
    assert (tally.vectors, len(embedder.embedded)) == (1, 2)
    assert await recent.question("?") is None


async def test_no_word_of_a_question_lies_in_what_is_remembered() -> None:
    recent = RecentQuestions(Owned())
    await recent.question("Zyxomme")
    assert "zyxomme" not in repr(vars(recent)).lower()
    other = RecentQuestions(Owned())
    await other.question("Zyxomme")
    assert not recent._kept.keys() & other._kept.keys()


async def test_the_oldest_question_is_forgotten_first() -> None:
    embedder = Owned()
    recent = RecentQuestions(embedder, most=2)
    for text in ("un", "deux", "un", "trois", "un", "deux"):
        await recent.question(text)
    assert embedder.embedded == ["un", "deux", "trois", "deux"]


async def test_what_is_remembered_outlives_an_outage_and_failures_are_not_remembered() -> None:
    embedder = Owned()
    recent = RecentQuestions(embedder)
    known = await recent.question("un")
    embedder.fault = EmbedderAway("embedder_unavailable", "not now")
    assert not recent.answers
    assert await recent.question("un") == known
    with pytest.raises(EmbedderAway):
        await recent.question("deux")
    embedder.fault = None
    assert await recent.question("deux") is not None


async def test_it_is_begun_and_ended_with_its_embedder() -> None:
    embedder = Owned()
    recent = RecentQuestions(embedder)
    recent.open()
    await recent.question("un")
    await recent.close()
    assert (embedder.opened, embedder.closed, len(recent._kept)) == (1, 1, 0)
    assert await recent.passages(["un deux"]) == await embedder.passages(["un deux"])
    assert recent.profile is embedder.profile
