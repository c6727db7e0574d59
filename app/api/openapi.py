"""The OpenAPI document: people read it first, so what it says about refusals is said here once, for every route."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel

from app.api.errors import MAX_FAULTS, MEDIA_TYPE
from app.api.examples import restore_examples

OPEN: Final[dict[str, Any]] = {"security": []}
"""`openapi_extra=OPEN` on a route that asks for no credentials."""

_ALWAYS: Final = (400, 422, 503)
_WITH_CREDENTIALS: Final = (401, 403, 404, 429)
_WITH_BODY: Final = (408, 413, 415)
_WITH_KEY: Final = 409
_METHODS: Final = frozenset({"get", "put", "post", "patch", "delete"})
_BODYLESS: Final = frozenset({"get", "delete"})
_CODES: Final = {
    400: "duplicate_key",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    408: "body_timeout",
    409: "message_conflict",
    412: "precondition_failed",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid_request",
    429: "too_many_requests",
    503: "unavailable",
}
_PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A refusal as of RFC 9457. `code` is stable; `detail` is for people. At most 8 KB.",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string", "const": "about:blank"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "pattern": "^[a-z0-9_]+$"},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "maxItems": MAX_FAULTS,
            "description": "With 422 alone: where, as a JSON pointer, and what kind of fault. Values are not repeated.",
            "items": {
                "type": "object",
                "required": ["in", "pointer", "kind"],
                "properties": {
                    "in": {"type": "string", "enum": ["body", "query", "path", "header", "cookie"]},
                    "pointer": {"type": "string"},
                    "kind": {"type": "string"},
                },
            },
        },
    },
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """FastAPI's `responses=` for refusals of a route beyond those that `document` adds to all: mostly 409."""
    return {status: _response(status) for status in statuses}


def created(model: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """FastAPI's `responses=` for a PUT that answers 201 with the same body where it made the thing."""
    return {201: {"model": model, "description": "It is new."}}


def document(app: FastAPI) -> None:
    """`app.openapi` now gives a document in which every route declares its refusals and bearer credentials.

    400, 422 and 503 stand at every route; 401, 403, 404 and 429 where credentials are asked for; 408, 413 and 415 where
    the method may bring a body; 409 where an Idempotency-Key is taken.
    """
    generate = app.openapi  # keeps what it made, and makes it anew when routes were added
    completed: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        nonlocal completed
        if (spec := generate()) is not completed:
            completed = _completed(spec)
            restore_examples(app, completed)
        return completed

    app.openapi = openapi  # type: ignore[method-assign]


def _completed(spec: dict[str, Any]) -> dict[str, Any]:
    """`spec` itself, changed in place; doing it twice changes nothing more."""
    components = spec.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = _PROBLEM
    components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)
    spec["security"] = [{"bearer": []}]
    for method, operation in _operations(spec):
        _declare_refusals(method, operation)
    return spec


def _declare_refusals(method: str, operation: dict[str, Any]) -> None:
    statuses = {*_ALWAYS}
    if operation.get("security") != []:
        statuses.update(_WITH_CREDENTIALS)
    if method not in _BODYLESS:
        statuses.update(_WITH_BODY)
    if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
        statuses.add(_WITH_KEY)
    responses = operation.setdefault("responses", {})
    for status in sorted(statuses):
        declared = responses.get(str(status), {})
        if MEDIA_TYPE not in declared.get("content", {}):  # the framework's own 422 is another shape
            responses[str(status)] = _response(status)


def _operations(spec: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in spec.get("paths", {}).values():
        for method, operation in path.items():
            if method in _METHODS:
                yield method, operation


def _response(status: int) -> dict[str, Any]:
    phrase = HTTPStatus(status).phrase
    example: dict[str, Any] = {
        "type": "about:blank",
        "title": phrase,
        "status": status,
        "detail": f"{phrase}.",
        "code": _CODES[status],
        "request_id": "01890a5dac967742b8f0a5d3c1e4f6a7",
    }
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        example["errors"] = [{"in": "body", "pointer": "/key", "kind": "missing"}]
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": phrase, "content": {MEDIA_TYPE: {"schema": schema, "example": example}}}
