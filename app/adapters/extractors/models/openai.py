"""The chat completions that OpenAI defined and many speak: gateways, LiteLLM, vLLM, Ollama.

They differ in how they call the limit of an answer, and in what they hold a model to: both are settings.
"""

from dataclasses import dataclass
from typing import Any

from app.adapters.extractors.models.wire import (
    REFUSED,
    TRUNCATED,
    UNREADABLE,
    BadAnswerError,
    Body,
    Format,
    Question,
    Reply,
    with_schema,
)
from app.adapters.providers import counted


@dataclass(frozen=True, slots=True)
class OpenAiWire:
    """`POST {base}/chat/completions`, where `base` ends in the version (`…/v1`). Where `key` is empty none is sent."""

    base: str
    key: str
    model: str
    most_tokens: int
    limit_name: str = "max_completion_tokens"
    format: Format = Format.SCHEMA

    @property
    def url(self) -> str:
        return f"{self.base.rstrip('/')}/chat/completions"

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"} if self.key else {}

    def body(self, question: Question) -> Body:
        held = self.format is Format.SCHEMA
        told = question.instructions if held else with_schema(question)
        body: Body = {
            "model": self.model,
            self.limit_name: self.most_tokens,
            "messages": [{"role": "system", "content": told}, {"role": "user", "content": question.document}],
        }
        if held:
            shape = {"name": "facts", "schema": question.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif self.format is Format.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def reply(self, document: object) -> Reply:
        choice, message = _first(document)
        stop = choice.get("finish_reason")
        refused = bool(message.get("refusal")) or stop == "content_filter"
        fault = REFUSED if refused else TRUNCATED if stop == "length" else None
        usage = document.get("usage") if isinstance(document, dict) else None
        text = _text(message.get("content"))
        return Reply(text, fault, counted(usage, "prompt_tokens"), counted(usage, "completion_tokens"))


def _first(document: object) -> tuple[dict[str, Any], dict[str, Any]]:
    choices = document.get("choices") if isinstance(document, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise BadAnswerError(UNREADABLE)
    return choice, message


def _text(content: object) -> str:
    """Some servers answer in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
