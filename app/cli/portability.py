"""`retenir export` and `retenir import`: an organisation's memory as a file, through a running service."""

import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import click

from app.cli.client import CutError, Service, ServiceError
from app.cli.replay import local_platform_key
from app.domain.export import LINES
from app.domain.subjects import Scope

POLL_SECONDS = 0.5
OVER = ("done", "dead", "cancelled")
CHUNK = 256 * 1024
TAIL = 4096
"""Bytes at the end of a file of lines in which the last one stands."""

_url = click.option("--url", default="http://127.0.0.1:8000", show_default=True, envvar="RETENIR_URL")
_key = click.option("--key", envvar="RETENIR_KEY", help="An owner's API key of ORG. Default: one made for the purpose.")
_platform_key = click.option(
    "--platform-key", envvar="RETENIR_PLATFORM_KEY", help="Makes that key, and revokes it. Default: the local one."
)


@click.command("export")
@click.argument("org")
@click.option("--output", "-o", type=click.File("wb"), default="-", help="Where to write. Default: standard output.")
@click.option("--scope", type=click.Choice([scope.value for scope in Scope]), help="One scope alone.")
@_url
@_key
@_platform_key
def export_memory(
    org: str, output: BinaryIO, scope: str | None, url: str, key: str | None, platform_key: str | None
) -> None:
    """Write everything that ORG remembers, one record on a line: what `retenir import` reads.

    Ends with 1 where the file is not whole.
    """
    with _service(url) as service, _owner_key(service, org, key, platform_key) as owner:
        params = {"scope": scope} if scope else {}
        asked = service.download("/memory/export", key=owner, headers={"Accept": LINES, "X-Org-Id": org}, params=params)
        try:
            with asked as (size, chunks):
                last = _written(chunks, size, output)
        except CutError:
            last = b""
    if not last.startswith(b'{"type":"manifest"'):
        raise click.ClickException(
            "the file is not whole: something was erased meanwhile, or the service stopped; try again"
        )


def _written(chunks: Iterator[bytes], size: int | None, output: BinaryIO) -> bytes:
    """Writes the chunks; answers the last line."""
    tail = b""
    with click.progressbar(chunks, length=size, label="Bytes", show_pos=True, file=_stderr()) as bar:
        for chunk in chunks:
            output.write(chunk)
            tail = (tail + chunk)[-TAIL:]
            bar.update(len(chunk))
    return b"".join(tail.splitlines()[-1:])


@click.command("import")
@click.argument("org")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_url
@_key
@_platform_key
def import_memory(org: str, file: Path, url: str, key: str | None, platform_key: str | None) -> None:
    """Bring FILE, which `retenir export` or GET /memory/export wrote, into ORG, which must be there.

    FILE is looked at whole before anything of it is kept. Ended, it goes on in the service; the same file again changes
    nothing. Ends with 1 where the file is refused or the job was given up.
    """
    with _service(url) as service, _owner_key(service, org, key, platform_key) as owner:
        headers = {"X-Org-Id": org, "Idempotency-Key": f"import-{secrets.token_hex(16)}", "Content-Type": _media(file)}
        with click.progressbar(length=file.stat().st_size, label="Bytes", show_pos=True, file=_stderr()) as bar:

            def chunks() -> Iterator[bytes]:
                with file.open("rb") as opened:
                    while chunk := opened.read(CHUNK):
                        yield chunk
                        bar.update(len(chunk))

            job = service.upload("/memory/import", chunks, key=owner, headers=headers)
        job = _follow(service, owner, job)
    click.echo(", ".join(f"{name}: {count}" for name, count in (job["result"] or {}).items()))
    if job["status"] != "done":
        raise click.ClickException(f"the job {job['id']} is {job['status']}: {job['error']}")


def _follow(service: Service, key: str, job: Any) -> Any:
    """The job once it is over; how far it has come is shown meanwhile."""
    shown = 0
    with click.progressbar(length=1, label="Records", show_pos=True, file=_stderr()) as bar:
        while True:
            job = service.call("GET", f"/memory/jobs/{job['id']}", key=key)
            if told := job["result"]:
                bar.length = told["total"]
                bar.update(told["done"] - shown)
                shown = told["done"]
            if job["status"] in OVER:
                return job
            time.sleep(POLL_SECONDS)


@contextmanager
def _service(url: str) -> Iterator[Service]:
    try:
        with Service(url, timeout=600.0) as service:
            yield service
    except ServiceError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _owner_key(service: Service, org: str, key: str | None, platform_key: str | None) -> Iterator[str]:
    """The key that was given, or one that is there for the block."""
    if key is not None:
        yield key
        return
    platform, path = platform_key or local_platform_key(), f"/orgs/{quote(org, safe='')}/api-keys"
    made = service.call("POST", path, key=platform, body={"name": "export and import", "role": "owner"})
    try:
        yield made["key"]
    finally:
        service.call("DELETE", f"{path}/{made['id']}", key=platform)


def _media(file: Path) -> str:
    with file.open("rb") as opened:
        return LINES if opened.read(8) == b'{"type":' else "application/json"


def _stderr() -> Any:
    return sys.stderr
