"""The application behind a real server on this machine, so that a test meets sockets and connections too."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import uvicorn
from fastapi import FastAPI


@asynccontextmanager
async def one_connection(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client that keeps one connection to a server of `app`, in this loop; the app's own start is left out."""
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None, access_log=False))
    # Named as TCP, or the loop would not switch Nagle's algorithm off: each answer would wait 40 ms for an ACK.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
        async with httpx.AsyncClient(base_url=address, limits=limits, timeout=30) as client:
            yield client
        server.should_exit = True
        await serving


def line_of(answer: httpx.Response) -> int:
    """The client's port: two answers with the same came over the same connection."""
    return int(answer.extensions["network_stream"].get_extra_info("client_addr")[1])
