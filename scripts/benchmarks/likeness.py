"""Pairs of texts by how near they are in meaning, out of the data folder; who said so is people, not a model."""

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path

Pair = tuple[str, str]
Pairs = dict[str, list[Pair]]

DATA = Path(os.environ.get("RETENIR_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
SAME, ABOUT, APART = "same", "about", "apart"


def labelled() -> dict[str, Pairs]:
    """`same`: of one meaning. `about`: about the same, in another sense too. `apart`: of nothing in common.

    Each is by set. `apart` are texts of one set that do not belong together; those that people called unlike too.
    """
    similar = {lang: list(_similar(lang)) for lang in ("fr", "en")}
    merchant = list(_merchant())
    translated = list(zip(_lines("tatoeba/tatoeba-half.fra"), _lines("tatoeba/tatoeba-half.eng"), strict=True))
    claims = list(_claims())
    same: Pairs = {f"STS-B {lang}, 5 of 5": [pair for score, pair in similar[lang] if score == 5] for lang in similar}
    same["translations fr-en"] = translated
    same["merchant, duplicate"] = [pair for label, pair in merchant if label == "duplicate"]
    about: Pairs = {
        f"STS-B {lang}, 3 to 4": [pair for score, pair in similar[lang] if 3 <= score < 4] for lang in similar
    }
    about["DACCORD fr, compatible"] = [pair for contradicts, pair in claims if not contradicts]
    about["DACCORD fr, contradiction"] = [pair for contradicts, pair in claims if contradicts]
    for label in ("contradiction", "update", "different"):
        about[f"merchant, {label}"] = [pair for told, pair in merchant if told == label]
    apart: Pairs = {f"STS-B {lang}, below 1": [pair for score, pair in similar[lang] if score < 1] for lang in similar}
    apart["other translations"] = _crossed(translated)
    apart["other DACCORD claims"] = _crossed([pair for _, pair in claims])
    apart["other merchant facts"] = _crossed([pair for _, pair in merchant])
    return {SAME: same, ABOUT: about, APART: apart}


def _crossed(pairs: list[Pair]) -> list[Pair]:
    """Each first text with the second of another pair, a third of the set away."""
    away = len(pairs) // 3
    return [(one, pairs[(place + away) % len(pairs)][1]) for place, (one, _) in enumerate(pairs)]


def _similar(lang: str) -> Iterator[tuple[float, Pair]]:
    with (DATA / "stsb" / f"stsb-{lang}-dev.csv").open(encoding="utf-8", newline="") as file:
        for one, other, score in csv.reader(file):
            yield float(score), (one, other)


def _claims() -> Iterator[tuple[bool, Pair]]:
    with (DATA / "daccord" / "daccord-half.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield row["label"] == "1", (row["premise"], row["hypothesis"])


def _merchant() -> Iterator[tuple[str, Pair]]:
    for line in _lines("merchant/pairs.jsonl"):
        pair = json.loads(line)
        yield pair["label"], (pair["a"], pair["b"])


def _lines(name: str) -> list[str]:
    return (DATA / name).read_text(encoding="utf-8").splitlines()
