"""`retenir serve`: the service on one address, with servers of its own where none are named."""

import asyncio
import contextlib
import socket
from types import FrameType

import click
import uvicorn

from app.adapters.logs import configure_logging
from app.cli.boot import connected, read_settings, settle_in
from app.cli.demo import provide_demo
from app.cli.migrate import DatabaseAway, bring_up_to_date
from app.container import Container, StartRefusedError
from app.main import create_app
from app.settings import Settings

GRACE_SECONDS = 15
"""For requests under way; with the worker's own, and the servers' end, it stays under the 25 s of a deploy."""


@click.command()
def serve() -> None:
    """Serve until Ctrl-C or SIGTERM; requests under way are then finished, and the embedded servers end last.

    The schema is brought up to date first when the owner's database is known and answers. While it does not, requests
    are refused, and tried again.
    """
    given = read_settings()
    configure_logging(given.log_format, given.log_level)
    with bound_socket(given.host, given.port) as listener, connected(given) as settings:
        if settings.owner_database_url:
            with contextlib.suppress(DatabaseAway):
                bring_up_to_date(settings.owner_database_url)
        asyncio.run(refuse_early(settings))
        announcement = f"Retenir listens on {_address(listener)} (Ctrl-C ends it)"
        if given.embedded:
            demo = asyncio.run(provide_demo(settings, given.data_dir.absolute()))
            announcement += "\n" + demo.introduction(_address(listener))
        server = Server(_configuration(settings), announcement)
        server.run(sockets=[listener])
        if not server.started:
            raise click.ClickException("the service did not start")
    click.echo("stopped")


class Server(uvicorn.Server):
    """Says so once it listens; ends in its own time, at most the grace, however often it is told to."""

    def __init__(self, config: uvicorn.Config, announcement: str) -> None:
        super().__init__(config)
        self._announcement = announcement

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            settle_in()
            click.echo(self._announcement)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Instead of uvicorn's, which on the second signal leaves without closing the container."""
        self.should_exit = True


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket on that address which does not listen yet. Raises ClickException when the address is not to be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or the loop would not switch Nagle's algorithm off: each answer would wait 40 ms for an ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise click.ClickException(f"{host}:{port} is not to be had: {error.strerror} (set RETENIR_PORT)") from None
    return listener


async def refuse_early(settings: Settings) -> None:
    """Raises ClickException, with the reason, when the database is one the service must not run on.

    The application refuses too when it starts; but what it raises there reaches the log only, which keeps no texts.
    """
    try:
        container = Container(settings)
        try:
            await container.open()
        finally:
            await container.close()
    except StartRefusedError as error:
        raise click.ClickException(str(error)) from None


def _configuration(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(settings),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
