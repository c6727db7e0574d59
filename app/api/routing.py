"""Paths: an id may hold any character, `/` included, and still be one segment.

A server hands over `path` decoded, where `a%2Fb` has become two segments, and `raw_path` as it was sent. Routes are
therefore matched on a path made from `raw_path`, segment by segment. What decoding would lose (a slash in a segment, an
empty segment) is kept behind a NUL, which no accepted path contains, until the route has taken its parameters out.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from fastapi import APIRouter
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from app.domain.errors import BadRequest

DOCUMENT: Final = "retenir.document"
_SLASH: Final = "\0s"
_EMPTY: Final = "\0e"


class _ParsedRequest(Request):
    """A request whose body the guard has parsed already."""

    async def json(self) -> Any:
        return self.scope[DOCUMENT] if DOCUMENT in self.scope else await super().json()


class EdgeRoute(APIRoute):
    """A route that gives path parameters back whole and does not parse a guarded body a second time."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child_scope = super().matches(scope)
        if "path_params" in child_scope:
            child_scope["path_params"] = {name: _whole(value) for name, value in child_scope["path_params"].items()}
        return match, child_scope

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        respond = super().get_route_handler()

        async def respond_to_parsed(request: Request) -> Response:
            return await respond(_ParsedRequest(request.scope, request.receive))

        return respond_to_parsed


def router(prefix: str = "", *tags: str) -> APIRouter:
    """The router every noun's file starts with. `install` refuses routes made by any other."""
    return APIRouter(prefix=prefix, tags=list(tags), route_class=EdgeRoute, redirect_slashes=False)


def routable_path(raw_path: bytes) -> str:
    """`raw_path` decoded for matching, with every encoded slash still inside its segment.

    Raises BadRequest when it holds a NUL or is not UTF-8, encoded or not.
    """
    if "\0" in decoded(raw_path, "bad_path"):
        raise BadRequest("bad_path", "The path holds a NUL.")
    first, *segments = raw_path.split(b"/")
    return "/".join([first.decode(), *(_segment(segment) for segment in segments)]) if segments != [b""] else "/"


def decoded(percent_encoded: bytes, code: str) -> str:
    """The text behind percent-encoding. Raises BadRequest(code) when it is not UTF-8."""
    try:
        return unquote_to_bytes(percent_encoded).decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest(code, "The address must be percent-encoded UTF-8.") from None


def allowed_methods(request: Request) -> list[str]:
    """The methods of all routes on the request's path, sorted. (The framework names those of the first route alone.)"""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    contexts = [context for context in iter_route_contexts(request.app.routes) if context.methods]
    return sorted(
        {method for context in contexts if context.path_regex.match(path) for method in context.methods or ()}
    )


def _segment(raw: bytes) -> str:
    return unquote_to_bytes(raw).decode().replace("/", _SLASH) or _EMPTY


def _whole(value: Any) -> Any:
    return value.replace(_SLASH, "/").replace(_EMPTY, "") if isinstance(value, str) else value
