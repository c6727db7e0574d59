"""A language model's provider on this machine: real HTTP in both wire formats, and every way of misbehaving."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

ANTHROPIC, OPENAI = "/v1/messages", "/v1/chat/completions"
INPUT_TOKENS, OUTPUT_TOKENS = 900, 100
"""What the provider says that each answer cost."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def document(self) -> dict[str, Any]:
        """The turn that the model is to read."""
        messages = self.body["messages"]
        document: dict[str, Any] = json.loads(messages[-1]["content"])
        return document

    @property
    def message(self) -> str:
        return str(self.document["message"])


Answer = Callable[[Asked], bytes | None]
"""A whole HTTP response; None: never one."""


def http(status: str, body: bytes, *headers: str) -> bytes:
    """A response that ends with the connection."""
    head = [f"HTTP/1.1 {status}", "connection: close", "content-type: application/json", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


def saying(text: Callable[[Asked], str], stop: str | None = None) -> Answer:
    """The model says this; `stop` is anthropic's word for why it ended, `refusal` and `max_tokens` included."""

    def answer(asked: Asked) -> bytes:
        if asked.path == ANTHROPIC:
            usage = {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS}
            parts = [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": text(asked)}]
            return told({"content": parts, "stop_reason": stop or "end_turn", "usage": usage})
        reason = {None: "stop", "refusal": "content_filter", "max_tokens": "length"}[stop]
        usage = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS}
        message = {"role": "assistant", "content": text(asked)}
        return told({"choices": [{"message": message, "finish_reason": reason}], "usage": usage})

    return answer


def told(document: Any) -> bytes:
    """A success with this JSON."""
    return http("200 OK", json.dumps(document).encode())


def failing(status: str, *headers: str) -> Answer:
    """A refusal of the provider's."""
    return lambda _: http(status, b'{"error": {"message": "no"}}', *headers)


def envelope(drafts: Iterable[Any]) -> str:
    """The answer that was asked for."""
    return json.dumps({"facts": list(drafts)}, ensure_ascii=False)


def draft(asked: Asked, **changes: Any) -> dict[str, Any]:
    """The speaker said this: a fact about them, that holds beside others."""
    said = asked.message.strip()
    fact = {"about": "person", "key": "person.said", "value": said, "content": said, "evidence": said, "many": True}
    return {**fact, "tags": [], "confidence": 0.9, "corrects": None, **changes}


honest: Answer = saying(lambda asked: envelope([draft(asked)]))
"""One fact of each message: what was said."""


@dataclass
class ModelServer:
    """Answers as `answer` has it; `asked` are the requests so far, `most` how many there were at the same time.

    None is answered before the `gate` is open.
    """

    answer: Answer = honest
    usual: Answer = honest
    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    most: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    _held: set[asyncio.Task[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.gate.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def misbehave(self, answer: Answer, times: int) -> None:
        """So many answers like this, then usual ones."""
        left = times

        def by_turns(asked: Asked) -> bytes | None:
            nonlocal left
            left -= 1
            return answer(asked) if left >= 0 else self.usual(asked)

        self.answer = by_turns

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, one answer."""
        task = asyncio.current_task()
        assert task is not None
        self._held.add(task)
        self.most = max(self.most, len(self._held))
        try:
            asked = await _read(reader)
            self.asked.append(asked)
            response = self.answer(asked)
            if response is None:
                await reader.read()  # until the client gives up
            else:
                await self.gate.wait()
                writer.write(response)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self._held.discard(task)

    def leave(self) -> None:
        """Whoever is still being answered is cut off."""
        for task in self._held:
            task.cancel()


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:]) if name}
    body = await reader.readexactly(int(headers["content-length"]))
    return Asked(head[0].split()[1], headers, json.loads(body))


@asynccontextmanager
async def model_server(usual: Answer = honest) -> AsyncIterator[ModelServer]:
    """A provider that listens for the block."""
    made = ModelServer(usual, usual)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        made.leave()
