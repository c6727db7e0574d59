"""A provider of models over HTTP, fenced: in time, few at once, of bounded size, left alone while it is away."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, Final

import httpx

from app.adapters.breaker import Breaker

CONNECT_SECONDS: Final = 5.0
LONGEST_REST_SECONDS: Final = 3600.0
_TOO_MANY: Final = 429
_MOST_TOKENS: Final = 10**8


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for a call, and as many again for waiting until fewer than `at_once` are under way; `pause` in seconds
    for which a provider that failed twice running is left alone; `most_bytes` of an answer.
    """

    seconds: float = 25.0
    at_once: int = 4
    pause: float = 10.0
    most_bytes: int = 2 * 1024 * 1024


class Trouble(StrEnum):
    """What is wrong with a provider."""

    UNAVAILABLE = "unavailable"
    BUSY = "busy"
    TIMEOUT = "timeout"


class ProviderError(Exception):
    """There is no answer. `called`: it was asked. `away`: others are not answered either, for `rest` seconds more.

    `seen` is a status or the name of an exception, fit for a log.
    """

    def __init__(self, trouble: Trouble, *, called: bool, away: bool, rest: float = 1.0, seen: object = None) -> None:
        super().__init__(trouble)
        self.trouble = trouble
        self.called = called
        self.away = away
        self.rest = max(1, math.ceil(rest))
        self.seen = seen


class Provider:
    """Is asked once; trying again is the caller's affair."""

    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._breaker = Breaker(now, limits.pause)
        self._room = asyncio.Semaphore(limits.at_once)
        timeout = httpx.Timeout(limits.seconds, connect=min(CONNECT_SECONDS, limits.seconds))
        self._http = httpx.AsyncClient(timeout=timeout, follow_redirects=False)

    @property
    def answers(self) -> bool:
        """Whether it is thought to be there."""
        return self._breaker.answers

    async def post(self, url: str, headers: Mapping[str, str], body: Any, seconds: float | None = None) -> object:
        """The JSON that it answers with 200. `seconds`: for this call, if fewer than the limit.

        Raises ProviderError. A fault is this call's alone where others are answered: while it fails for all, or asks
        for a rest, the error says `away`, and comes for the most part without a call.
        """
        patience = min(seconds or self._limits.seconds, self._limits.seconds)
        async with self._turn(patience):
            try:
                async with asyncio.timeout(patience):
                    answer = await self._read(url, headers, body)
            except (TimeoutError, httpx.TimeoutException):
                raise self._failed(Trouble.TIMEOUT) from None
            except _StatusError as refused:
                busy = refused.status == _TOO_MANY
                rest = self._limits.pause if busy and refused.rest is None else refused.rest
                raise self._failed(Trouble.BUSY if busy else Trouble.UNAVAILABLE, refused.status, rest) from None
            except (httpx.HTTPError, ValueError, RecursionError) as error:
                raise self._failed(Trouble.UNAVAILABLE, type(error).__name__) from None
            self._breaker.worked()
            return answer

    async def close(self) -> None:
        """Gives the connections back."""
        await self._http.aclose()

    @asynccontextmanager
    async def _turn(self, patience: float) -> AsyncIterator[None]:
        """One of the few who may ask. Raises ProviderError where it is in vain, or takes too long."""
        self._require_closed()
        try:
            async with asyncio.timeout(patience):
                await self._room.acquire()
        except TimeoutError:
            raise ProviderError(Trouble.BUSY, called=False, away=True) from None
        try:
            self._require_closed()
            yield
        finally:
            self._room.release()

    def _require_closed(self) -> None:
        if not self._breaker.closed:
            raise ProviderError(Trouble.UNAVAILABLE, called=False, away=True, rest=self._breaker.remaining)

    async def _read(self, url: str, headers: Mapping[str, str], body: Any) -> object:
        answer = bytearray()
        async with self._http.stream("POST", url, headers=headers, json=body) as response:
            if response.status_code != httpx.codes.OK:
                raise _StatusError(response.status_code, _rest(response))
            async for chunk in response.aiter_bytes():
                answer += chunk
                if len(answer) > self._limits.most_bytes:
                    raise ValueError("too large")
        return json.loads(answer)

    def _failed(self, trouble: Trouble, seen: object = None, rest: float | None = None) -> ProviderError:
        """The call failed. It is this caller's fault only while the provider answers others."""
        self._breaker.failed()
        if rest is not None:
            self._breaker.rest(rest)
        away = not self._breaker.closed
        return ProviderError(trouble, called=True, away=away, rest=self._breaker.remaining if away else 1.0, seen=seen)


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


def counted(usage: object, *names: str) -> int | None:
    """The sum of these counts of tokens in an answer's `usage`; None where none of them is a count."""
    told = [usage[name] for name in names if name in usage] if isinstance(usage, dict) else []
    counts = [count for count in told if isinstance(count, int) and not isinstance(count, bool) and count >= 0]
    return min(sum(counts), _MOST_TOKENS) if counts else None
