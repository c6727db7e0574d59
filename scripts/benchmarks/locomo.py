"""LoCoMo over HTTP: conversations posted as turns, questions asked as searches, and the naive BM25 they are held to."""

import json
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.adapters.text.snowball import SNOWBALL
from app.cli.client import Service
from app.cli.tenants import Tenant, fresh_tenants
from app.cli.transcripts.locomo import ORG, STORE, read
from app.cli.transcripts.model import Message, Transcript, Turn
from app.domain.terms import question, terms

ANSWERABLE = (1, 2, 3, 4)
BATCH = 100
TOP = 10


@dataclass(frozen=True)
class Question:
    """What is asked, and the ids of the messages that answer it."""

    text: str
    evidence: frozenset[str]


@dataclass
class Talk:
    """One conversation in an organisation of its own, with its words by message id."""

    transcript: Transcript
    questions: list[Question]
    tenant: Tenant
    said: dict[str, str] = field(default_factory=dict)

    @property
    def asker(self) -> str:
        """Who asks: one of the two, who share what they say."""
        return self.transcript.people[0].id


def load(path: Path) -> tuple[Transcript, list[Question]]:
    """A conversation, and its answerable questions. Evidence that names no line is left out."""
    document = json.loads(path.read_text(encoding="utf-8"))
    transcript = read(document, path.stem)
    lines = {turn.user.id for session in transcript.sessions for turn in session.turns}
    asked = []
    for each in document["qa"]:
        evidence = frozenset(each.get("evidence", ())) & lines
        if each["category"] in ANSWERABLE and evidence:
            asked.append(Question(each["question"], evidence))
    return transcript, asked


def move_in(service: Service, platform_key: str, transcript: Transcript, questions: list[Question], name: str) -> Talk:
    """The conversation in a fresh organisation, with nothing said yet."""
    prefix = f"bench-{datetime.now(UTC):%Y%m%dT%H%M%S}-{name}"
    return Talk(transcript, questions, fresh_tenants(service, platform_key, transcript, prefix)[ORG])


def say(service: Service, talk: Talk, transcript: Transcript, mark: str = "") -> float:
    """Posts every line as a turn of one of the talk's two; `mark` sets the ids apart. Answers messages a second."""
    people = [person.id for person in talk.transcript.people]
    speakers = {person.id: people[place % 2] for place, person in enumerate(transcript.people)}
    items = []
    for session in transcript.sessions:
        for turn in session.turns:
            items.append(_item(f"{mark}{session.id}", turn, speakers[turn.person], mark))
            talk.said[f"{mark}{turn.user.id}"] = turn.user.content
    began = time.perf_counter()
    for start in range(0, len(items), BATCH):
        service.call("POST", "/memory/turns", key=talk.tenant.key, body={"items": items[start : start + BATCH]})
    return len(items) / (time.perf_counter() - began)


def _item(conversation: str, turn: Turn, person: str, mark: str) -> dict[str, Any]:
    said: Message = turn.user
    message = {"id": f"{mark}{said.id}", "content": said.content, "sent_at": said.sent_at.isoformat()}
    where = {"conversation_id": conversation, "channel": "web", "store_id": STORE, "user_id": person}
    return {**where, "user_message": message}


def ask(service: Service, talk: Talk, asked: Question) -> tuple[list[tuple[str, float]], float]:
    """The messages that the service finds, with their scores, and the milliseconds that it took."""
    body = {"query": asked.text, "store_id": STORE, "kinds": ["message"], "limit": TOP}
    began = time.perf_counter()
    answer = service.call("POST", "/memory/search", key=talk.tenant.key, person=talk.asker, body=body)
    took = (time.perf_counter() - began) * 1000
    return [(item["id"], item["score"]) for item in answer["items"]], took


def reference(said: dict[str, str], text: str) -> dict[str, float]:
    """BM25 as a textbook has it (k1 1.2, b .75), over the same terms, as a share of its ceiling."""
    documents = {place: terms(content, SNOWBALL) for place, content in said.items()}
    average = sum(map(len, documents.values())) / len(documents)
    scores: dict[str, float] = {}
    ceiling = 0.0
    for word in question(text, SNOWBALL):
        counts = {place: sum(map(held.count, word)) for place, held in documents.items()}
        holding = sum(count > 0 for count in counts.values())
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        ceiling += idf * 2.2
        for place, count in counts.items():
            if count:
                length = len(documents[place])
                gained = idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
                scores[place] = scores.get(place, 0.0) + gained
    return {place: score / ceiling for place, score in scores.items()}


def differs(found: list[tuple[str, float]], wanted: dict[str, float]) -> bool:
    """Whether the ranking is not one that the reference scores allow; equals may stand in any order."""
    best = sorted(wanted.values(), reverse=True)[:TOP]
    same_scores = len(found) == len(best) and all(
        math.isclose(score, ideal, rel_tol=1e-9) for (_, score), ideal in zip(found, best, strict=True)
    )
    return not same_scores or any(not math.isclose(score, wanted[place], rel_tol=1e-9) for place, score in found)


def recall(found: Iterable[str], evidence: frozenset[str]) -> float:
    """The share of the evidence that was found."""
    return len(evidence.intersection(found)) / len(evidence)


def ndcg(found: Iterable[str], evidence: frozenset[str]) -> float:
    """How high the evidence stands, 1 where nothing stands above it."""
    gained = sum(1 / math.log2(place + 2) for place, each in enumerate(found) if each in evidence)
    return gained / sum(_best(len(evidence)))


def _best(count: int) -> Iterator[float]:
    return (1 / math.log2(place + 2) for place in range(min(count, TOP)))
