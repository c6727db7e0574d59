"""Export."""

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, Final

import structlog
from fastapi import Header, Response
from starlette.types import Receive, Scope, Send

from app.api.deps import Contact, Services
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.export import EXAMPLE_LINES, ExportFor, ExportOut
from app.domain.export import LINES
from app.services.export_document import Cut, Document
from app.services.export_shapes import JsonShape, LineShape, Shape

STALLED_SECONDS: Final = 60.0
"""A reader who takes nothing for so long is given up, and leaves its place to another export."""

_log = structlog.stdlib.get_logger("retenir.export")
routes = router("/memory", "export")


@routes.get(
    "/export",
    response_model=None,
    responses={
        200: {
            "model": ExportOut,
            "description": "The document, as a stream.",
            "content": {LINES: {"schema": {"type": "string"}, "example": EXAMPLE_LINES}},
        },
        **problems(429),
    },
)
async def export(
    scope: Contact, services: Services, query: ExportFor, accept: Annotated[str | None, Header()] = None
) -> Response:
    """Everything held that you may read, as one JSON document of one instant; with `Accept: application/x-ndjson`, one
    record on a line, `{"type": …, "record": {…}}`.

    A person takes what is about themself, and of shared facts those marked for everyone; an admin also the organisation
    and its stores; an owner everything. API keys' secrets and jobs are in no export. At most two of an organisation are
    under way at once. What is over 1 MiB is sent while it is still being written, without a length. The document ends
    with its manifest: without it, it is not whole. What is erased meanwhile ends it before, as does a failure. An owner
    brings it in again by `POST /memory/import`.
    """
    lines = wants_lines(accept or "")
    document = services.export.document(scope, query.scope, lines=lines)
    return DocumentResponse(document, LineShape if lines else JsonShape)


def wants_lines(accept: str) -> bool:
    """Whether the header asks for NDJSON."""
    asked = [part.replace(" ", "").split(";") for part in accept.lower().split(",")]
    return any(media == LINES and "q=0" not in more for media, *more in asked)


class DocumentResponse(Response):
    """Sends a document that is begun when the answer begins: until then a failure is still an answer of its own.

    The document is let go when it is sent, when the client goes away, and when it takes nothing for `patience` seconds;
    what was not written of it by then never is.
    """

    def __init__(
        self,
        document: AbstractAsyncContextManager[Document],
        shape: type[Shape] = JsonShape,
        patience: float = STALLED_SECONDS,
    ) -> None:
        super().__init__(
            media_type=shape.media_type,
            headers={"content-disposition": f'attachment; filename="{shape.name}"'},
        )
        del self.headers["content-length"]  # that of no body, which a Response begins with
        self._document = document
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _while_heard(receive, self._send(send))

    async def _send(self, send: Send) -> None:
        async with self._document as document:
            if document.length is not None:
                self.headers["content-length"] = str(document.length)
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            try:
                await self._send_body(document, send)
            except Cut:
                _log.warning("export_cut")  # what the server says of it, that an answer did not end, is meant
            except TimeoutError:
                _log.warning("export_stalled")

    async def _send_body(self, document: Document, send: Send) -> None:
        """Chunk by chunk. Raises TimeoutError on a reader who stalls, Cut where the document must not end; an answer
        that never ends cuts the connection.
        """
        more = True
        while more:
            chunk = await document.read()
            more = bool(chunk)
            async with asyncio.timeout(self._patience):
                await send({"type": "http.response.body", "body": chunk, "more_body": more})


async def _while_heard(receive: Receive, work: Coroutine[Any, Any, None]) -> None:
    """Does the work, and stops it when the client goes away. Raises what the work raises."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.wait({working, leaving})
    if not working.cancelled():
        working.result()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
