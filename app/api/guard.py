"""The guard: nothing reaches the application that it would choke on, and no sender can make it hold a large body.

In this order, none reading more than it needs: path, query and headers; whether a body belongs there; declared length;
media type; encoding; at most 1 MiB within 10 seconds; strict JSON. A body for `STREAMED` is left to the route, which
reads it piece by piece (`app/api/uploads.py`). A refusal concerns one request: the server throws
away what is left of its body as it arrives and the connection goes on, or the answer says `connection: close`.
"""

import asyncio
import re
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api import strict_json
from app.api.errors import BodyTooLarge, BodyTooSlow, UnsupportedMedia, answer, refusal_of
from app.api.routing import CLOSING, DOCUMENT, decoded, routable_path
from app.domain.errors import BadRequest, RetenirError

MAX_BODY: Final = 1024 * 1024
BODY_SECONDS: Final = 10.0
STREAMED: Final = frozenset({("POST", "/memory/import")})
"""Routes that read a body of any length themselves."""
MAX_ADDRESS: Final = 16 * 1024

_BODYLESS: Final = frozenset({"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"})
_ONCE: Final = (
    *("authorization", "content-type", "content-length", "x-org-id", "x-user-id"),
    *("idempotency-key", "if-match"),
)
_JSON: Final = re.compile(r"application/(?:[\w!#$&^.+-]+\+)?json", re.ASCII | re.IGNORECASE)
_CHARSET: Final = re.compile(r';[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)', re.IGNORECASE)
_LENGTH_DIGITS: Final = 19


class _SenderGone(Exception):
    """The client closed the connection before its body was whole."""


class Guard:
    """ASGI middleware. The application gets the whole body in one message, and its document under scope[DOCUMENT].

    An empty body passes without a document. A body on a method that takes none is refused, not ignored: whoever sends
    one to DELETE believes that it narrows what is deleted.
    """

    def __init__(self, app: ASGIApp, max_body: int = MAX_BODY, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._max_body = max_body
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            if _is_streamed(scope):
                _check_address(scope, Headers(scope=scope))
                with ExitStack() as scope[CLOSING]:
                    return await self._app(scope, receive, send)
            body = await self._admit(scope, receive)
        except _SenderGone:
            return None
        except RetenirError as error:
            return await _refuse(error, scope)(scope, receive, send)
        return await self._app(scope, _replay(body, receive), send)

    async def _admit(self, scope: Scope, receive: Receive) -> bytes:
        """The body, read and found good. Puts the path to route on and the document into `scope`."""
        headers = Headers(scope=scope)
        _check_address(scope, headers)
        announced = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        _check_expected(scope, announced)
        self._check_length(headers.get("content-length", "0"))
        if announced:
            check_media(headers)
        body = await self._read(receive)
        _check_expected(scope, bool(body))
        if body:
            scope[DOCUMENT] = strict_json.loads(body)
        return body

    def _check_length(self, length: str) -> None:
        if length_of(length) > self._max_body:
            raise self._too_large()

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _SenderGone
                    body += message.get("body", b"")
                    if len(body) > self._max_body:
                        raise self._too_large()
                    more = message.get("more_body", False)
        except TimeoutError:
            raise BodyTooSlow("body_timeout", f"The body must arrive within {self._body_seconds:g} seconds.") from None
        return bytes(body)

    def _too_large(self) -> BodyTooLarge:
        return BodyTooLarge("body_too_large", f"The body may be {self._max_body} bytes.")


def length_of(told: str) -> int:
    """What Content-Length says. Raises BadRequest where it is no number."""
    if not (told.isascii() and told.isdigit()):
        raise BadRequest("bad_content_length", "Content-Length must be a number.")
    return int(told) if len(told) <= _LENGTH_DIGITS else sys.maxsize


def _is_streamed(scope: Scope) -> bool:
    return (scope["method"], scope["raw_path"].decode("latin-1")) in STREAMED


def _check_address(scope: Scope, headers: Headers) -> None:
    """Headers, path and query. Puts the path to route on into `scope`."""
    _check_once(headers)
    if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_ADDRESS:
        raise BadRequest("address_too_long", f"Path and query together may be {MAX_ADDRESS} bytes.")
    if "\0" in decoded(scope["query_string"], "bad_query"):
        raise BadRequest("bad_query", "The query holds a NUL.")
    scope["path"] = routable_path(scope["raw_path"])


def _check_once(headers: Headers) -> None:
    """Two of these would let two readers of one request each believe another caller or another body."""
    for name in _ONCE:
        if len(headers.getlist(name)) > 1:
            raise BadRequest("repeated_header", f"The header {name} may be sent once.")


def _check_expected(scope: Scope, has_body: bool) -> None:
    if has_body and scope["method"] in _BODYLESS:
        raise BadRequest("body_not_expected", "This method takes no body.")


def check_media(headers: Mapping[str, str], other: str | None = None) -> str:
    """The media type, which is JSON's or this other one. Raises UnsupportedMedia."""
    media, _, parameters = headers.get("content-type", "").partition(";")
    charset = _CHARSET.search(f";{parameters}")
    known = _JSON.fullmatch(media.strip()) or media.strip().lower() == other
    if not known or (charset and charset[1].lower() not in ("utf-8", "utf8")):
        named = f"application/json or {other}" if other else "application/json"
        raise UnsupportedMedia("unsupported_media_type", f"The body must be {named} in UTF-8.")
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise UnsupportedMedia("unsupported_content_encoding", "The body must not be compressed.")
    return media.strip().lower()


def _refuse(error: RetenirError, scope: Scope) -> Response:
    """The answer. It ends the connection when the sender stalls, or holds its body back for our "100 Continue":
    only it knows then whether the next bytes are that body or another request."""
    response = answer(refusal_of(error), scope)
    if isinstance(error, BodyTooSlow) or Headers(scope=scope).get("expect"):
        response.headers["connection"] = "close"
    return response


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the whole body once and then what the server says: that the client has gone."""
    first: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed
