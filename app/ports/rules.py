"""The organisation's rules, as kept: every version that ever stood."""

from collections.abc import AsyncIterator
from typing import Protocol

from app.domain.rules import Rules
from app.ports.paging import Page, PageRequest


class RuleVersions(Protocol):
    """Versions are added, never changed. Authors are named as long as they are there and have a role.

    The latest comes with the organisation: `Organisations.with_rules`.
    """

    async def add(self, rules: Rules) -> None:
        """Keeps the next version, which then stands. Raises Conflict where it is there already. One without author is
        of somebody who is gone.
        """
        ...

    async def page(self, request: PageRequest) -> Page[Rules]:
        """Newest first."""
        ...

    def everything(self) -> AsyncIterator[Rules]:
        """All of them, oldest first."""
        ...
