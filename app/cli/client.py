"""A running service over HTTP, patiently: it waits when it is told to, and tries again when nobody answers."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self

import httpx

BUSY = (429, 503)
FIRST_PAUSE = 0.25  # seconds; doubles with each try
LONGEST_PAUSE = 8.0
LONGEST_WAIT = 300.0  # seconds that a Retry-After may ask for
PAGE = 200


class ServiceError(Exception):
    """The service could not be asked, or said no. The message never holds what was sent."""


class RefusedError(ServiceError):
    """An answer of 400 or more. `code` is the problem's own, "" where the body is no problem document."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        problem = _problem(response)
        self.code = str(problem.get("code", ""))
        request = response.request
        super().__init__(f"{request.method} {request.url.path}: {self.status} {self.code} {problem.get('detail', '')}")


class UnreachableError(ServiceError):
    """Nobody answered, however often it was tried."""


class CutError(UnreachableError):
    """An answer ended before its end."""


class Service:
    """The routes of one service. Use as a context manager; calls block.

    A 429 or 503 is sent again after its `Retry-After` (seconds or a date), or after a growing pause where there is
    none; a connection that fails likewise. Each call is tried `tries` times at most, then it raises.
    """

    def __init__(self, url: str, *, tries: int = 8, timeout: float = 30.0) -> None:
        self._http = httpx.Client(base_url=url, timeout=timeout, trust_env=False)
        self._tries = tries
        self._routes: frozenset[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        key: str | None = None,
        person: str | None = None,
        body: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Any:
        """The answer's JSON, or None where it is empty. `person`: for whom the key acts.

        Raises RefusedError for an answer of 400 or more, UnreachableError when there was no answer.
        """
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if person is not None:
            headers["X-User-Id"] = person
        response = self._patiently(self._http.build_request(method, path, json=body, params=params, headers=headers))
        if response.is_error:
            raise RefusedError(response)
        return response.json() if response.content else None

    @contextmanager
    def download(
        self, path: str, *, key: str, headers: Mapping[str, str], params: Mapping[str, Any]
    ) -> Iterator[tuple[int | None, Iterator[bytes]]]:
        """The length of the answer, None where it is not known yet, and the answer as it comes; for the block. Raises
        as `call`, and CutError where it ends before its end.
        """
        told = {"Authorization": f"Bearer {key}", **headers}
        request = self._http.build_request("GET", path, params=params, headers=told)
        response = self._patiently(request, stream=True)
        try:
            if response.is_error:
                response.read()
                raise RefusedError(response)
            length = response.headers.get("Content-Length")
            yield None if length is None else int(length), response.iter_raw()
        except httpx.TransportError as error:
            raise CutError(f"the answer of {path} was cut: {error}") from error
        finally:
            response.close()

    def upload(self, path: str, chunks: Callable[[], Iterator[bytes]], *, key: str, headers: Mapping[str, str]) -> Any:
        """The answer's JSON to a body that is made anew for each try. Raises as `call`."""
        told = {"Authorization": f"Bearer {key}", **headers}
        left = self._tries
        while True:
            left -= 1
            request = self._http.build_request("POST", path, content=chunks(), headers=told)
            response = self._patiently(request, tries=1)
            wait = retry_after(response, now=datetime.now(UTC), otherwise=FIRST_PAUSE)
            if response.status_code in BUSY and left and wait <= LONGEST_WAIT:
                time.sleep(wait)
            elif response.is_error:
                raise RefusedError(response)
            else:
                return response.json()

    def pages(self, path: str, *, params: Mapping[str, Any], **asking: Any) -> Iterator[Any]:
        """Every item of a list, page after page."""
        cursor: Mapping[str, Any] = {}
        while True:
            page = self.call("GET", path, params={**params, "limit": PAGE, **cursor}, **asking)
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            cursor = {"cursor": page["next_cursor"]}

    def offers(self, method: str, path: str) -> bool:
        """Whether the service has this route, whatever its path parameters are called."""
        if self._routes is None:
            paths = self.call("GET", "/openapi.json")["paths"]
            self._routes = frozenset(
                f"{verb.upper()} {_unnamed(route)}" for route, verbs in paths.items() for verb in verbs
            )
        return f"{method} {_unnamed(path)}" in self._routes

    def _patiently(self, request: httpx.Request, *, stream: bool = False, tries: int | None = None) -> httpx.Response:
        left, pause = tries or self._tries, FIRST_PAUSE
        while True:
            left -= 1
            try:
                response = self._http.send(request, stream=stream)
            except httpx.TransportError as error:
                if not left:
                    raise UnreachableError(f"no answer from {request.url.copy_with(path='/')}: {error}") from error
                wait = pause
            else:
                wait = retry_after(response, now=datetime.now(UTC), otherwise=pause)
                if response.status_code not in BUSY or not left or wait > LONGEST_WAIT:
                    return response
                response.close()
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)


def retry_after(response: httpx.Response, *, now: datetime, otherwise: float) -> float:
    """Seconds that the answer asks to wait for, `otherwise` where it does not say (RFC 9110, section 10.2.3)."""
    said = response.headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError):
        return otherwise


def _problem(response: httpx.Response) -> Mapping[str, Any]:
    try:
        problem = response.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _unnamed(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)
