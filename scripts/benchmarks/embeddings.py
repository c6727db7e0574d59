"""Measures an embedder alone: what its cosines say of texts that people put together or apart, and how quick it is.

Where the data folder is absent it says so, and goes on with the rest: the texts are other people's, no part of the
project.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence

import click

from app.adapters.embedders import UnfitEmbedderError, embedder_of
from app.cli.boot import read_settings
from app.domain.embedding import Vector, cosine
from app.ports.embedders import Embedder
from scripts.benchmarks.figures import heading, line, percentiles
from scripts.benchmarks.likeness import ABOUT, APART, DATA, SAME, Pairs, labelled

QUESTION = "Quels sont les délais de livraison pour la France ?"
FACT = "La livraison est offerte dès soixante euros d'achat en France. "
AT_ONCE = 32
STEP = 0.0025

Cosines = dict[str, list[float]]


@click.command()
@click.option("--questions", default=300, help="How many questions are timed.")
def embeddings(questions: int) -> None:
    """Measure the embedder that the settings name: its cosines by meaning, the thresholds they give, its speed."""
    try:
        embedder = embedder_of(read_settings())
    except UnfitEmbedderError as error:
        raise click.ClickException(str(error)) from None
    if embedder is None:
        raise click.ClickException("the settings name no embedder")

    async def measured() -> None:
        try:
            await speed(embedder, questions)
            if (DATA / "stsb").exists():
                thresholds(await cosines(embedder, labelled()))
            else:
                click.echo(f"thresholds: nothing measured, there is no {DATA} (RETENIR_DATA names another data folder)")
        finally:
            await embedder.close()

    click.echo(f"{embedder.profile}\n")
    asyncio.run(measured())


async def speed(embedder: Embedder, questions: int) -> None:
    """Prints milliseconds of a question alone and while passages are embedded, and of passages."""
    begun = time.perf_counter()
    await embedder.question("bonjour")
    click.echo(f"the first question, with what it loads: {(time.perf_counter() - begun) * 1000:.0f} ms\n")
    heading("p50 ms", "p95 ms", "p99 ms")
    # No question comes twice, or it would be remembered.
    line("a question alone", *percentiles([await _timed(embedder, f"{QUESTION} {n}") for n in range(questions)]))
    batch = asyncio.create_task(_endless(embedder))
    line(
        "while passages are embedded",
        *percentiles([await _timed(embedder, f"{n} {QUESTION}") for n in range(questions)]),
    )
    batch.cancel()
    await asyncio.wait({batch})
    for times in (1, 5, 15):
        begun = time.perf_counter()
        await embedder.passages([f"{number} {FACT * times}" for number in range(10)])
        line(f"a passage of {len(FACT * times)} characters", (time.perf_counter() - begun) * 100)
    click.echo()


async def _timed(embedder: Embedder, text: str) -> float:
    begun = time.perf_counter()
    await embedder.question(text)
    return (time.perf_counter() - begun) * 1000


async def _endless(embedder: Embedder) -> None:
    while True:
        await embedder.passages([FACT * 15] * 8)


async def cosines(embedder: Embedder, pairs: dict[str, Pairs]) -> dict[str, Cosines]:
    """Of each pair of passages, as far as one window of each is concerned."""
    texts = sorted({text for sets in pairs.values() for some in sets.values() for pair in some for text in pair})
    vectors: dict[str, Vector] = {}
    with click.progressbar(range(0, len(texts), AT_ONCE), label="Embedding") as bar:
        for start in bar:
            some = texts[start : start + AT_ONCE]
            for text, found in zip(some, await embedder.passages(some), strict=True):
                vectors[text] = found[0]
    return {
        kind: {name: [cosine(vectors[one], vectors[other]) for one, other in some] for name, some in sets.items()}
        for kind, sets in pairs.items()
    }


def thresholds(found: dict[str, Cosines]) -> None:
    """Prints where the cosines of each set lie, and what thresholds part them best.

    `related` parts what is the same or about the same from what is apart, `duplicate` the same from the rest: where
    the mean of both shares that are right is largest, each set counting alike, whatever its size.
    """
    heading("pairs", "p5", "p25", "p50", "p75", "p95", "p99")
    for kind, sets in found.items():
        for name, values in sets.items():
            line(f"{kind}: {name}"[:34], len(values), *(f"{at:.3f}" for at in _quantiles(values)))
    same, about, apart = (list(found[kind].values()) for kind in (SAME, ABOUT, APART))
    click.echo()
    heading("threshold", "kept", "kept out")
    for name, near, far in (("related", same + about, apart), ("duplicate", same, about + apart)):
        best = max(_steps(), key=_balance(near, far))
        line(name, f"{best:.4f}", _share(near, best), 1 - _share(far, best))
    for at in [step / 100 for step in range(70, 100)]:
        line(f"at {at:.2f}: same, about, apart", *(f"{_share(sets, at):.3f}" for sets in (same, about, apart)))


def _steps() -> list[float]:
    return [STEP * step for step in range(round(1 / STEP))]


def _balance(near: Sequence[list[float]], far: Sequence[list[float]]) -> Callable[[float], float]:
    return lambda at: _share(near, at) - _share(far, at)


def _share(sets: Sequence[list[float]], at: float) -> float:
    """Of the pairs of each set, the share that reaches `at`; the mean of the sets."""
    return math.fsum(sum(value >= at for value in some) / len(some) for some in sets) / len(sets)


def _quantiles(values: list[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)]
