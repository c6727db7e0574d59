"""`retenir key` and `retenir platform-key`: keys without a running service. A new key is printed alone on stdout."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import click

from app.api.deps import platform_scope
from app.cli.boot import connected, read_settings
from app.cli.direct import ID, on_database, with_container
from app.container import Container
from app.domain.credentials import KeyKind, digest, make_key
from app.domain.organisations import ApiKey
from app.domain.tenancy import Role
from app.owner import platform_keys
from app.ports.paging import PageRequest
from app.services.api_keys import ApiKeyIn
from app.settings import Settings


@click.group()
def key() -> None:
    """API keys of an organisation, directly on the database."""


@key.command()
@click.argument("org_id", type=ID)
@click.option("--name", default="command line", show_default=True)
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OWNER.value, show_default=True)
@click.option("--act-for-people", is_flag=True, help="It may name the person it speaks for.")
@click.option("--store", "stores", type=ID, multiple=True, help="Limit it to this store; may be repeated.")
@click.option("--agent", "agents", type=ID, multiple=True, help="Limit it to this agent; may be repeated.")
@click.option("--days", type=click.IntRange(1, 36500), help="It expires after so many.")
def create(
    org_id: str,
    name: str,
    role: str,
    act_for_people: bool,
    stores: tuple[str, ...],
    agents: tuple[str, ...],
    days: int | None,
) -> None:
    """Make a key. It is shown this once."""

    async def make(container: Container) -> str:
        expires_at = container.clock() + timedelta(days=days) if days else None
        wanted = ApiKeyIn(name, Role(role), act_for_people, stores or None, agents or None, expires_at)
        _, text = await container.api_keys.make(platform_scope(org_id), wanted)
        return text

    click.echo(on_database(make))


@key.command("list")
@click.argument("org_id", type=ID)
def list_keys(org_id: str) -> None:
    """All keys of an organisation, newest first: id, role, state, name."""

    async def read(container: Container) -> list[str]:
        found: list[str] = []
        request: PageRequest | None = PageRequest(limit=200)
        while request:
            page = await container.api_keys.page(platform_scope(org_id), request)
            found += [_line(one, container.clock()) for one in page.items]
            request = PageRequest(limit=200, after=page.next) if page.next else None
        return found

    for line in on_database(read):
        click.echo(line)


@key.command()
@click.argument("org_id", type=ID)
@click.argument("key_id", type=click.UUID)
def revoke(org_id: str, key_id: UUID) -> None:
    """Revoke a key: it opens nothing from then on."""

    async def end(container: Container) -> None:
        await container.api_keys.revoke(platform_scope(org_id), key_id)

    on_database(end)
    click.echo(f"revoked {key_id}", err=True)


@click.group("platform-key")
def platform_key() -> None:
    """Keys of the platform, directly on the database, as the role that owns the tables."""


@platform_key.command("create")
@click.option("--name", default="command line", show_default=True)
def create_platform_key(name: str) -> None:
    """Make a key of the platform. It is shown this once."""
    with connected(read_settings()) as settings:
        click.echo(asyncio.run(make_platform_key(settings, name)))


async def make_platform_key(settings: Settings, name: str) -> str:
    """A new key of the platform. Raises ClickException where the owner's database is not named."""
    text = make_key(KeyKind.PLATFORM)

    async def add(container: Container) -> None:
        async with platform_keys(settings) as keys:
            await keys.add(name, digest(text, container.secret), container.clock())

    await with_container(settings, add)
    return text


def _line(one: ApiKey, now: datetime) -> str:
    expired = one.expires_at is not None and one.expires_at <= now
    state = "revoked" if one.revoked_at else "expired" if expired else "live"
    return f"{one.id}  {one.role:<6}  {state:<7}  {one.name}"
