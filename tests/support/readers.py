"""A client that takes an answer at its own pace, or goes away, as no ordinary client in one process can."""

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI


class SlowReader:
    """Asks once, takes a chunk each time it is told to, and keeps nothing but the size of what it took.

    It asks by GET, or by POST where it has something to send.
    """

    def __init__(self, app: FastAPI, client: httpx.AsyncClient, path: str, body: Any = None) -> None:
        request = client.build_request("GET" if body is None else "POST", path, json=body)
        self._scope, self._body = _http_scope(request), request.content
        self._app = app
        self._asked = False
        self._left = asyncio.Event()
        self._hungry = asyncio.Semaphore(0)
        self.answered = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.taken = 0
        self.whole = False

    async def run(self) -> None:
        """Until the application has done with the request."""
        await self._app(self._scope, self._receive, self._send)

    def take(self, chunks: int = 1_000_000) -> None:
        """Be ready for so many chunks more."""
        for _ in range(chunks):
            self._hungry.release()

    def leave(self) -> None:
        """Close the connection."""
        self._left.set()

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            self.answered.set()
            return
        await self._hungry.acquire()
        self.taken += len(message.get("body", b""))
        self.whole = not message.get("more_body", False)


def _http_scope(request: httpx.Request) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": ("retenir.test", 80),
        "client": ("127.0.0.1", 1),
    }
