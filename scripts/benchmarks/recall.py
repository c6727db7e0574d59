"""Measures what a running service finds: three sets of conversations, one configuration, floors and goals."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import click

from app.cli.client import Service, ServiceError
from app.cli.transcripts.model import Transcript
from scripts.benchmarks import beam, french, locomo
from scripts.benchmarks.questions import TOP, Question, both_sides, interval, ndcg, newer_first, recall
from scripts.benchmarks.search import DATA
from scripts.benchmarks.stand import running_service, service_or_own
from scripts.benchmarks.talk import Talk, ask, move_in, say, wait_until_embedded
from scripts.benchmarks.textbook import reference
from scripts.benchmarks.vectors import by_vectors

WIDE = 22
COLUMNS = ("n", "nDCG@10", "95 %", "R@10", "95 %", "goals", "BM25", "vectors")


@dataclass(frozen=True)
class Set:
    """Conversations of one kind, and what is to be reached on them: nDCG@10 and R@10; None: nothing was promised."""

    name: str
    paths: Sequence[Path]
    load: Callable[[Path], tuple[Transcript, list[Question]]]
    goals: tuple[float, float] | None = None


@dataclass
class Figures:
    """What was found for each question of a set, and what BM25 and vectors alone would have found."""

    found: list[tuple[Question, list[str]]] = field(default_factory=list)
    words_alone: list[tuple[Question, list[str]]] = field(default_factory=list)
    vectors_alone: list[tuple[Question, list[str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def rate(self, one: Callable[[Sequence[str], Question], float], among: Sequence[tuple[Question, list[str]]]) -> str:
        """The mean over the questions, blank where there are none."""
        return f"{mean(one(found, asked) for asked, found in among):.3f}" if among else "-"


def sets() -> list[Set]:
    """Those that are there."""
    all_of_them = (
        Set("LoCoMo", sorted((DATA / "locomo").glob("conv-*.json")), locomo.load, (0.70, 0.83)),
        Set("BEAM 100K", sorted((DATA / "beam-100k").glob("[0-9]*")), beam.load, (0.57, 0.66)),
        Set("French, ours", french.files(), french.load),
    )
    return [each for each in all_of_them if each.paths]


@click.command("recall")
@click.option("--only", help="The set whose name begins so.")
@click.option("--vectors", is_flag=True, help="Embed everything here as well, for what vectors alone find.")
@running_service
def recall_command(url: str | None, platform_key: str | None, only: str | None, vectors: bool) -> None:
    """Ask every question of LoCoMo, BEAM and the French set over HTTP; print nDCG@10 and R@10 with intervals.

    Beside them stand the goals and what a textbook's BM25 finds. Of BEAM and the French set also: how often what holds
    now stands above what it took the place of, and how often both sides of a contradiction are among the first ten.
    """
    there = [each for each in sets() if only is None or each.name.lower().startswith(only.lower())]
    if len(there) < 3 and only is None:
        click.echo(f"recall: other people's sets are not measured, there is no {DATA} (RETENIR_DATA names another)")
    with service_or_own(url, platform_key) as (address, key), Service(address, timeout=120) as service:
        try:
            _print([(each, figures(service, key, each, vectors)) for each in there])
        except ServiceError as error:
            raise click.ClickException(str(error)) from error


def figures(service: Service, platform_key: str, each: Set, vectors: bool) -> Figures:
    """Every conversation is said in an organisation of its own, embedded, and asked about."""
    got = Figures()
    for path in each.paths:
        transcript, questions = each.load(path)
        talk = move_in(service, platform_key, transcript, questions, "recall")
        say(service, talk, transcript)
        took = wait_until_embedded(service, talk)
        for asked in questions:
            hits, milliseconds = ask(service, talk, asked)
            got.found.append((asked, [place for place, _ in hits]))
            got.words_alone.append((asked, _by_words(talk, asked)))
            got.times.append(milliseconds)
        if vectors:
            got.vectors_alone += asyncio.run(by_vectors(talk, questions))
        here = got.found[-len(questions) :]
        told = f"nDCG {got.rate(_ndcg, here)} R {got.rate(_recall, here)}"
        click.echo(f"  {each.name} {path.stem}: {len(talk.said)} messages, embedded in {took:.0f} s; {told}", err=True)
    return got


def _by_words(talk: Talk, asked: Question) -> list[str]:
    scores = reference(talk.said, asked.text)
    return sorted(scores, key=lambda place: (-scores[place], place))[:TOP]


def _ndcg(found: Sequence[str], asked: Question) -> float:
    return ndcg(found, asked.evidence)


def _recall(found: Sequence[str], asked: Question) -> float:
    return recall(found, asked.evidence)


def _print(measured: Sequence[tuple[Set, Figures]]) -> None:
    click.echo(f"{'':{WIDE}}" + "".join(f"{name:>14}" for name in COLUMNS))
    for each, got in measured:
        values = [[one(found, asked) for asked, found in got.found] for one in (_ndcg, _recall)]
        bounds = [f"{low:.3f}-{high:.3f}" for low, high in map(interval, values)]
        goals = "{:.2f}/{:.2f}".format(*each.goals) if each.goals else "-"
        floors = [f"{got.rate(_ndcg, some)}/{got.rate(_recall, some)}" for some in (got.words_alone, got.vectors_alone)]
        means = [f"{mean(some):.3f}" for some in values]
        told = (len(got.found), means[0], bounds[0], means[1], bounds[1], goals, *floors)
        click.echo(f"{each.name:{WIDE}}" + "".join(f"{one:>14}" for one in told))
        for line in _by_category(got):
            click.echo(line)


def _by_category(got: Figures) -> Iterator[str]:
    for category in sorted({asked.category for asked, _ in got.found}):
        some = [(asked, found) for asked, found in got.found if asked.category == category]
        told = (len(some), got.rate(_ndcg, some), "", got.rate(_recall, some))
        yield f"  {category:{WIDE - 2}}" + "".join(f"{one:>14}" for one in told)
    updates = [(asked, found) for asked, found in got.found if asked.newer and asked.older]
    opposed = [(asked, found) for asked, found in got.found if asked.sides]
    if updates:
        yield f"  newer above older: {got.rate(newer_first, updates)} of {len(updates)}"
    if opposed:
        yield f"  both sides in the first ten: {got.rate(both_sides, opposed)} of {len(opposed)}"
