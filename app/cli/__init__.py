"""The `retenir` command line: one command a file, gathered here."""

import click

from app.cli.audit import verify_audit
from app.cli.erasures import erasure_ledger, replay_erasures
from app.cli.keys import key, platform_key
from app.cli.migrate import migrate
from app.cli.portability import export_memory, import_memory
from app.cli.provisioning import org
from app.cli.reembed import reembed
from app.cli.replay import replay
from app.cli.serve import serve
from app.cli.worker import worker


@click.group()
def main() -> None:
    """Long-term memory for the agents of a shop. Settings are RETENIR_… variables, or lines of a file .env here."""


for command in (
    *(serve, worker, migrate, org, key, platform_key, replay, reembed, verify_audit),
    *(erasure_ledger, replay_erasures),
    export_memory,
    import_memory,
):
    main.add_command(command)
