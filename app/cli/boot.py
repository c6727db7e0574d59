"""What every command does first: read the settings, and have servers that answer."""

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click
from pydantic import SecretStr, ValidationError

from app.adapters.embedded.files import keep_secret
from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import provide_database
from app.adapters.embedded.valkey import EmbeddedValkey
from app.settings import Settings, explain

ENDINGS = (signal.SIGINT, signal.SIGTERM)
GARBAGE_THRESHOLD = 10_000
"""Things made and not let go before the youngest are looked through."""


def read_settings() -> Settings:
    """From the environment and, for what is not in it, the file .env in the working folder.

    Raises ClickException, with the reasons, when they cannot be right.
    """
    try:
        return Settings(_env_file=".env")
    except ValidationError as error:
        raise click.ClickException(explain(error)) from None


def settle_in() -> None:
    """What is there once the process is ready stays for as long as it runs: it is not searched for garbage again, and
    what a request makes is searched once for several of them. A search of memory spends a seventh less.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)


@contextmanager
def connected(settings: Settings) -> Iterator[Settings]:
    """Settings that name servers to connect to: those given, or else embedded ones, which run for the block.

    Several commands may use the embedded servers at once; the last to leave ends them, also when it leaves by
    Ctrl-C or SIGTERM. A secret that was not given is the one kept in the data folder.
    """
    if not settings.embedded:
        yield settings
        return
    data = prepare_data_folder(settings.data_dir)
    postgres, valkey = EmbeddedPostgres(data / "postgres"), EmbeddedValkey(data / "valkey")
    with ExitStack() as running:
        running.enter_context(_interruptible())
        try:
            for server in (postgres, valkey):
                server.start()
                running.callback(server.stop)
        except RuntimeError as error:
            raise click.ClickException(str(error)) from None
        urls = asyncio.run(provide_database(postgres, data))
        running.callback(_deafen)
        known = {
            "embedded": False,
            "database_url": urls.serving,
            "owner_database_url": urls.owner,
            "redis_url": valkey.url(),
            "secret": settings.secret or SecretStr(keep_secret(data / "secret")),
        }
        yield Settings.model_validate(settings.model_dump() | known)


def prepare_data_folder(folder: Path) -> Path:
    """The folder is there and shows its files to nobody else; as root, whose server runs under another account,
    others may pass through it. Answers its absolute path."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    return folder.absolute()


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM, too, unwinds the program instead of cutting it off."""
    before = {signum: signal.signal(signum, _interrupt) for signum in ENDINGS}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


def _deafen() -> None:
    """Ending the servers takes a second: one more Ctrl-C must not cut it short."""
    for signum in ENDINGS:
        signal.signal(signum, signal.SIG_IGN)


def _interrupt(_signum: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
