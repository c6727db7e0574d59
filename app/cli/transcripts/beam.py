"""BEAM: a user's long chat with an assistant (mohammadtavakoli78/BEAM, `chat.json`).

The document is a list of batches; a batch's `turns` are groups of messages, and its first message names the day.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from app.cli.transcripts.model import (
    Message,
    Person,
    Session,
    Store,
    Transcript,
    Turn,
    UnknownShapeError,
    identifier,
)

ORG = "beam"
STORE = "desk"
USER = "user"
OPENING = timedelta(hours=9)  # a batch begins at nine on its day
BETWEEN_TURNS = timedelta(seconds=60)
ANSWER_AFTER = timedelta(seconds=5)

_TAIL = re.compile(r"\s*->->[\s\w,/)]{0,12}$")  # the maker's own numbering: " ->-> 3,12"


def read(document: Sequence[Any], name: str) -> Transcript:
    """The user as the owner of one store; each batch is a session. Messages keep their ids; days are taken as UTC."""
    name = identifier(name)
    return Transcript(
        name=name,
        language="en",
        stores=(Store(STORE, ORG, "Desk"),),
        people=(Person(USER, ORG, "owner", "User"),),
        sessions=tuple(
            Session(f"{name}-batch-{number}", "web", ORG, STORE, "atlas", tuple(_turns(batch)))
            for number, batch in enumerate(document, start=1)
        ),
    )


def _turns(batch: dict[str, Any]) -> Iterator[Turn]:
    messages = [message for group in batch["turns"] for message in group]
    day = next((m["time_anchor"] for m in messages if m.get("time_anchor")), None) or batch.get("time_anchor")
    if day is None:
        raise UnknownShapeError("a batch names no day (time_anchor)")
    asked_at = moment(day)
    for message, follower in zip(messages, [*messages[1:], None], strict=True):
        if message["role"] != "user":
            continue
        answer = follower if follower and follower["role"] == "assistant" else None
        yield Turn(
            person=USER,
            user=Message(str(message["id"]), without_tail(message["content"]), asked_at),
            assistant=answer and Message(str(answer["id"]), answer["content"], asked_at + ANSWER_AFTER),
        )
        asked_at += BETWEEN_TURNS


def moment(day: str) -> datetime:
    """Nine in the morning, UTC, of a day such as "March-15-2024". Raises ValueError for any other form."""
    return datetime.strptime(day.strip(), "%B-%d-%Y").replace(tzinfo=UTC) + OPENING


def without_tail(content: str) -> str:
    """A user's message without the numbering that its makers left at the end."""
    return _TAIL.sub("", content)
