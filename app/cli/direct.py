"""Commands that work on the database themselves, with the platform's hand, whether or not a service runs."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click
from pydantic import TypeAdapter, ValidationError

from app.api.schemas.common import CallerId
from app.api.schemas.names import TimeZone
from app.cli.boot import connected, read_settings
from app.container import Container, StartRefusedError
from app.domain.errors import RetenirError
from app.settings import Settings

Result = TypeVar("Result")


class Checked(click.ParamType[str]):
    """An argument that obeys the same rule as over HTTP."""

    def __init__(self, name: str, kind: Any, rule: str) -> None:
        self.name = name
        self._adapter: TypeAdapter[str] = TypeAdapter(kind)
        self._rule = rule

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value itself. Ends the command with the rule where it is broken."""
        try:
            return self._adapter.validate_python(value)
        except ValidationError:
            self.fail(self._rule, param, ctx)


ID = Checked("id", CallerId, "an id is 1 to 255 printable ASCII characters without a space")
ZONE = Checked("zone", TimeZone, "a time zone is a name of the IANA database, such as Europe/Paris")


def on_database(act: Callable[[Container], Awaitable[Result]]) -> Result:
    """What `act` answers, given the service's parts on the database of the settings, embedded or named.

    Raises ClickException, with the reason, for whatever is refused.
    """
    with connected(read_settings()) as settings:
        return asyncio.run(with_container(settings, act))


async def with_container(settings: Settings, act: Callable[[Container], Awaitable[Result]]) -> Result:
    """As `on_database`, on servers that answer already."""
    try:
        container = Container(settings)
        try:
            await container.open()
            return await act(container)
        finally:
            await container.close()
    except RetenirError as error:
        raise click.ClickException(error.detail) from None
    except StartRefusedError as error:
        raise click.ClickException(str(error)) from None
