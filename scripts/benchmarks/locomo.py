"""LoCoMo's conversations, and the questions that name the lines which answer them."""

import json
from pathlib import Path

from app.cli.transcripts.locomo import read
from app.cli.transcripts.model import Transcript
from scripts.benchmarks.questions import Question

ANSWERABLE = (1, 2, 3, 4)


def load(path: Path) -> tuple[Transcript, list[Question]]:
    """A conversation, and its answerable questions. Evidence that names no line is left out."""
    document = json.loads(path.read_text(encoding="utf-8"))
    transcript = read(document, path.stem)
    lines = {turn.user.id for session in transcript.sessions for turn in session.turns}
    asked = []
    for each in document["qa"]:
        evidence = frozenset(each.get("evidence", ())) & lines
        if each["category"] in ANSWERABLE and evidence:
            asked.append(Question(each["question"], evidence, category=str(each["category"])))
    return transcript, asked
