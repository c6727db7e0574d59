"""The model in this process, itself: what it finds near, and what it must not be shown."""

import asyncio
import subprocess
import sys
import threading

import pytest

from app.adapters.embedders import local
from app.adapters.embedders.choice import LOCAL
from app.adapters.embedders.local import LocalEmbedder
from app.domain.embedding import Vector, cosine, windows
from app.ports.embedders import EmbedderAway, EmbeddingFailed, Tally

LIGATURE = "\ufdfa"
"""One character of which the model makes eighteen."""
PROSE = "Nous livrons gratuitement à partir de soixante euros d'achat, partout en France, sous deux jours ouvrés. "


@pytest.fixture(scope="module")
async def embedder() -> LocalEmbedder:
    return LocalEmbedder(LOCAL)


async def one(embedder: LocalEmbedder, text: str) -> Vector:
    [[vector]] = await embedder.passages([text])
    return vector


@pytest.mark.parametrize(
    ("asked", "answer", "others"),
    [
        (
            "Quand le colis arrive-t-il ?",
            "La livraison prend deux jours ouvrés.",
            ["Le magasin ouvre à dix heures.", "Nos bougies sont en cire de soja.", "Elle préfère être tutoyée."],
        ),
        (
            "Is there a vegan option?",
            "Aucun de nos plats ne contient de produit animal.",
            ["Le restaurant ferme le lundi.", "We ship to Belgium.", "Le paiement en trois fois est possible."],
        ),
        (
            "Comment joindre le service client ?",
            "Customers reach support by e-mail.",
            ["The candles are made of soy.", "Nous livrons le samedi.", "The shop is closed on Mondays."],
        ),
    ],
)
async def test_what_answers_is_nearer_than_what_does_not(
    embedder: LocalEmbedder, asked: str, answer: str, others: list[str]
) -> None:
    question = await embedder.question(asked)
    assert question is not None
    near, *far = [cosine(question, vector) for [vector] in await embedder.passages([answer, *others])]
    assert near > max(far)


async def test_the_same_in_the_other_language_is_near_and_something_else_is_not(embedder: LocalEmbedder) -> None:
    french = await one(embedder, "La boutique est fermée le lundi.")
    assert cosine(french, await one(embedder, "The shop is closed on Mondays.")) > LOCAL.related
    assert cosine(french, await one(embedder, "La boutique n'ouvre pas le lundi.")) > LOCAL.related
    assert cosine(french, await one(embedder, "Our candles burn for forty hours.")) < LOCAL.related


async def test_what_stands_behind_a_nul_or_half_a_pair_is_read(embedder: LocalEmbedder) -> None:
    whole = await one(embedder, "La boutique est fermée le lundi.")
    for mark in ("\0", "\udc80", "\ud83d"):
        assert await one(embedder, f"La boutique{mark}est fermée le lundi.") == whole


async def test_it_is_all_one_how_accents_are_composed(embedder: LocalEmbedder) -> None:
    assert await one(embedder, "Livre\u0301 le\u0301ge\u0300rement") == await one(embedder, "Livré légèrement")


