"""LoCoMo: two people who tell each other about their lives, over months (snap-research/locomo).

The document holds `conversation`: the speakers, and for each session its lines and its time ("1:56 pm on 8 May, 2023").
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from app.cli.transcripts.model import Message, Person, Session, Store, Transcript, Turn, identifier

ORG = "locomo"
STORE = "home"
BETWEEN_LINES = timedelta(seconds=20)  # the document times sessions, not lines


def read(document: Mapping[str, Any], name: str) -> Transcript:
    """Both speakers as members of one store that share their messages; each line is a turn without an answer.

    A message's id is the line's own (`dia_id`). Times are taken as UTC.
    """
    conversation = document["conversation"]
    name = identifier(document.get("sample_id", name))
    speakers = [conversation["speaker_a"], conversation["speaker_b"]]
    numbers = sorted(int(key.removeprefix("session_")) for key in conversation if re.fullmatch(r"session_\d+", key))
    return Transcript(
        name=name,
        language="en",
        stores=(Store(STORE, ORG, "Home"),),
        people=tuple(Person(identifier(speaker.lower()), ORG, "member", speaker) for speaker in speakers),
        sessions=tuple(_session(conversation, number, name) for number in numbers),
        share_messages="store",
    )


def _session(conversation: Mapping[str, Any], number: int, name: str) -> Session:
    began = moment(conversation[f"session_{number}_date_time"])
    turns = (
        Turn(
            person=identifier(line["speaker"].lower()),
            user=Message(line["dia_id"], line["text"], began + index * BETWEEN_LINES),
        )
        for index, line in enumerate(conversation[f"session_{number}"])
    )
    return Session(f"{name}-session-{number}", "web", ORG, STORE, "atlas", tuple(turns))


def moment(text: str) -> datetime:
    """The moment that "1:56 pm on 8 May, 2023" names, in UTC. Raises ValueError for any other form."""
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
