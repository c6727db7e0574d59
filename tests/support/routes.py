"""The routes of the application as it declares them: what each takes, answers, and whom it lets in."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts

from app.api.deps import Gate
from app.domain.tenancy import Rank

READS = {"GET"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One route. `gate` is None where nobody is asked who they are; `statuses` are those that its document names."""

    method: str
    path: str
    gate: Gate | None
    body: Any
    answer: Any
    operation: dict[str, Any] = field(hash=False, repr=False)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def least(self) -> Rank | None:
        """The least rank that it declares; None where it is the platform's, or open."""
        return self.gate.least if self.gate else None

    @property
    def writes(self) -> bool:
        return self.method not in READS

    @property
    def keyed(self) -> bool:
        """Whether it takes an Idempotency-Key."""
        return any(parameter["name"] == "Idempotency-Key" for parameter in self.operation.get("parameters", ()))

    @property
    def provisions(self) -> bool:
        return self.path.startswith("/orgs/")

    @property
    def is_list(self) -> bool:
        return any(parameter["name"] == "cursor" for parameter in self.operation.get("parameters", ()))

    @property
    def statuses(self) -> set[int]:
        return {int(status) for status in self.operation["responses"]}

    def at(self, **ids: str) -> str:
        """The path with these ids in it, percent-encoded."""
        return self.path.format(**{name: quote(value, safe="") for name, value in ids.items()})


def endpoints(app: FastAPI) -> list[Endpoint]:
    """Every route of ours, in the order in which they are matched."""
    paths = app.openapi()["paths"]
    return [
        _endpoint(context, method, paths)
        for context in iter_route_contexts(app.routes)
        if isinstance(context.original_route, APIRoute)
        for method in sorted(context.methods or ())
    ]


def _endpoint(context: RouteContext, method: str, paths: dict[str, Any]) -> Endpoint:
    gates = set(_gates(context.dependant))
    assert len(gates) <= 1, f"{context.path} has two gates"
    body = context.body_field.field_info.annotation if context.body_field else None
    path = str(context.path)
    operation = paths[path][method.lower()]
    return Endpoint(method, path, gates.pop() if gates else None, body, context.response_model, operation)


def _gates(dependant: Dependant) -> Iterator[Gate]:
    for each in dependant.dependencies:
        if isinstance(each.call, Gate):
            yield each.call
        yield from _gates(each)
