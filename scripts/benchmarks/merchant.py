"""Measures a running service with the merchant gold cases of the data folder, by the folder's own scorer.

Where the folder is absent it says so, and ends well: the cases are other people's, and no part of the project.
"""

import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from app.cli.client import Service, ServiceError
from scripts.benchmarks.gold import Bench
from scripts.benchmarks.stand import running_service, service_or_own

Case = dict[str, Any]

DATA = Path(os.environ.get("RETENIR_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
NEVER_KEPT = ("secret", "assistant_only", "noremember_end", "injection")  # tags of what must not become a fact
MEASURES = {
    "recall": "remember_recall",
    "precision": "fact_precision",
    "quiet": "quiet_kept",
    "leak": "forbidden_leak",
    "skipped": "skipped_accuracy",
    "corr. P": "correction_precision",
    "corr. R": "correction_recall",
    "watch": "watch",
    "date": "date",
}


@click.command()
@click.argument("part", type=click.Choice(["turns", "stories", "all"]), default="all")
@running_service
@click.option("--show", is_flag=True, help="Name each case that failed, and why.")
def merchant(part: str, url: str | None, platform_key: str | None, show: bool) -> None:
    """Measure how much of the merchant gold cases is remembered, and what should not have been."""
    folder = DATA / "merchant"
    if not (folder / "tools" / "score.py").exists():
        click.echo(f"merchant: nothing measured, there is no {folder} (RETENIR_DATA names another data folder)")
        return
    sys.path.insert(0, str(folder / "tools"))
    scorer = importlib.import_module("score")
    with service_or_own(url, platform_key) as (address, platform), Service(address) as service:
        bench = Bench(service, platform)
        try:
            if part != "stories":
                turns(bench, scorer, _rows(folder / "turns.jsonl"), show)
            if part != "turns":
                stories(bench, scorer, _rows(folder / "stories.jsonl"), show)
        except ServiceError as error:
            raise click.ClickException(str(error)) from error
    for route, times in bench.tally.unsupported.items():
        click.echo(f"the service has no {route}: wanted {times} times")
    for failure in bench.tally.failures:
        click.echo(f"failed: {failure}")


def _rows(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def turns(bench: Bench, scorer: Any, cases: list[Case], show: bool) -> None:
    """Prints the scores of turns.jsonl: of all, by difficulty, by language, and by both."""
    with click.progressbar(cases, label="Turns", show_pos=True) as bar:
        answers = {case["id"]: bench.turn(case) for case in bar}
    click.echo(f"{'':12}" + "".join(f"{name:>10}" for name in ("turns", "facts", *MEASURES)))
    for group, chosen in _groups(cases).items():
        score = scorer.score_turns(chosen, answers)
        counts = (len(chosen), sum(len(answers[case["id"]]["facts"]) for case in chosen))
        numbers = (score[name] for name in MEASURES.values())
        click.echo(f"{group:12}" + "".join(f"{'-' if n is None else n:>10}" for n in (*counts, *numbers)))
    for tag in NEVER_KEPT:
        chosen = [case for case in cases if tag in case["tags"]]
        kept = sum(any(_forbidden(scorer, case, answers[case["id"]])) for case in chosen)
        click.echo(f"{tag}: a forbidden word kept in {kept} of {len(chosen)} turns")
    for line in turn_failures(scorer, cases, answers) if show else ():
        click.echo(f"  {line}")


def _groups(cases: list[Case]) -> dict[str, list[Case]]:
    groups = {"all": cases}
    for difficulty in ("plain", "medium", "hard"):
        groups[difficulty] = [case for case in cases if case["expect"]["difficulty"] == difficulty]
    for lang in ("fr", "en"):
        groups[lang] = [case for case in cases if case["lang"] == lang]
    for lang in ("fr", "en"):
        for difficulty in ("plain", "medium", "hard"):
            groups[f"{lang} {difficulty}"] = [case for case in groups[difficulty] if case["lang"] == lang]
    return {name: chosen for name, chosen in groups.items() if chosen}


def _forbidden(scorer: Any, case: Case, answer: Case) -> Iterator[str]:
    """The facts that hold what the case says must not be kept; in a quiet or skipped turn, every fact."""
    wanted = case["expect"]
    quiet = not wanted["remember"] and not wanted["watch"]
    for text in map(scorer.text_of, answer["facts"]):
        if quiet or scorer.any_hit(wanted["not_remember"], text):
            yield text


def turn_failures(scorer: Any, cases: list[Case], answers: dict[str, Case]) -> Iterator[str]:
    """One line for each thing that a case wanted and did not get, or got and did not want."""
    for case in cases:
        wanted, answer = case["expect"], answers[case["id"]]
        name = f"{case['id']} ({wanted['difficulty']})"
        text = " | ".join(f"{scorer.text_of(fact)} | {fact.get('valid_from') or ''}" for fact in answer["facts"])
        entries = [("remember", entry) for entry in wanted["remember"]]
        entries += [(what, wanted[what]) for what in ("watch", "date") if wanted[what]]
        for what, entry in entries:
            if not scorer.any_hit(entry["any_of"], text):
                yield f"{name}: {what} misses {entry['any_of'][0]!r}"
        for kept in _forbidden(scorer, case, answer):
            yield f"{name}: should not keep {kept!r}"
        for flag in ("correction", "skipped"):
            if wanted[flag] != answer[flag]:
                yield f"{name}: {flag} is {answer[flag]}"


def stories(bench: Bench, scorer: Any, documents: list[Case], show: bool) -> None:
    """Prints what share of the checks, of their entries and of the stories is right, and every breach of isolation."""
    n: Counter[str] = Counter()
    lines: list[str] = []
    checks = [(story, number) for story in documents for number in range(len(story["checks"]))]
    whole = {story["id"] for story in documents}
    with click.progressbar(checks, label="Checks", show_pos=True) as bar:
        for story, number in bar:
            check, answer = story["checks"][number], bench.check(story, number)
            failed = scorer.score_check(check, answer)
            kinds = Counter(kind for kind, _ in failed)
            apart = [needle for needle in check["must_not"] if _hidden(scorer, story, check, needle)]
            breaches = [needle for kind, needle in failed if kind == "must_not" and needle in apart]
            n.update(must=len(check["must"]), must_hit=len(check["must"]) - kinds["must"])
            n.update(out=len(check["must_not"]), out_kept=len(check["must_not"]) - kinds["must_not"])
            n.update(apart=len(apart), apart_kept=len(apart) - len(breaches))
            failed += [("unsupported", route) for route in answer["missing"]]
            n.update(passed=not failed)
            if failed:
                whole.discard(story["id"])
            lines += [f"{story['id']} check {number}: {kind} {what}" for kind, what in failed]
    click.echo(f"checks passed {n['passed']}/{len(checks)}, stories passed whole {len(whole)}/{len(documents)}")
    click.echo(f"must {n['must_hit']}/{n['must']}, must_not kept out {n['out_kept']}/{n['out']}")
    click.echo(f"isolation kept {n['apart_kept']}/{n['apart']}")
    for line in lines if show else ():
        click.echo(f"  {line}")


def _hidden(scorer: Any, story: Case, check: Case, needle: str) -> bool:
    """Whether only turns out of the asker's reach hold the needle: of others, of other pockets, erased or skipped."""
    asker, holders = check["as"], []
    for index, session in enumerate(story["sessions"]):
        foreign = any(session[name] != asker[name] for name in ("org_id", "user_id"))
        foreign = foreign or session["agent_id"] not in (asker["agent_id"], "atlas")
        for number, turn in enumerate(session["turns"]):
            erased = any(
                a["do"] == "erase_message" and (a["session"], a["turn"]) == (index, number) for a in story["actions"]
            )
            if scorer.hit(needle, turn["user"]):
                holders.append(foreign or erased or turn["skipped"])
    return bool(holders) and all(holders)
