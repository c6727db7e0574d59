"""`retenir erasure-ledger` and `retenir replay-erasures`: erased stays erased, also after a restore."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import IO

import click

from app.api.deps import platform_scope
from app.cli.direct import on_database
from app.container import Container
from app.domain.erasures import Erased, ThingKind
from app.services.erasure_replay import ErasureReplay, LedgerLine


@click.command("erasure-ledger")
def erasure_ledger() -> None:
    """Print the ledger of what was erased, a JSON object on each line: keyed hashes and times, no word and no id.

    Keep it beside the backups, and print it more often than these: what a restore brings back it takes away again.
    """

    async def told(container: Container) -> None:
        async for one in _replay(container).lines():
            click.echo(json.dumps(_document(one)))

    on_database(told)


@click.command("replay-erasures")
@click.argument("ledger", type=click.File("r"), required=False)
def replay_erasures(ledger: IO[str] | None) -> None:
    """After a restore, before anybody is served: erase again what was erased since the backup.

    LEDGER is what `retenir erasure-ledger` printed last, - for standard input. What the database itself knows is done
    again in any case. The secret must be the one of then. Done twice it changes nothing more.
    """
    kept = _read(ledger or ())
    done = on_database(lambda container: _replay(container).replay(kept))
    told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(done.items())) or "nothing"
    click.echo(f"erased again: {told}", err=True)


def _replay(container: Container) -> ErasureReplay:
    return ErasureReplay(container.storage, container.directory, container.erasures, container.clock, platform_scope)


def _document(one: LedgerLine) -> dict[str, str | None]:
    return {
        "organisation": one.organisation.hex() if one.organisation else None,
        "kind": one.line.kind.value,
        "digest": one.line.digest.hex(),
        "at": one.line.at.isoformat(),
    }


def _read(lines: Iterable[str]) -> list[LedgerLine]:
    """Raises ClickException, with the number of the line, for what is no line of a ledger."""
    kept = []
    for number, line in enumerate(lines, 1):
        try:
            told = json.loads(line)
            at = datetime.fromisoformat(told["at"]).astimezone(UTC)
            erased = Erased(bytes.fromhex(told["digest"]), ThingKind(told["kind"]), at)
            named = told["organisation"]
            kept.append(LedgerLine(bytes.fromhex(named) if named is not None else None, erased))
        except (ValueError, KeyError, TypeError):
            raise click.ClickException(f"line {number} is none of a ledger") from None
    return kept
