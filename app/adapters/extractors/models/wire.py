"""What a wire format is: how a question is written for one kind of provider, and how its answer is read."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

UNREADABLE: Final = "model_answer_unreadable"
TRUNCATED: Final = "model_answer_truncated"
REFUSED: Final = "model_refused"
Body = dict[str, Any]


class Format(StrEnum):
    """How the model is held to the shape of its answer: by its schema, to any JSON, or by asking alone."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


class BadAnswerError(Exception):
    """An answer of which nothing is used; its message is a stable code."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the model is asked: instructions of ours, and what is to be read, as data."""

    instructions: str
    document: str
    schema: Body


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `fault`: why its text is not an answer. Tokens are None where the provider told none."""

    text: str
    fault: str | None
    input_tokens: int | None
    output_tokens: int | None


class Wire(Protocol):
    """One provider's way of being asked."""

    @property
    def url(self) -> str: ...
    @property
    def headers(self) -> dict[str, str]: ...

    def body(self, question: Question) -> Body: ...

    def reply(self, document: object) -> Reply:
        """Raises BadAnswerError for what is no answer of this provider's."""
        ...


def with_schema(question: Question) -> str:
    """The instructions, for models that are held to no schema by their provider."""
    shape = json.dumps(question.schema)
    return f"{question.instructions}\nAnswer with one JSON object of this JSON schema and nothing else:\n{shape}"
