"""BEAM's chats with an assistant, and the questions that name the messages which answer them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.cli.transcripts.beam import read
from app.cli.transcripts.model import Transcript
from scripts.benchmarks.questions import Question


def load(folder: Path) -> tuple[Transcript, list[Question]]:
    """A chat and its questions; those without evidence, which cannot be answered, are left out."""
    chat = json.loads((folder / "chat.json").read_text(encoding="utf-8"))
    probing = json.loads((folder / "probing_questions.json").read_text(encoding="utf-8"))
    transcript = read(chat, folder.name)
    turns = [turn for session in transcript.sessions for turn in session.turns]
    lines = {said.id for turn in turns for said in (turn.user, turn.assistant) if said}
    asked = (_asked(category, each, lines) for category, some in probing.items() for each in some)
    return transcript, [question for question in asked if question.evidence]


def _asked(category: str, document: dict[str, Any], lines: set[str]) -> Question:
    sources = document.get("source_chat_ids") or []
    sides: tuple[frozenset[str], ...] = ()
    newer = older = frozenset[str]()
    if isinstance(sources, dict) and "updated_info" in sources:
        newer, older = (frozenset(_ids(sources[name])) & lines for name in ("updated_info", "original_info"))
    if isinstance(sources, dict) and "first_statement" in sources:
        sides = tuple(frozenset(_ids(sources[name])) & lines for name in ("first_statement", "second_statement"))
    evidence = frozenset(_ids(sources)) & lines
    return Question(document["question"], evidence, category=category, newer=newer, older=older, sides=sides)


def _ids(document: Any) -> Iterator[str]:
    """Every id in it, however it is nested."""
    if isinstance(document, dict | list):
        for each in document.values() if isinstance(document, dict) else document:
            yield from _ids(each)
    elif document is not None:
        yield str(document)
