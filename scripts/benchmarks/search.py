"""Measures the search of a running service: exact, how much it finds, and how quickly.

Where the data folder is absent it says so, and ends well: the conversations are other people's, and no part of the
project.
"""

import os
import statistics
from collections.abc import Callable
from pathlib import Path

import click

from app.cli.client import Service, ServiceError
from scripts.benchmarks.locomo import load
from scripts.benchmarks.questions import Question, ndcg, recall
from scripts.benchmarks.stand import running_service, service_or_own
from scripts.benchmarks.talk import Talk, ask, move_in, say
from scripts.benchmarks.textbook import differs, reference

DATA = Path(os.environ.get("RETENIR_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
CHECKED, MIDDLE = "conv-26", "conv-41"
COLUMNS = {"messages": 10, "turns/s": 9, "questions": 11, "R@10": 8, "nDCG@10": 9, "p50 ms": 8, "p95 ms": 8}
LARGE = 5_000
"""Messages of one organisation with which the search is timed."""


@click.command()
@running_service
def search(url: str | None, platform_key: str | None) -> None:
    """Hold the words' part of each score to a textbook's BM25 on LoCoMo, and time searches: recall, nDCG, milliseconds.

    Ends with 1 where one is not BM25's.
    """
    files = sorted((DATA / "locomo").glob("conv-*.json"))
    if not files:
        click.echo(f"search: nothing measured, there is no {DATA / 'locomo'} (RETENIR_DATA names another data folder)")
        return
    with service_or_own(url, platform_key) as (address, key), Service(address) as service:
        try:
            same = measure(service, key, files)
        except ServiceError as error:
            raise click.ClickException(str(error)) from error
    if not same:
        raise SystemExit(1)


def measure(service: Service, platform_key: str, files: list[Path]) -> bool:
    """Prints the tables; answers whether all that was checked is as BM25 has it."""
    wrong = 0
    found: list[tuple[list[str], Question]] = []
    click.echo(f"{'':10}" + "".join(f"{name:>{width}}" for name, width in COLUMNS.items()))
    for file in files:
        transcript, questions = load(file)
        talk = move_in(service, platform_key, transcript, questions, "search")
        rate = say(service, talk, transcript)
        answers, times = [], []
        for asked in questions:
            hits, took = ask(service, talk, asked)
            answers.append(([place for place, _ in hits], asked))
            times.append(took)
            wrong += file.stem == CHECKED and differs(hits, reference(talk.said, asked.text))
        _line(file.stem, talk, rate, answers, times)
        found += answers
    click.echo(f"{'all':30}{len(found):>10}{_mean(found, recall):>8.3f}{_mean(found, ndcg):>9.3f}")
    click.echo(f"{CHECKED}: {wrong} answers differ from the reference")
    _large(service, platform_key, files)
    return not wrong


def _large(service: Service, platform_key: str, files: list[Path]) -> None:
    """The questions of one conversation, asked of all of them in one organisation, over and over until it is large."""
    transcripts = [load(file)[0] for file in files]
    transcript, questions = load(next(file for file in files if file.stem == MIDDLE or file is files[-1]))
    talk = move_in(service, platform_key, transcript, questions, "large")
    mark, rate = 0, 0.0
    while len(talk.said) < LARGE:
        rate = say(service, talk, transcripts[mark % len(transcripts)], f"{mark}.")
        mark += 1
    times = [ask(service, talk, asked)[1] for asked in questions]
    _line("large", talk, rate, [], times)


def _line(name: str, talk: Talk, rate: float, answers: list[tuple[list[str], Question]], times: list[float]) -> None:
    scores = f"{_mean(answers, recall):>8.3f}{_mean(answers, ndcg):>9.3f}" if answers else f"{'-':>8}{'-':>9}"
    middle, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    click.echo(f"{name:10}{len(talk.said):>10}{rate:>9.0f}{len(times):>11}{scores}{middle:>8.1f}{late:>8.1f}")


def _mean(answers: list[tuple[list[str], Question]], rate: Callable[[list[str], frozenset[str]], float]) -> float:
    return statistics.mean(rate(found, asked.evidence) for found, asked in answers)
