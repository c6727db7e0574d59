"""Saying a transcript again to a running service: turns, jobs, actions, questions, and what came of them."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from app.cli.client import RefusedError, Service
from app.cli.tenants import Tenant
from app.cli.transcripts.model import Erasure, Message, Pin, Question, Session, Transcript, Turn

MESSAGE_BYTES = 64 * 1024  # what one message may hold
FINAL = ("done", "dead", "cancelled")
PATIENCE = 120.0  # seconds that a job may take
FIRST_LOOK = 0.02  # seconds between two looks at a job; doubles each time
LONGEST_LOOK = 0.5
ERASE = "/memory/messages/{message_id}"


@dataclass(slots=True)
class Tally:
    """What happened, over one transcript or many."""

    turns: int = 0
    messages: int = 0
    clipped: int = 0
    skipped: int = 0
    questions: int = 0
    jobs: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class Player:
    """One transcript, the tenants made for it, and the tally that its play is added to.

    `tick` is called once for each turn.
    """

    def __init__(
        self,
        service: Service,
        tenants: Mapping[str, Tenant],
        transcript: Transcript,
        tally: Tally,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        self._service = service
        self._tenants = tenants
        self._transcript = transcript
        self._tally = tally
        self._tick = tick

    def play(self) -> dict[str, Any]:
        """Says everything in order; a session's jobs end, its actions are done and its questions asked before the next.

        Returns each accepted turn's answer by the id of the user's message. What is refused, and a job that does not
        get done, is a failure in the tally, and the play goes on. Raises UnreachableError.
        """
        answers: dict[str, Any] = {}
        for index, session in enumerate(self._transcript.sessions):
            for turn in session.turns:
                with self._noting():
                    answers[turn.user.id] = self._say(session, turn)
                self._tick()
            for turn in session.turns:
                if job_id := answers.get(turn.user.id, {}).get("job_id"):
                    with self._noting():
                        self._wait_for(job_id, session, turn)
            for action in self._transcript.actions:
                if action.after == index:
                    with self._noting():
                        self._act(action, session)
            for question in self._transcript.questions:
                if question.after == index:
                    with self._noting():
                        self.ask(question)
        return answers

    def ask(self, question: Question) -> Any:
        """The memory's answer: block, facts, messages. Raises ServiceError."""
        self._tally.questions += 1
        body = {"store_id": question.store, "agent_id": question.agent, "query": question.query}
        key = self._tenants[question.org].key
        return self._service.call("POST", "/memory/context", key=key, person=question.person, body=body)

    def facts(self, org: str) -> Iterator[dict[str, Any]]:
        """Every fact of the organisation: its own, its stores', and its people's as each of them reads theirs.

        Raises ServiceError.
        """
        key = self._tenants[org].key
        yield from self._service.pages("/memory/facts/org", params={}, key=key)
        for store in self._transcript.stores:
            if store.org == org:
                yield from self._service.pages("/memory/facts/store", params={"store_id": store.id}, key=key)
        for person in self._transcript.people:
            if person.org == org:
                mine = {"user_id": person.id}
                yield from self._service.pages("/memory/facts/user", params=mine, key=key, person=person.id)

    def count_facts(self) -> None:
        """Adds the facts that now stand to the tally, by scope. Raises UnreachableError."""
        for org in self._transcript.orgs:
            with self._noting():
                self._tally.facts.update(fact["scope"] for fact in self.facts(org))

    def _say(self, session: Session, turn: Turn) -> Any:
        body = {
            "conversation_id": session.id,
            "channel": session.channel,
            "store_id": session.store,
            "agent_id": session.agent,
            "user_message": self._message(turn.user),
        }
        if turn.assistant:
            body["assistant_message"] = self._message(turn.assistant)
        key = self._tenants[session.org].key
        answer = self._service.call("POST", "/memory/turns", key=key, person=turn.person, body=body)
        self._tally.turns += 1
        self._tally.messages += answer["stored"]
        self._tally.skipped += answer["extraction"] == "skipped"
        return answer

    def _message(self, message: Message) -> dict[str, str]:
        content = message.content.encode()[:MESSAGE_BYTES].decode(errors="ignore")
        self._tally.clipped += content != message.content
        return {"id": message.id, "content": content, "sent_at": message.sent_at.isoformat()}

    def _wait_for(self, job_id: str, session: Session, turn: Turn) -> None:
        key, path = self._tenants[session.org].key, f"/memory/jobs/{quote(job_id, safe='')}"
        deadline, pause = time.monotonic() + PATIENCE, FIRST_LOOK
        while (job := self._service.call("GET", path, key=key, person=turn.person))["status"] not in FINAL:
            if time.monotonic() > deadline:
                break
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_LOOK)
        self._tally.jobs[job["status"]] += 1
        if job["status"] != "done":
            self._tally.failures.append(f"job {job_id} is {job['status']}: {job.get('error')}")

    def _act(self, action: Pin | Erasure, session: Session) -> None:
        match action:
            case Pin():
                self._pin(action, session)
            case Erasure():
                self._erase(action)

    def _pin(self, pin: Pin, session: Session) -> None:
        key, person = self._tenants[session.org].key, session.turns[0].person
        for fact in list(self.facts(session.org)):
            text = f"{fact['content']} {fact['value']}".casefold()
            if any(needle.casefold() in text for needle in pin.needles):
                path = f"/memory/facts/{fact['scope']}/{fact['id']}/pin"
                self._service.call("POST", path, key=key, person=person)

    def _erase(self, erasure: Erasure) -> None:
        if not self._service.offers("DELETE", ERASE):
            self._tally.unsupported[f"DELETE {ERASE}"] += 1
            return
        session = self._transcript.sessions[erasure.session]
        turn = session.turns[erasure.turn]
        path = ERASE.replace("{message_id}", quote(turn.user.id, safe=""))
        where = {"conversation_id": session.id}
        key = self._tenants[session.org].key
        self._service.call("DELETE", path, key=key, person=turn.person, params=where)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except RefusedError as error:
            self._tally.failures.append(str(error))
