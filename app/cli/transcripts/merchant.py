"""Our own gold cases: stories (sessions over weeks, then questions) and single turns, one JSON object a line."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from app.cli.transcripts.model import (
    Erasure,
    Message,
    Person,
    Pin,
    Question,
    Session,
    Store,
    Transcript,
    Turn,
    UnknownShapeError,
    identifier,
)

ORG = "shop"
STORE = "shop1"
SPEAKER = "speaker"
ANSWER_AFTER = timedelta(seconds=5)


def story(document: Mapping[str, Any]) -> Transcript:
    """Its people, stores, sessions, actions and questions; `after: "end"` is after the last session."""
    name = identifier(document["id"])
    last = len(document["sessions"]) - 1
    return Transcript(
        name=name,
        language=document["lang"],
        stores=tuple(Store(s["store_id"], s["org_id"], s["name"]) for s in document["stores"]),
        people=tuple(Person(p["user_id"], p["org_id"], p["role"], p["name"]) for p in document["people"]),
        sessions=tuple(_session(session, f"{name}-{i}") for i, session in enumerate(document["sessions"])),
        actions=tuple(_action(action, last) for action in document["actions"]),
        questions=tuple(_question(check, last, f"{name}-{i}") for i, check in enumerate(document["checks"])),
    )


def _session(document: Mapping[str, Any], conversation: str) -> Session:
    turns = (
        _turn(turn, document["user_id"], f"{conversation}-{index}", turn["assistant_sent_at"])
        for index, turn in enumerate(document["turns"])
    )
    return Session(
        conversation,
        document["channel"],
        document["org_id"],
        document["store_id"],
        document["agent_id"],
        tuple(turns),
    )


def _action(document: Mapping[str, Any], last: int) -> Pin | Erasure:
    after = _after(document, last)
    match document["do"]:
        case "pin":
            return Pin(after, tuple(document["any_of"]))
        case "erase_message":
            return Erasure(after, document["session"], document["turn"])
        case other:
            raise UnknownShapeError(f"an action that is not known: {other!r}")


def _question(document: Mapping[str, Any], last: int, question_id: str) -> Question:
    asker = document["as"]
    return Question(
        id=question_id,
        after=_after(document, last),
        at=datetime.fromisoformat(document["at"]),
        org=asker["org_id"],
        person=asker["user_id"],
        store=asker["store_id"],
        agent=asker["agent_id"],
        query=document["query"],
    )


def _after(document: Mapping[str, Any], last: int) -> int:
    return last if document["after"] == "end" else int(document["after"])


def turn_case(document: Mapping[str, Any]) -> Transcript:
    """One organisation, store and speaker of the case's role; a session of the turn before, if any, and the turn."""
    name, before = identifier(document["id"]), document["before"]
    answered_at = (datetime.fromisoformat(document["sent_at"]) + ANSWER_AFTER).isoformat()
    turns = [_turn(before, SPEAKER, f"{name}-before", before["assistant_sent_at"])] if before else []
    turns.append(_turn(document, SPEAKER, name, answered_at))
    return Transcript(
        name=name,
        language=document["lang"],
        stores=(Store(STORE, ORG, "Shop"),),
        people=(Person(SPEAKER, ORG, document["role"], "Speaker"),),
        sessions=(Session(name, document["channel"], ORG, STORE, "atlas", tuple(turns)),),
    )


def _turn(document: Mapping[str, Any], person: str, message: str, answered_at: str) -> Turn:
    said = Message(f"{message}-user", document["user"], datetime.fromisoformat(document["sent_at"]))
    if not document["assistant"]:
        return Turn(person, said)
    return Turn(
        person, said, Message(f"{message}-assistant", document["assistant"], datetime.fromisoformat(answered_at))
    )
