"""`retenir replay FILE`: pushes recorded conversations through a running service, and says what came of them."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from app.cli.boot import read_settings
from app.cli.client import Service, ServiceError
from app.cli.demo import PLATFORM_KEY
from app.cli.player import Player, Tally
from app.cli.tenants import Tenant, fresh_tenants, furnish
from app.cli.transcripts.files import read_file
from app.cli.transcripts.model import Transcript, UnknownShapeError, ending_at, shortened

SHOWN_FAILURES = 10
Housing = Callable[[Transcript], dict[str, Tenant]]


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, envvar="RETENIR_URL")
@click.option("--platform-key", envvar="RETENIR_PLATFORM_KEY", help="Makes the organisations. Default: the local one.")
@click.option("--key", envvar="RETENIR_KEY", help="Instead: an owner's API key, to replay into the organisation --org.")
@click.option("--org", help="How the ids of the new organisations begin; with --key, that key's own organisation.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop after that many turns.")
@click.option("--keep-dates", is_flag=True, help="Leave all times as they are.")
def replay(
    file: Path,
    url: str,
    platform_key: str | None,
    key: str | None,
    org: str | None,
    limit: int | None,
    keep_dates: bool,
) -> None:
    """Say the conversations in FILE again to a running service.

    FILE is a LoCoMo conversation, a BEAM chat, or merchant stories or turns. Each conversation gets an organisation of
    its own and is moved in time, whole, so that its last message is said now. LoCoMo's two speakers share their
    messages. Ends with a report, and with 1 where a request was refused or a job did not get done.
    """
    now = datetime.now(UTC)
    transcripts = list(_limited(_read(file), limit))
    if not keep_dates:
        transcripts = [ending_at(transcript, now) for transcript in transcripts]
    with Service(url) as service:
        if key:
            house = _guest(service, key, org, transcripts)
        else:
            prefix = org or f"replay-{now:%Y%m%dT%H%M%S}"
            house = _host(service, platform_key or local_platform_key(), prefix)
        tally, seconds = _play(service, house, transcripts)
    report(file.name, tally, seconds)
    if tally.failures:
        raise SystemExit(1)


def local_platform_key() -> str:
    """The platform key that `retenir serve` left in the data folder. Raises UsageError where there is none."""
    path = read_settings().data_dir / PLATFORM_KEY
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise click.UsageError(
            f"no platform key: pass --platform-key, or --key with --org ({path} is not there)"
        ) from error


def _read(file: Path) -> list[Transcript]:
    try:
        return read_file(file)
    except UnknownShapeError as error:
        raise click.ClickException(str(error)) from error


def _limited(transcripts: list[Transcript], limit: int | None) -> Iterator[Transcript]:
    left = limit if limit is not None else sum(t.turn_count for t in transcripts)
    for transcript in transcripts:
        if left > 0:
            yield shortened(transcript, left)
        left -= transcript.turn_count


def _host(service: Service, platform_key: str, prefix: str) -> Housing:
    """Fresh organisations, made with the platform key."""
    return lambda transcript: fresh_tenants(service, platform_key, transcript, prefix)


def _guest(service: Service, key: str, org_id: str | None, transcripts: list[Transcript]) -> Housing:
    """Everything in the one organisation of the key."""
    if org_id is None:
        raise click.UsageError("--key needs --org: the organisation that it belongs to")
    if len(transcripts) > 1 or len(transcripts[0].orgs) > 1:
        raise click.UsageError("FILE needs several organisations: use a platform key")

    def house(transcript: Transcript) -> dict[str, Tenant]:
        tenant = Tenant(org_id, key)
        furnish(service, transcript, transcript.orgs[0], tenant, key=key)
        return {transcript.orgs[0]: tenant}

    return house


def _play(service: Service, house: Housing, transcripts: list[Transcript]) -> tuple[Tally, float]:
    """The tally, and the seconds from first turns to last jobs, making organisations and counting facts left out.

    A service that stops answering ends the play: a failure like the others.
    """
    tally, seconds = Tally(), 0.0
    with click.progressbar(length=sum(t.turn_count for t in transcripts), label="Turns", show_pos=True) as bar:
        try:
            for transcript in transcripts:
                player = Player(service, house(transcript), transcript, tally, tick=lambda: bar.update(1))
                began = time.monotonic()
                player.play()
                seconds += time.monotonic() - began
                player.count_facts()
        except ServiceError as error:
            tally.failures.append(f"ended early: {error}")
    return tally, seconds


def report(name: str, tally: Tally, seconds: float) -> None:
    """Prints what came of it, one thing a line."""

    def counts(counter: Counter[str]) -> str:
        return ", ".join(f"{number} {what}" for what, number in counter.most_common()) or "none"

    rate = f"{tally.turns / seconds:.1f} turns/s" if seconds else "no time"
    click.echo(f"{name}: turns: {tally.turns} in {seconds:.1f} s ({rate}), messages stored: {tally.messages}")
    click.echo(f"jobs: {counts(tally.jobs)}")
    click.echo(f"facts: {counts(tally.facts)}")
    if tally.skipped:
        click.echo(f"turns that asked not to be remembered: {tally.skipped}")
    if tally.clipped:
        click.echo(f"messages cut to what the service takes: {tally.clipped}")
    if tally.questions:
        click.echo(f"questions answered: {tally.questions}")
    if tally.unsupported:
        click.echo(f"left out, the service has no such route: {counts(tally.unsupported)}")
    click.echo(f"failures: {len(tally.failures) or 'none'}")
    for failure in tally.failures[:SHOWN_FAILURES]:
        click.echo(f"  {failure}")
    if len(tally.failures) > SHOWN_FAILURES:
        click.echo(f"  and {len(tally.failures) - SHOWN_FAILURES} more")
