"""Problems as of RFC 9457: the one table from refusals to statuses, and the one shape in which a refusal leaves.

No answer here is over 8 KB, and none shows what was sent or what an exception said.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.api.routing import allowed_methods
from app.domain.errors import (
    BadRequest,
    Collision,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    PreconditionFailed,
    RetenirError,
    TooMany,
    Unauthenticated,
    Unavailable,
)

MEDIA_TYPE: Final = "application/problem+json"
MAX_FAULTS: Final = 20
MAX_BYTES: Final = 8 * 1024
_MAX_POINTER: Final = 200
_MAX_DETAIL: Final = 500


class BodyTooSlow(RetenirError):
    """The body did not arrive in time."""


class BodyTooLarge(RetenirError):
    """The body is over the cap in bytes."""


class UnsupportedMedia(RetenirError):
    """The body is not JSON by its headers, or is compressed."""


STATUS: Final[Mapping[type[RetenirError], int]] = {
    BadRequest: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    BodyTooSlow: 408,
    Conflict: 409,
    PreconditionFailed: 412,
    BodyTooLarge: 413,
    UnsupportedMedia: 415,
    Invalid: 422,
    TooMany: 429,
    Unavailable: 503,
    Collision: 503,
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an answer needs to know. `faults` are members of `errors`, given for 422 alone."""

    status: int
    code: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[Mapping[str, str]] = ()


INTERNAL: Final = Refusal(500, "internal", "Something broke on our side. Quote the request_id when you report it.")


async def handle(request: Request, error: Exception) -> Response:
    """The handler of every exception that `refusal_of` knows. A 405 says all that the path allows."""
    refusal = refusal_of(error)
    if refusal.status == 405:
        refusal = replace(refusal, headers={"allow": ", ".join(allowed_methods(request))})
    return answer(refusal, request.scope)


def refusal_of(error: Exception) -> Refusal:
    """How `error` is told to the caller; INTERNAL when it was not meant for one."""
    if isinstance(error, RetenirError):
        return _of_domain(error)
    if isinstance(error, RequestValidationError):
        return _of_validation(error.errors())
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        return Refusal(int(status), status.name.lower(), f"{status.phrase}.", dict(error.headers or {}))
    return INTERNAL


def answer(refusal: Refusal, scope: Mapping[str, Any]) -> Response:
    """The answer as problem+json, at most 8 KB: members of `errors` are dropped from the end until it fits."""
    problem: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(refusal.status).phrase,
        "status": refusal.status,
        "detail": refusal.detail[:_MAX_DETAIL],
        "code": refusal.code,
        "request_id": scope.get("state", {}).get("request_id", ""),
    }
    faults = list(refusal.faults[:MAX_FAULTS])
    body = _dump(problem, faults)
    while len(body) > MAX_BYTES and faults:
        faults.pop()
        body = _dump(problem, faults)
    return Response(body, refusal.status, dict(refusal.headers), MEDIA_TYPE)


def _dump(problem: Mapping[str, object], faults: Sequence[Mapping[str, str]]) -> bytes:
    whole = {**problem, "errors": faults} if problem["status"] == 422 else problem
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def _of_domain(error: RetenirError) -> Refusal:
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    headers = {}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    faults: Iterable[tuple[str, str]] = error.faults if isinstance(error, Invalid) else ()
    return Refusal(status, error.code, error.detail, headers, [_fault("body", place, kind) for place, kind in faults])


def _of_validation(errors: Sequence[Mapping[str, Any]]) -> Refusal:
    """A 422 that names places and kinds. An id in the path that is no id at all names nothing: 404."""
    if any(error["loc"][0] == "path" and error["type"].startswith("uuid") for error in errors):
        return _of_domain(NotFound())
    faults = [_fault(str(error["loc"][0]), _pointer(error["loc"][1:]), error["type"]) for error in errors[:MAX_FAULTS]]
    return Refusal(422, "invalid_request", "Some fields are not acceptable; `errors` says which.", faults=faults)


def _fault(where: str, pointer: str, kind: str) -> dict[str, str]:
    return {"in": where, "pointer": pointer[:_MAX_POINTER], "kind": kind}


def _pointer(location: Sequence[object]) -> str:
    """RFC 6901. Keys of the caller's making are part of it, values never."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in location)
