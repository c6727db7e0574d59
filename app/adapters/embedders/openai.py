"""A model behind an endpoint that speaks OpenAI's `/embeddings`: OpenAI, LiteLLM, vLLM, Ollama, TEI, gateways.

Nothing of an answer is believed that was not looked at: each vector goes to the text whose `index` it names, and an
answer in which any is missing, twice there, or no vector of the model's, is none.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from app.adapters.providers import Limits, Provider, ProviderError, counted
from app.domain.embedding import BadVectorError, EmbedderProfile, Vector, readable, unit, windows
from app.domain.tokens import estimate
from app.ports.embedders import EmbedderAway, EmbeddingFailed, Tally

QUESTION_SECONDS: Final = 2.0
UNUSABLE: Final = "embedder_answer_unusable"
_SENT: Final = ("prompt_tokens", "total_tokens")
_BYTES_OF_A_NUMBER: Final = 32
_BYTES_AROUND: Final = 1024 * 1024
_DETAIL: Final = "The provider of embeddings did not answer as it should."
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`POST {base}/embeddings`, where `base` ends in the version (`…/v1`). Where `key` is empty none is sent.

    `batch`: texts of one call at most. `shortened`: the model is told how many numbers a vector is to have.
    """

    base: str
    key: str
    model: str
    query_prefix: str = ""
    passage_prefix: str = ""
    batch: int = 32
    shortened: bool = False


class EndpointEmbedder:
    """Asks the endpoint, once: trying again is the caller's affair. One call of `at_once` is left for questions."""

    def __init__(
        self,
        endpoint: Endpoint,
        profile: EmbedderProfile,
        seconds: float = 15.0,
        at_once: int = 4,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._profile = profile
        self._url = f"{endpoint.base.rstrip('/')}/embeddings"
        self._headers = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        most = _BYTES_AROUND + endpoint.batch * profile.dimension * _BYTES_OF_A_NUMBER
        self._provider = Provider(Limits(seconds, at_once, most_bytes=most), now)
        self._room = asyncio.Semaphore(max(1, at_once - 1))
        self._asking: set[asyncio.Task[list[Vector]]] = set()

    @property
    def profile(self) -> EmbedderProfile:
        return self._profile

    @property
    def answers(self) -> bool:
        return self._provider.answers

    def open(self) -> None:
        """Nothing is to be made ready."""

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        """As `Embedder`. Of several calls one that fails is enough: then there is nothing."""
        tally = Tally() if tally is None else tally
        cut = [windows(readable(text), self._profile.window) for text in texts]
        shown = [f"{self._endpoint.passage_prefix}{one}" for stretches in cut for one in stretches]
        vectors: list[Vector] = []
        for start in range(0, len(shown), self._endpoint.batch):
            async with self._room:
                vectors += await self._ask(shown[start : start + self._endpoint.batch], tally)
        told = iter(vectors)
        return [[next(told) for _ in stretches] for stretches in cut]

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        """As `Embedder`, within two seconds. Its first window is read.

        A caller who gives up waiting does not end the call: its end tells whether the provider is still there.
        """
        for one in windows(readable(text), self._profile.window)[:1]:
            shown = [f"{self._endpoint.query_prefix}{one}"]
            asking = asyncio.create_task(self._ask(shown, Tally() if tally is None else tally, QUESTION_SECONDS))
            self._asking.add(asking)
            asking.add_done_callback(self._ended)
            return (await asyncio.shield(asking))[0]
        return None

    async def close(self) -> None:
        """Ends the calls under way and gives the connections back."""
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await self._provider.close()

    def _ended(self, asking: asyncio.Task[list[Vector]]) -> None:
        self._asking.discard(asking)
        if not asking.cancelled():
            asking.exception()  # perhaps nobody waits for it any more

    async def _ask(self, shown: list[str], tally: Tally, seconds: float | None = None) -> list[Vector]:
        """The vector of each of these, in order."""
        body: dict[str, Any] = {"model": self._endpoint.model, "input": shown, "encoding_format": "float"}
        if self._endpoint.shortened:
            body["dimensions"] = self._profile.dimension
        try:
            document = await self._provider.post(self._url, self._headers, body, seconds)
        except ProviderError as error:
            tally.calls += error.called
            raise self._unanswered(error) from None
        tally.calls += 1
        usage = document.get("usage") if isinstance(document, dict) else None
        told = next((count for name in _SENT if (count := counted(usage, name)) is not None), None)
        tally.tokens += sum(map(estimate, shown)) if told is None else told
        try:  # beside the loop: a batch of long vectors takes tens of milliseconds
            vectors = await asyncio.to_thread(vectors_of, document, len(shown), self._profile.dimension)
        except BadVectorError as bad:
            _log.warning("embedder_answer_unusable", reason=str(bad))
            raise EmbeddingFailed(UNUSABLE, _DETAIL) from None
        tally.vectors += len(vectors)
        return vectors

    def _unanswered(self, error: ProviderError) -> EmbeddingFailed:
        code = f"embedder_{error.trouble}"
        if error.called:
            _log.warning("embedder_call_failed", code=code, seen=error.seen, away=error.away)
        return (EmbedderAway if error.away else EmbeddingFailed)(code, _DETAIL, error.rest)


def vectors_of(document: object, count: int, dimension: int) -> list[Vector]:
    """The vectors of an answer, each in the place of the text that its `index` names; one alone needs no index.

    Raises BadVectorError where there is not exactly one, of that dimension, for each of `count` texts.
    """
    items = document.get("data") if isinstance(document, dict) else None
    if not isinstance(items, list) or len(items) != count:
        raise BadVectorError("not as many vectors as texts")
    found: dict[int, Vector] = {}
    for item in items:
        numbers = item.get("embedding") if isinstance(item, dict) else None
        if not isinstance(numbers, list):
            raise BadVectorError("an embedding is no list")
        place = item.get("index", 0 if count == 1 else None)
        if type(place) is not int or not 0 <= place < count or place in found:
            raise BadVectorError("an index is missing, or names no text, or one twice")
        found[place] = unit(numbers, dimension)
    return [found[place] for place in range(count)]
