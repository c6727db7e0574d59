"""Our own French recall set (`recall_fr/`): merchants' conversations, and which messages answer each question."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.cli.transcripts.model import Message, Person, Session, Store, Transcript, Turn, UnknownShapeError
from scripts.benchmarks.questions import Question

FOLDER = Path(__file__).with_name("recall_fr")
ORG = "shop"
STORE = "shop1"
ASSISTANT = "assistant"
CATEGORIES = ("simple", "multi", "temps", "qui", "mise_a_jour", "contradiction", "paraphrase", "court")


def files() -> list[Path]:
    """The conversations, in the order of their names."""
    return sorted(FOLDER.glob("*.json"))


def load(path: Path) -> tuple[Transcript, list[Question]]:
    """A conversation and its questions. Evidence is of anybody's messages, the assistant's too.

    Raises UnknownShapeError where an assistant speaks first or twice, KeyError where a field is missing.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    transcript = Transcript(
        name=document["name"],
        language=document["language"],
        stores=(Store(STORE, ORG, document["store"]),),
        people=tuple(Person(person["id"], ORG, person["role"], person["name"]) for person in document["people"]),
        sessions=tuple(
            Session(session["id"], session["channel"], ORG, STORE, "atlas", tuple(_turns(session["messages"])))
            for session in document["sessions"]
        ),
        share_messages="store",
    )
    return transcript, [_asked(question) for question in document["questions"]]


def _turns(messages: Sequence[Mapping[str, str]]) -> Iterator[Turn]:
    """A turn for each message of a person; an assistant's is the answer to the one before it."""
    if messages[0]["from"] == ASSISTANT:
        raise UnknownShapeError(f"{messages[0]['id']}: an assistant opens the session")
    for said, follower in zip(messages, [*messages[1:], None], strict=True):
        answer = follower if follower and follower["from"] == ASSISTANT else None
        if said["from"] != ASSISTANT:
            yield Turn(said["from"], _message(said), _message(answer) if answer else None)
        elif answer:
            raise UnknownShapeError(f"{answer['id']}: an assistant speaks twice")


def _message(document: Mapping[str, str]) -> Message:
    return Message(document["id"], document["text"], datetime.fromisoformat(document["at"]))


def _asked(document: Mapping[str, Any]) -> Question:
    return Question(
        text=document["text"],
        evidence=frozenset(document["evidence"]),
        id=document["id"],
        category=document["category"],
        newer=frozenset(document.get("newer", ())),
        older=frozenset(document.get("older", ())),
        sides=tuple(map(frozenset, document.get("sides", ()))),
    )


@dataclass(frozen=True)
class Agreement:
    """How alike the two labels are: questions labelled the same, the mean Jaccard index of all, Cohen's kappa over
    the pairs of a question and a message of its conversation.
    """

    same: int
    jaccard: float
    kappa: float


def agreement(paths: Sequence[Path]) -> Agreement:
    """The agreement of all their questions, of which there is at least one."""
    shares: list[float] = []
    both = first_only = second_only = pairs = 0
    for document in (json.loads(path.read_text(encoding="utf-8")) for path in paths):
        said = sum(len(session["messages"]) for session in document["sessions"])
        for question in document["questions"]:
            first, second = frozenset(question["first"]), frozenset(question["second"])
            shares.append(len(first & second) / len(first | second))
            both += len(first & second)
            first_only += len(first - second)
            second_only += len(second - first)
            pairs += said
    by_first, by_second = (both + first_only) / pairs, (both + second_only) / pairs
    seen = 1 - (first_only + second_only) / pairs
    by_chance = by_first * by_second + (1 - by_first) * (1 - by_second)
    kappa = (seen - by_chance) / (1 - by_chance)
    return Agreement(sum(share == 1 for share in shares), sum(shares) / len(shares), kappa)
