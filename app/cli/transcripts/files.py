"""A transcript file's text → transcripts, whichever of the known kinds it is."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.cli.transcripts import beam, locomo, merchant
from app.cli.transcripts.model import Transcript, UnknownShapeError


def read_file(path: Path) -> list[Transcript]:
    """Every transcript of the file, at least one.

    Raises UnknownShapeError for a file of another kind or a broken one, OSError when it cannot be read.
    """
    # Several BEAM chats are all called chat.json: their folder tells them apart.
    return parse(path.read_text(encoding="utf-8"), name=f"{path.resolve().parent.name}-{path.stem}")


def parse(text: str, name: str) -> list[Transcript]:
    """The transcripts in `text`: one JSON document, or one a line. `name` is for documents that bear none."""
    try:
        transcripts = [_transcript(document, name) for document in _documents(text)]
    except KeyError as missing:
        raise UnknownShapeError(f"{name}: the field {missing} is missing") from missing
    except (TypeError, AttributeError, ValueError) as error:
        raise UnknownShapeError(f"{name}: {error}") from error
    if not any(transcript.turn_count for transcript in transcripts):
        raise UnknownShapeError(f"{name}: nobody says anything in it")
    return [transcript for transcript in transcripts if transcript.turn_count]


def _documents(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def _transcript(document: Any, name: str) -> Transcript:
    match document:
        case {"conversation": Mapping()}:
            return locomo.read(document, name)
        case {"sessions": list(), "checks": list()}:
            return merchant.story(document)
        case {"user": str(), "sent_at": str()}:
            return merchant.turn_case(document)
        case [{"turns": list()}, *_]:
            return beam.read(document, name)
    raise UnknownShapeError("neither a LoCoMo conversation, nor a BEAM chat, nor merchant stories or turns")
