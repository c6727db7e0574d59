"""Notes: what an agent writes down for a person. Each is an observation, and a fact of its own from the start."""

import re
from uuid import UUID

CATEGORY = "note"
"""Of the facts that notes are."""
SUMMARY_LENGTH = 140
_SENTENCE = re.compile(r".+?[.!?…]+[\"'”»)\]]*(?=\s|$)|.+$")


def note_key(observation_id: UUID) -> str:
    """The key of a note's fact."""
    return f"note.{observation_id.hex}"


def summary(content: str) -> str:
    """The first sentences that fit into `SUMMARY_LENGTH` characters, on one line; of a longer one its first words."""
    text = " ".join(content.split())
    if len(text) <= SUMMARY_LENGTH:
        return text
    end = 0
    for sentence in _SENTENCE.finditer(text):
        if sentence.end() > SUMMARY_LENGTH:
            break
        end = sentence.end()
    return text[:end] if end else _first_words(text)


def _first_words(text: str) -> str:
    cut = text[: SUMMARY_LENGTH - 1]
    whole = cut.rpartition(" ")[0] if text[SUMMARY_LENGTH - 1] != " " else cut
    return f"{(whole or cut).rstrip(' ,;:–—-')}…"