def test_the_character_that_overflows_the_model_s_buffer_does_not_end_the_process() -> None:
    """In a process of its own: what it did was to end it."""
    program = (
        "import asyncio\n"
        "from app.adapters.embedders.choice import LOCAL\n"
        "from app.adapters.embedders.local import LocalEmbedder\n"
        f"texts = ['{LIGATURE}' * 40, 'a ' + '{LIGATURE}' * 20]\n"
        "made = asyncio.run(LocalEmbedder(LOCAL).passages(texts))\n"
        f"asyncio.run(LocalEmbedder(LOCAL).question('{LIGATURE}' * 40))\n"
        "print(*map(len, made))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (0, "1 1\n"), ended.stderr


async def test_a_long_text_takes_as_many_calls_as_it_has_windows_and_is_found_by_its_end(
    embedder: LocalEmbedder,
) -> None:
    end = "Le mot de passe du wifi de l'atelier est affiché derrière le comptoir."
    text = PROSE * 25 + end
    tally = Tally()
    [vectors] = await embedder.passages([text], tally)
    assert len(vectors) == tally.vectors <= 2 * len(text) / LOCAL.window + 1
    assert (tally.calls, tally.tokens) == (0, 0)
    question = await embedder.question("Où trouver le code du wifi ?")
    assert question is not None
    assert max(vectors, key=lambda vector: cosine(question, vector)) is vectors[-1]


async def test_of_the_longest_messages_the_beginning_and_the_end_are_read(embedder: LocalEmbedder) -> None:
    tally = Tally()
    [vectors] = await embedder.passages([PROSE * (65_536 // len(PROSE))], tally)
    assert len(vectors) == tally.vectors == local.MOST_WINDOWS


@pytest.mark.parametrize("text", ["我" * 900, "é" * 900, LIGATURE * 60], ids=["dense", "one word", "unfolding"])
async def test_what_has_many_tokens_in_few_characters_is_read_in_more_parts(embedder: LocalEmbedder, text: str) -> None:
    tally = Tally()
    [vectors] = await embedder.passages([text], tally)
    assert 1 < len(vectors) == tally.vectors < 10


async def test_of_a_long_question_the_beginning_is_read(embedder: LocalEmbedder) -> None:
    tally = Tally()
    assert await embedder.question(PROSE * 800, tally) == await embedder.question(PROSE * 8)
    assert tally.vectors == 1


@pytest.mark.parametrize(
    "text",
    [
        PROSE * 20,
        "さようなら、また明日お会いしましょう。" * 80,
        "Größe Übermaß " * 120,
        "https://shop.test/p?id=8f3a " * 60,
    ],
)
async def test_a_window_fits_into_what_the_model_reads_at_once(embedder: LocalEmbedder, text: str) -> None:
    await embedder.question("bonjour")
    assert all(local._model().token_count(cut) <= 512 for cut in windows(text, LOCAL.window))


async def test_one_who_asks_does_not_wait_for_passages(embedder: LocalEmbedder) -> None:
    tally = Tally()
    many = [asyncio.create_task(embedder.passages([PROSE * 9], tally)) for _ in range(8)]
    await asyncio.sleep(0)
    await embedder.question("Question")
    assert tally.vectors < len(many)
    for waiting in many:
        waiting.cancel()
    await asyncio.wait(many)
    assert tally.vectors < len(many)  # who gives up has nothing computed any more


async def test_the_loop_goes_on_while_it_computes(embedder: LocalEmbedder) -> None:
    computing = asyncio.create_task(embedder.passages([PROSE * 9]))
    turns = 0
    while not computing.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert turns > 10
    assert len(await computing) == 1


async def test_it_has_one_thread_for_each_kind_of_text_and_none_of_its_own(embedder: LocalEmbedder) -> None:
    await asyncio.gather(*(embedder.passages([PROSE]) for _ in range(4)), *(embedder.question("a") for _ in range(4)))
    names = [thread.name for thread in threading.enumerate() if thread.name.startswith("embed-")]
    assert names.count("embed-passages_0") == names.count("embed-questions_0")
    assert not any(name.endswith("_1") for name in names)


async def test_once_it_is_closed_it_is_away() -> None:
    closed = LocalEmbedder(LOCAL)
    closed.open()
    await closed.question("bonjour")
    await closed.close()
    with pytest.raises(EmbedderAway):
        await closed.question("bonjour")
    with pytest.raises(EmbedderAway):
        await closed.passages(["bonjour"])


async def test_a_model_that_is_not_the_profile_s_gives_nothing() -> None:
    wrong = LocalEmbedder(type(LOCAL)("x", 385, 1000, 0.8, 0.9))
    with pytest.raises(EmbeddingFailed):
        await wrong.passages(["bonjour"])
    assert wrong.answers
    await wrong.close()
