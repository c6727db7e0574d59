"""Idempotency-Key, for every route that writes: `EdgeRoute` hands each request with a key to `answer_once`.

The route's services then work on one transaction, which also keeps how the request was answered.
"""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import Request

from app.api.deps import Acting
from app.api.replays import Replay, outcome_of, shown_again
from app.api.routing import DIGEST, DOCUMENT, Keyed, named_first
from app.container import Container
from app.domain.idempotency import Outcome
from app.domain.tenancy import TenantScope


async def answer_once(asked: Keyed) -> Any:
    """What the route answers; asked again, what it answered, and nothing happens.

    Raises Conflict `idempotency_mismatch`, `idempotency_running`; what the route raises, and then the key is free.
    """
    name, services = next((name, given) for name, given in asked.given.items() if isinstance(given, Container))
    scope = await _caller(asked.given)
    claim = await services.idempotency.claim(scope, asked.key, _told(asked.request))
    if isinstance(claim, Outcome):
        asked.response.status_code = claim.status
        reader = await _reader(asked) or scope
        path, again = asked.request.path_params, lambda: asked.endpoint(**asked.given)
        return await shown_again(Replay(claim, services, reader, path, asked.response, again))
    async with services.idempotency.effect(scope, claim) as effect:
        answer = await asked.endpoint(**{**asked.given, name: services.within(effect.storage)})
        await effect.finish(outcome_of(asked.response.status_code or asked.status_code, answer))
    services.work_waits()
    return answer


async def _caller(given: Mapping[str, Any]) -> TenantScope:
    """Whose key it is. Every route that writes has a gate, which gave it one of the two."""
    for value in given.values():
        if isinstance(value, TenantScope):
            return value
        if isinstance(value, Acting):
            return await value.scope_about(None)
    raise LookupError("a route without a gate was sent an Idempotency-Key")


async def _reader(asked: Keyed) -> TenantScope | None:
    """Who reads the answer again, where the body may name the person."""
    acting = next((given for given in asked.given.values() if isinstance(given, Acting)), None)
    return await acting.scope_about(named_first(asked.request)) if acting else None


def _told(request: Request) -> bytes:
    """What makes it the same request: method, path, query and document, however this one is written."""
    document = json.dumps(request.scope.get(DOCUMENT), sort_keys=True, ensure_ascii=True)
    address = request.scope["raw_path"] + b"?" + request.scope["query_string"]
    digest: bytes = request.scope.get(DIGEST, b"")
    return b" ".join((request.method.encode(), address, document.encode() + digest))
