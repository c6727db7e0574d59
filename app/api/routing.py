"""Paths: an id may hold any character, `/` included, and still be one segment.

A server hands over `path` decoded, where `a%2Fb` has become two segments, and `raw_path` as it was sent. Routes are
therefore matched on a path made from `raw_path`, segment by segment. What decoding would lose (a slash in a segment, an
empty segment) is kept behind a NUL, which no accepted path contains, until the route has taken its parameters out.
"""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import update_wrapper
from typing import Annotated, Any, Final
from urllib.parse import unquote_to_bytes

from fastapi import APIRouter, Header
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from app.domain.errors import BadRequest, Collision, Invalid

DOCUMENT: Final = "retenir.document"
CLOSING: Final = "retenir.closing"
"""An ExitStack of what is to be closed once the answer is out, of routes that read their bodies themselves."""
DIGEST: Final = "retenir.digest"
"""Of a body that is no document, for the routes that read theirs themselves."""
REPEATABLE: Final[dict[str, Any]] = {"x-repeatable": True}
"""`openapi_extra=REPEATABLE` on a route that may be repeated as it is, as it only reads, or says itself that what it
asks for is done already: it needs no Idempotency-Key."""
TRIES: Final = 3
_SLASH: Final = "\0s"
_EMPTY: Final = "\0e"
_READS: Final = frozenset({"GET", "HEAD"})
_TIMES: Final = frozenset({"as_of", "known_at"})

KeyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=255,
        pattern=r"^[!-~]+$",
        description="The same request with the same key has one effect, for 24 hours; a replay answers the first "
        "status and ids. Another request with it is a 409 `idempotency_mismatch`.",
    ),
]


class _ParsedRequest(Request):
    """A request whose body the guard has parsed already."""

    async def json(self) -> Any:
        return self.scope[DOCUMENT] if DOCUMENT in self.scope else await super().json()


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request that came with an Idempotency-Key: what answers it, given what; `response` is to be filled."""

    key: str
    request: Request
    response: Response
    endpoint: Callable[..., Awaitable[Any]]
    given: Mapping[str, Any]
    status_code: int


class EdgeRoute(APIRoute):
    """A route that gives path parameters back whole and does not parse a guarded body a second time.

    One that takes no body lets none pass but an empty object, which some clients always send: it would be ignored.
    One that writes takes an Idempotency-Key; a request that has one is answered by `app.state.answer_once`. One that
    does not take `as_of` and `known_at` refuses them: the present would be mistaken for what was asked for.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        writes = not _READS.issuperset(options.get("methods") or _READS)
        if writes and not (options.get("openapi_extra") or {}).get("x-repeatable"):
            endpoint = _keyed(endpoint, options.get("status_code") or 200)
        super().__init__(path, endpoint, **options)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child_scope = super().matches(scope)
        if "path_params" in child_scope:
            child_scope["path_params"] = {name: _whole(value) for name, value in child_scope["path_params"].items()}
        return match, child_scope

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        respond, untimely = super().get_route_handler(), _TIMES - _query_names(self.dependant)

        async def respond_to_parsed(request: Request) -> Response:
            if self.body_field is None and request.scope.get(DOCUMENT, {}) != {}:
                raise BadRequest("body_not_expected", "This route takes no body.")
            if request.scope["query_string"] and not untimely.isdisjoint(request.query_params):
                raise BadRequest("time_travel_unsupported", "This route tells of the present alone.")
            parsed = _ParsedRequest(request.scope, request.receive)  # one for all tries: a body is received once
            return await _despite_collisions(lambda: respond(parsed))

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


def named_first(request: Request) -> str | None:
    """The person whom the unchecked body or query names first, to look up key and person in one round trip."""
    document = request.scope.get(DOCUMENT, request.query_params)
    if isinstance(document, dict) and isinstance(items := document.get("items"), list) and items:
        document = items[0]
    named = document.get("user_id") if hasattr(document, "get") else None
    return named if isinstance(named, str) else None


def allowed_methods(request: Request) -> list[str]:
    """The methods of all routes on the request's path, sorted. (The framework names those of the first route alone.)"""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    contexts = [context for context in iter_route_contexts(request.app.routes) if context.methods]
    return sorted(
        {method for context in contexts if context.path_regex.match(path) for method in context.methods or ()}
    )


async def _despite_collisions(respond: Callable[[], Awaitable[Response]]) -> Response:
    """The answer; what the database undid because others were in its way is done again, from the start."""
    for _ in range(TRIES - 1):
        try:
            return await respond()
        except Collision:
            continue
    return await respond()


def _keyed(endpoint: Callable[..., Awaitable[Any]], status_code: int) -> Callable[..., Awaitable[Any]]:
    """The endpoint, which also takes an Idempotency-Key."""
    asked_for = inspect.signature(endpoint).parameters

    async def respond(*, request: Request, response: Response, idempotency_key: KeyHeader = None, **given: Any) -> Any:
        if request.method == "DELETE":
            _require_known(request)
        everything = {"request": request, "response": response, **given}
        wanted = {name: everything[name] for name in asked_for}
        if idempotency_key is None:
            return await endpoint(**wanted)
        asked = Keyed(idempotency_key, request, response, endpoint, wanted, status_code)
        return await request.app.state.answer_once(asked)

    own = inspect.signature(respond).parameters.values()
    added = [one for one in own if one.kind is one.KEYWORD_ONLY and one.name not in asked_for]
    signature = inspect.signature(endpoint).replace(parameters=[*asked_for.values(), *added])
    update_wrapper(respond, endpoint).__signature__ = signature  # type: ignore[attr-defined]
    return respond


def _require_known(request: Request) -> None:
    """What is mistyped must not erase more than was asked for. Raises Invalid for an unknown parameter, or one that
    comes twice; whoever asks is known by then.
    """
    names = _query_names(request.scope["route"].dependant)
    told = [name for name, _ in request.query_params.multi_items()]
    if not names.issuperset(told) or len(set(told)) < len(told):
        raise Invalid("invalid_request", "The query has a parameter that this route does not know, or one twice.")


def _query_names(dependant: Dependant) -> frozenset[str]:
    """What the route itself takes in its query, alone or as fields of a model."""
    names = set[str]()
    for parameter in dependant.query_params:
        asked: Any = parameter.field_info.annotation
        is_model = isinstance(asked, type) and issubclass(asked, BaseModel)
        names |= set(asked.model_fields) if is_model else {parameter.alias}
    return frozenset(names)


def _segment(raw: bytes) -> str:
    return unquote_to_bytes(raw).decode().replace("/", _SLASH) or _EMPTY


def _whole(value: Any) -> Any:
    return value.replace(_SLASH, "/").replace(_EMPTY, "") if isinstance(value, str) else value
