"""One keep-alive connection that asks with as little work as can be, for the service shares the machine with us."""

import asyncio
import json
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit


class Line:
    """Requests one after the other over one connection. Use as a context manager."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname, parts.port

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """The status and the body of the answer to a request that `request` made."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return int(head[9:12]), await self._reader.readexactly(int(length or b"0"))


def request(method: str, path: str, key: str = "", person: str = "", body: Any = None) -> bytes:
    """The whole request as bytes."""
    sent = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: retenir", f"Content-Length: {len(sent)}"]
    lines += ["Content-Type: application/json"] if sent else []
    lines += [f"Authorization: Bearer {key}"] if key else []
    lines += [f"X-User-Id: {person}"] if person else []
    return "\r\n".join([*lines, "", ""]).encode() + sent
