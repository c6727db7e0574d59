"""`retenir org`: organisations made and deleted without a running service."""

import click

from app.api.deps import platform_scope
from app.cli.direct import ID, ZONE, on_database
from app.container import Container
from app.domain.organisations import Language


@click.group()
def org() -> None:
    """Organisations, directly on the database."""


@org.command()
@click.argument("org_id", type=ID)
@click.option("--name", help="For people; the id where it is not given.")
@click.option("--language", type=click.Choice([language.value for language in Language]))
@click.option("--time-zone", type=ZONE)
def create(org_id: str, name: str | None, language: str | None, time_zone: str | None) -> None:
    """Make an organisation, or rename it. What is not given stays as it is."""

    async def put(container: Container) -> bool:
        chosen = Language(language) if language else None
        _, is_new = await container.organisations.put(platform_scope(org_id), name or org_id, chosen, time_zone)
        return is_new

    click.echo(f"{'made' if on_database(put) else 'changed'} {org_id}", err=True)


@org.command()
@click.argument("org_id", type=ID)
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(org_id: str, yes: bool) -> None:
    """Remove an organisation with all that is in it."""
    if not yes:
        click.confirm(f"Everything that {org_id} holds will be gone. Go on?", abort=True)

    async def remove(container: Container) -> None:
        await container.erasures.organisation(platform_scope(org_id))

    on_database(remove)
    click.echo(f"deleted {org_id}", err=True)
