"""Conversations over HTTP: posted as turns to an organisation of their own, and asked about as searches."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.cli.client import Service
from app.cli.player import MESSAGE_BYTES
from app.cli.tenants import Tenant, fresh_tenants
from app.cli.transcripts.model import Message, Transcript, Turn
from scripts.benchmarks.questions import TOP, Question

BATCH = 50
LOOK_SECONDS = 0.5


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


def move_in(service: Service, platform_key: str, transcript: Transcript, questions: list[Question], name: str) -> Talk:
    """The conversation in a fresh organisation, with nothing said yet."""
    prefix = f"bench-{datetime.now(UTC):%Y%m%dT%H%M%S}-{name}"
    return Talk(transcript, questions, fresh_tenants(service, platform_key, transcript, prefix)[transcript.orgs[0]])


def say(service: Service, talk: Talk, transcript: Transcript, mark: str = "") -> float:
    """Posts every line as a turn of one of the talk's two; `mark` sets the ids apart. Answers messages a second."""
    people = [person.id for person in talk.transcript.people]
    speakers = {person.id: people[place % 2] for place, person in enumerate(transcript.people)}
    items = []
    for session in transcript.sessions:
        for turn in session.turns:
            items.append(_item(f"{mark}{session.id}", session.store, turn, speakers[turn.person], mark))
            talk.said |= {f"{mark}{said.id}": said.content for said in (turn.user, turn.assistant) if said}
    began = time.perf_counter()
    for start in range(0, len(items), BATCH):
        service.call("POST", "/memory/turns", key=talk.tenant.key, body={"items": items[start : start + BATCH]})
    return len(items) / (time.perf_counter() - began)


def _item(conversation: str, store: str | None, turn: Turn, person: str, mark: str) -> dict[str, Any]:
    where = {"conversation_id": conversation, "channel": "web", "store_id": store, "user_id": person}
    answer = {"assistant_message": _message(turn.assistant, mark)} if turn.assistant else {}
    return {**where, "user_message": _message(turn.user, mark), **answer}


def _message(said: Message, mark: str) -> dict[str, str]:
    content = said.content.encode()[:MESSAGE_BYTES].decode(errors="ignore")
    return {"id": f"{mark}{said.id}", "content": content, "sent_at": said.sent_at.isoformat()}


def ask(service: Service, talk: Talk, asked: Question) -> tuple[list[tuple[str, float]], float]:
    """The messages that the service finds, with how well their words fit, and the milliseconds that it took."""
    body = {"query": asked.text, "store_id": talk.transcript.stores[0].id, "kinds": ["message"], "limit": TOP}
    began = time.perf_counter()
    answer = service.call("POST", "/memory/search", key=talk.tenant.key, person=talk.asker, body=body)
    took = (time.perf_counter() - began) * 1000
    return [(item["id"], item["why"]["lexical"]) for item in answer["items"]], took


def wait_until_embedded(service: Service, talk: Talk) -> float:
    """Waits until all that was said has its vectors; answers the seconds. At once where there is no embedder."""
    began = time.perf_counter()
    while True:
        told = service.call("GET", "/memory/stats", key=talk.tenant.key)["embedded"]
        if told is None or told["embedded"] + told["failed"] >= told["documents"]:
            return time.perf_counter() - began
        time.sleep(LOOK_SECONDS)
