"""One question to a model, fenced: in time, few at once, left alone while it is away, and nothing said about it."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx
import structlog

from app.adapters.breaker import Breaker
from app.adapters.extractors.models.answers import raw_drafts
from app.adapters.extractors.models.evidence import grounded, stated_words
from app.adapters.extractors.models.prompt import question
from app.adapters.extractors.models.wire import BadAnswerError, Question, Reply, Wire
from app.domain.drafts import ExtractionRequest
from app.domain.tokens import estimate
from app.domain.usage import ModelUse
from app.ports.extractors import NO_USE, Extraction, ExtractionFailed, ExtractorAway

AWAY, BUSY, TOO_SLOW = "model_unavailable", "model_busy", "model_timeout"
MOST_BYTES: Final = 2 * 1024 * 1024
CONNECT_SECONDS: Final = 5.0
LONGEST_REST_SECONDS: Final = 3600.0
_DETAIL: Final = "The language model did not answer as it should; the turn is read again later."
_TOO_MANY: Final = 429
_ONE_CALL: Final = ModelUse(calls=1)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for a call, and as many again for waiting until fewer than `at_once` are under way; `pause` in seconds
    for which a provider that failed twice running is left alone.
    """

    seconds: float = 25.0
    at_once: int = 4
    pause: float = 10.0


class ModelExtractor:
    """Asks the provider behind `wire` about each turn, once. Trying again is the job's affair."""

    metered = True

    def __init__(
        self, name: str, wire: Wire, limits: Limits | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._wire = wire
        self._limits = limits or Limits()
        self._breaker = Breaker(now, self._limits.pause)
        self._room = asyncio.Semaphore(self._limits.at_once)
        timeout = httpx.Timeout(self._limits.seconds, connect=min(CONNECT_SECONDS, self._limits.seconds))
        self._http = httpx.AsyncClient(timeout=timeout, follow_redirects=False)

    @property
    def answers(self) -> bool:
        """Whether the provider is thought to be there."""
        return self._breaker.closed

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Drafts with evidence out of what the speaker stated; a message that states nothing is not sent.

        A fault of the provider's is this turn's alone where others are answered: while it fails for all, or asks for
        a rest, ExtractorAway is raised, for the most part without a call.
        """
        shown = stated_words(request.user_text)
        if not shown.strip():
            return Extraction()
        asked = question(request, shown)
        async with self._turn():
            reply = await self._ask(asked)
        use = _use(asked, reply)
        try:
            if reply.fault is not None:
                raise BadAnswerError(reply.fault)
            drafts = raw_drafts(reply.text)
        except BadAnswerError as bad:
            raise self._failed(str(bad), use) from None
        return Extraction([grounded(raw, request.user_text, shown) for raw in drafts], use)

    async def close(self) -> None:
        """Gives the connections back."""
        await self._http.aclose()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """One of the few who may ask. Raises ExtractorAway where it is in vain, or takes too long."""
        self._require_closed()
        try:
            async with asyncio.timeout(self._limits.seconds):
                await self._room.acquire()
        except TimeoutError:
            raise ExtractorAway(BUSY, _DETAIL) from None
        try:
            self._require_closed()
            yield
        finally:
            self._room.release()

    def _require_closed(self) -> None:
        if not self._breaker.closed:
            raise ExtractorAway(AWAY, _DETAIL, NO_USE, math.ceil(self._breaker.remaining))

    async def _ask(self, asked: Question) -> Reply:
        try:
            async with asyncio.timeout(self._limits.seconds):
                document = await self._post(self._wire.body(asked))
        except (TimeoutError, httpx.TimeoutException):
            raise self._provider_failed(TOO_SLOW) from None
        except _StatusError as refused:
            busy = refused.status == _TOO_MANY
            rest = self._limits.pause if busy and refused.rest is None else refused.rest
            raise self._provider_failed(BUSY if busy else AWAY, refused.status, rest) from None
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise self._provider_failed(AWAY, type(error).__name__) from None
        self._breaker.worked()
        try:
            return self._wire.reply(document)
        except BadAnswerError as bad:
            raise self._failed(str(bad), _ONE_CALL) from None

    async def _post(self, body: dict[str, Any]) -> object:
        answer = bytearray()
        async with self._http.stream("POST", self._wire.url, headers=self._wire.headers, json=body) as response:
            if response.status_code != httpx.codes.OK:
                raise _StatusError(response.status_code, _rest(response))
            async for chunk in response.aiter_bytes():
                answer += chunk
                if len(answer) > MOST_BYTES:
                    raise ValueError("too large")
        return json.loads(answer)

    def _provider_failed(self, code: str, seen: object = None, rest: float | None = None) -> ExtractionFailed:
        """The call failed. It is this turn's fault only while the provider answers others."""
        self._breaker.failed()
        if rest is not None:
            self._breaker.rest(rest)
        away = not self._breaker.closed
        _log.warning("model_call_failed", extractor=self.name, code=code, seen=seen, away=away)
        if away:
            return ExtractorAway(code, _DETAIL, _ONE_CALL, math.ceil(self._breaker.remaining))
        return ExtractionFailed(code, _DETAIL, _ONE_CALL)

    def _failed(self, code: str, use: ModelUse) -> ExtractionFailed:
        """The answer is none."""
        _log.warning("model_answer_unusable", extractor=self.name, code=code)
        return ExtractionFailed(code, _DETAIL, use)


class _StatusError(Exception):
    """Another status than 200. `rest` is for how many seconds the provider wants to be left alone."""

    def __init__(self, status: int, rest: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.rest = rest


def _rest(response: httpx.Response) -> float | None:
    """What `Retry-After` says, in seconds or as a date."""
    told = response.headers.get("retry-after", "").strip()
    if not told:
        return None
    try:
        seconds = float(told)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(told).astimezone(UTC) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(max(seconds, 1.0), LONGEST_REST_SECONDS) if math.isfinite(seconds) else None


def _use(asked: Question, reply: Reply) -> ModelUse:
    """What the call cost, as the provider counted it; as estimated where it did not."""
    sent, got = reply.input_tokens, reply.output_tokens
    if sent is None:
        sent = estimate(asked.instructions) + estimate(asked.document)
    return ModelUse(1, sent, estimate(reply.text) if got is None else got)
