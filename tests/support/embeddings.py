"""A provider of embeddings on this machine: real HTTP, vectors by shared words, and every way of misbehaving."""

import base64
import json
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from app.adapters.doubles.embedder import InMemoryEmbedder, by_words
from app.container import Container
from app.domain.embedding import Vector
from app.main import create_app
from app.ports.embedders import Embedder, Tally
from tests.support.model_server import Answer, Asked, failing, http, told
from tests.support.world import World

DIMENSION = 64
Items = list[dict[str, Any]]


def items(asked: Asked) -> Items:
    """A vector of each text that was sent, longer than 1, and the last first."""
    assert asked.path == "/v1/embeddings"
    assert asked.body["encoding_format"] == "float"
    vectors = [[3 * number for number in by_words(text, DIMENSION)] for text in asked.body["input"]]
    numbered: Items = [{"object": "embedding", "index": place, "embedding": one} for place, one in enumerate(vectors)]
    return numbered[::-1]


def tokens(asked: Asked) -> int:
    """What the provider says that it cost."""
    return 7 * len(asked.body["input"])


def answering(change: Callable[[Items], object]) -> Answer:
    """An answer that has this for its data."""

    def answer(asked: Asked) -> bytes:
        usage = {"prompt_tokens": tokens(asked), "total_tokens": tokens(asked)}
        return told({"object": "list", "data": change(items(asked)), "model": "m", "usage": usage})

    return answer


def _first(**changes: Any) -> Answer:
    """One vector is other than it should be."""
    return answering(lambda data: [{**data[0], **changes}, *data[1:]])


def _numbers(number: object) -> Answer:
    """One number of one vector is."""
    return answering(lambda data: [{**data[0], "embedding": [number, *data[0]["embedding"][1:]]}, *data[1:]])


def _raw(number: str) -> Answer:
    """One number is written so."""
    honest = _numbers("@")
    return lambda asked: (honest(asked) or b"").replace(b'"@"', number.encode())


def _base64(data: Items) -> Items:
    packed = [struct.pack(f"<{DIMENSION}f", *item["embedding"]) for item in data]
    return [{**item, "embedding": base64.b64encode(one).decode()} for item, one in zip(data, packed, strict=True)]


honest_vectors: Answer = answering(lambda data: data)

UNUSABLE: dict[str, Answer] = {
    "one too few": answering(lambda data: data[1:]),
    "one too many": answering(lambda data: [*data, data[0]]),
    "none": answering(lambda _: []),
    "no list": answering(lambda data: {str(item["index"]): item for item in data}),
    "one index twice": answering(lambda data: [{**item, "index": 0} for item in data]),
    "an index beyond": answering(lambda data: [{**item, "index": item["index"] + 1} for item in data]),
    "an index below": answering(lambda data: [{**item, "index": item["index"] - 1} for item in data]),
    "an index as text": answering(lambda data: [{**item, "index": str(item["index"])} for item in data]),
    "an index that is true": answering(lambda data: [{**item, "index": bool(item["index"])} for item in data]),
    "no index": answering(lambda data: [{"embedding": item["embedding"]} for item in data]),
    "another dimension": answering(lambda data: [{**item, "embedding": item["embedding"] * 2} for item in data]),
    "one of another dimension": answering(lambda data: [{**data[0], "embedding": [1.0]}, *data[1:]]),
    "an empty vector": _first(embedding=[]),
    "no vector": _first(embedding=None),
    "an item that is null": answering(lambda data: [None, *data[1:]]),
    "an item that is a vector": answering(lambda data: [item["embedding"] for item in data]),
    "base64": answering(_base64),
    "NaN": _raw("NaN"),
    "infinite": _raw("Infinity"),
    "beyond all floats": _raw("1e999"),
    "an integer beyond all floats": _raw("9" * 400),
    "zeros": answering(lambda data: [{**item, "embedding": [0] * DIMENSION} for item in data]),
    "a zero vector among others": _first(embedding=[0.0] * DIMENSION),
    "a number as text": _numbers("0.1"),
    "a null among numbers": _numbers(None),
    "a truth among numbers": _numbers(True),
    "a list among numbers": _numbers([0.1]),
    "a bare list": lambda asked: told(items(asked)),
    "an error with 200": lambda _: told({"error": {"message": "no", "code": 500}}),
    "null": lambda _: told(None),
    "a number alone": lambda _: told(7),
}
"""Answers of which nothing may be used: it is the fault of these texts, for the provider did answer."""

UNANSWERED: dict[str, Answer] = {
    "429 with Retry-After": failing("429 Too Many Requests", "retry-after: 7"),
    "429 without": failing("429 Too Many Requests"),
    "500": failing("500 Internal Server Error"),
    "401": failing("401 Unauthorized"),
    "413": failing("413 Payload Too Large"),
    "422": failing("422 Unprocessable Entity"),
    "a redirect": failing("307 Temporary Redirect", "location: http://127.0.0.1:9/"),
    "204": lambda _: b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
    "hang": lambda _: None,
    "no answer": lambda _: b"",
    "half an answer": lambda _: b'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"data": [',
    "truncated JSON": lambda asked: http("200 OK", json.dumps({"data": items(asked)}).encode()[:-9]),
    "a page": lambda _: http("200 OK", b"<html>sorry</html>"),
    "nothing": lambda _: http("200 OK", b""),
    "no UTF-8": lambda _: http("200 OK", b'{"data": "\xff"}'),
    "deep JSON": lambda _: http("200 OK", b"[" * 100_000),
    "too much": lambda _: http("200 OK", b'"' + b"x" * 3_000_000 + b'"'),
}
"""What no answer comes of."""


class Thesaurus(InMemoryEmbedder):
    """Takes words of one meaning for one word: what shares none of a question's words can still be near it."""

    SAME: Final = {"livreur": "transporteur", "carrier": "transporteur", "camion": "transporteur", "venir": "passe"}

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        return await super().passages([self._said(text) for text in texts], tally)

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        return await super().question(self._said(text), tally)

    def _said(self, text: str) -> str:
        return " ".join(self.SAME.get(word.strip(" .?,"), word) for word in text.lower().split())


@asynccontextmanager
async def embedding_with(embedder: Embedder, world: World) -> AsyncIterator[World]:
    """Another service on the same database, with the same clock, that embeds with this embedder."""
    container = Container(world.settings, world.container.clock, embedder=embedder)
    await container.open()
    try:
        yield World(create_app(world.settings, container), world.settings, container, world.platform_key)
    finally:
        await container.close()


async def embed_all(world: World) -> None:
    """What lacks vectors has them, as a worker would see to it."""
    while await world.container.directory.queue_embedding(500, world.container.clock()):
        await world.finish_jobs()
