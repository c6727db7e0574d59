"""Anthropic's Messages API. No sampling parameters are sent: newer versions know none."""

from dataclasses import dataclass

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

_CUT = ("max_tokens", "model_context_window_exceeded")
_SENT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True, slots=True)
class AnthropicWire:
    """`POST {base}/v1/messages`. `version` is the value of the header `anthropic-version`."""

    base: str
    key: str
    model: str
    version: str
    most_tokens: int
    format: Format = Format.SCHEMA

    @property
    def url(self) -> str:
        return f"{self.base.rstrip('/').removesuffix('/v1')}/v1/messages"

    @property
    def headers(self) -> dict[str, str]:
        return {"x-api-key": self.key, "anthropic-version": self.version}

    def body(self, question: Question) -> Body:
        held = self.format is Format.SCHEMA
        told = question.instructions if held else with_schema(question)
        body: Body = {
            "model": self.model,
            "max_tokens": self.most_tokens,
            "system": [{"type": "text", "text": told, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": question.document}],
        }
        if held:
            body["output_config"] = {"format": {"type": "json_schema", "schema": question.schema}}
        return body

    def reply(self, document: object) -> Reply:
        if not isinstance(document, dict) or not isinstance(parts := document.get("content"), list):
            raise BadAnswerError(UNREADABLE)
        stop, usage = document.get("stop_reason"), document.get("usage")
        fault = REFUSED if stop == "refusal" else TRUNCATED if stop in _CUT else None
        told = [part for part in parts if isinstance(part, dict) and part.get("type") == "text"]
        text = "".join(str(part.get("text", "")) for part in told)
        return Reply(text, fault, counted(usage, *_SENT), counted(usage, "output_tokens"))
