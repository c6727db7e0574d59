"""A small application behind the real edge, for tests of the edge alone. As a program it serves on a free port."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from typing import Annotated, Any

import uvicorn
from fastapi import APIRouter, FastAPI, Query
from pydantic import Field
from starlette.responses import StreamingResponse

from app.adapters.logs import configure_logging
from app.api.cursors import PageQuery
from app.api.edge import install
from app.api.openapi import OPEN, problems
from app.api.routing import router
from app.api.schemas.common import Body, CallerId, Instant, RowId
from app.domain.errors import Conflict, Invalid, RetenirError, TooMany, Unauthenticated, Unavailable

CANARY = "canary-4711"


class Note(Body):
    """A body with a field of each kind that clients get wrong."""

    text: str = Field(max_length=100, examples=["Bonjour"])
    count: int | None = None
    weight: float | None = None
    done: bool | None = None
    at: Instant | None = None
    author: CallerId | None = None
    parent: RowId | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class Notes(Body):
    """A batch."""

    items: list[Note] = Field(max_length=1000)


class NoteFilters(PageQuery):
    """A list with one filter."""

    author: CallerId | None = None


REFUSALS: dict[str, Exception] = {
    "unauthenticated": Unauthenticated(),
    "conflict": Conflict("message_conflict", "This message is stored with other words."),
    "invalid": Invalid("person_mismatch", "Two people are named.", (("/user_id", "person_mismatch"),)),
    "too_many": TooMany("too_many_requests", "Over the limit.", 7),
    "unavailable": Unavailable(),
    "accident": KeyError(CANARY),
    "long": Conflict("long", "x" * 100_000),
}


def build(**limits: Any) -> tuple[FastAPI, list[Note]]:
    """The application and the list in which it stores."""
    app = FastAPI()
    stored: list[Note] = []
    app.include_router(_memory(stored))
    app.include_router(_orgs())
    install(app, **limits)
    return app, stored


def _memory(stored: list[Note]) -> APIRouter:
    memory = router("/memory", "memory")

    @memory.post("/notes", responses=problems(409))
    async def write(note: Note) -> Note:
        stored.append(note)
        return note

    @memory.post("/batches")
    async def write_many(notes: Notes) -> int:
        stored.extend(notes.items)
        return len(notes.items)

    @memory.get("/notes")
    async def read_all(query: Annotated[NoteFilters, Query()]) -> NoteFilters:
        return query

    @memory.get("/notes/{note_id}")
    async def read(note_id: RowId) -> RowId:
        return note_id

    @memory.post("/notes/{note_id}/pin")
    async def pin(note_id: RowId) -> RowId:
        return note_id

    return memory


def _orgs() -> APIRouter:
    orgs = router("/orgs", "orgs")

    @orgs.get("/{org_id}/people/{person_id}")
    @orgs.delete("/{org_id}/people/{person_id}")
    async def person(org_id: CallerId, person_id: CallerId) -> list[str]:
        return [org_id, person_id]

    @orgs.get("/{org_id}/refusals/{name}", openapi_extra=OPEN)
    async def refuse(org_id: CallerId, name: str) -> None:
        raise REFUSALS[name]

    @orgs.get("/{org_id}/halves")
    async def half(org_id: CallerId) -> StreamingResponse:
        return StreamingResponse(_half_an_answer())

    return orgs


async def _half_an_answer() -> AsyncIterator[bytes]:
    yield b"first half"
    raise RetenirError(CANARY, CANARY)


def main() -> None:
    """Serve on a free port of 127.0.0.1, which is printed, with a body deadline of half a second."""
    configure_logging("json")
    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    app, _ = build(body_seconds=0.5)
    asyncio.run(uvicorn.Server(uvicorn.Config(app, log_config=None)).serve([listener]))


if __name__ == "__main__":
    main()
