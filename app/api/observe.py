"""The outermost layer: every answer has a request id and safe headers, every request a log line, accidents are 500."""

import re
import time
import uuid
from collections.abc import Mapping
from typing import Any, Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.errors import INTERNAL, answer

HEADERS: Final = "headers"
"""What stands at this name in the request's state leaves with its answer, whatever that is."""
_BEGAN: Final = "began"
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_CLIENT_GONE: Final = 499  # for the log alone: nobody was there to be answered
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SAFE_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_log = structlog.stdlib.get_logger("retenir.http")


class Observe:
    """ASGI middleware. A handler for Exception inside the application would answer outside all middleware; this one
    catches instead, so that a 500 too carries the id under which its log line stands.

    Headers that the application sets itself are kept. Neither path, query, body nor an exception's text is logged.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began = time.perf_counter()
        status, complete = _CLIENT_GONE, False
        scope.setdefault("state", {}).update({"request_id": (request_id := _request_id(scope)), _BEGAN: began})

        async def send_marked(message: Message) -> None:
            nonlocal status, complete
            if message["type"] == "http.response.start":
                status = message["status"]
                _mark(message, request_id, scope["state"].get(HEADERS, {}))
            complete = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, send_marked)
            except Exception:
                _log.exception("unexpected", route=_route(scope))
                if status == _CLIENT_GONE:
                    await answer(INTERNAL, scope)(scope, receive, send_marked)
                elif not complete:  # half an answer is out: only a cut connection shows that it is not whole
                    raise
            finally:
                elapsed = round((time.perf_counter() - began) * 1000, 1)
                _log.info("request", method=_method(scope), route=_route(scope), status=status, ms=elapsed)
        return None


def waited_ms(request: Request) -> int:
    """How long the caller has waited already: who asks is looked up first, and others may come before."""
    return int((time.perf_counter() - request.scope["state"][_BEGAN]) * 1000)


def _request_id(scope: Scope) -> str:
    """The caller's X-Request-Id when it is 8 to 64 letters, digits, dots, dashes and underscores; else a new one."""
    offered = Headers(scope=scope).get("x-request-id", "")
    return offered if _REQUEST_ID.fullmatch(offered) else uuid.uuid4().hex


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in _METHODS else "OTHER"


def _mark(message: Message, request_id: str, told: Mapping[str, str]) -> None:
    headers = MutableHeaders(scope=message)
    headers["x-request-id"] = request_id
    headers.update(told)
    for name, value in _SAFE_HEADERS.items():
        headers.setdefault(name, value)


def _route(scope: Scope) -> str:
    """The template of the route taken, "unmatched" where there was none: never the path, which names people."""
    route: Any = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return str(getattr(route, "path", "unmatched"))
