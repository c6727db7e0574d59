"""A list route's pages: asked of a service, and answered with a cursor that fits this list and no other."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query, Request

from app.api.cursors import Cursors, Listing, PageOut, PageQuery
from app.domain.tenancy import TenantScope
from app.ports.paging import Page, PageRequest

Row = TypeVar("Row")
Item = TypeVar("Item")


class Lists:
    """The pages of the route under way. A cursor belongs to an organisation, a person, a path and its filters."""

    def __init__(self, cursors: Cursors, path: str) -> None:
        self._cursors = cursors
        self._path = path

    def request(self, scope: TenantScope, query: PageQuery) -> PageRequest:
        """What to ask of the service. Raises BadRequest("bad_cursor")."""
        return self._cursors.request(self._listing(scope, query), query)

    def page(self, scope: TenantScope, query: PageQuery, page: Page[Row], show: Callable[[Row], Item]) -> PageOut[Item]:
        """The answer, each row by `show`."""
        return self._cursors.page(self._listing(scope, query), page, show)

    def _listing(self, scope: TenantScope, query: PageQuery) -> Listing:
        filters: dict[str, Any] = {**query.filters(), "person": scope.person}
        return Listing(scope.org_id, self._path, filters)


async def lists(request: Request) -> Lists:
    """The pages of the request under way."""
    return Lists(request.app.state.cursors, request.url.path)


Listed = Annotated[Lists, Depends(lists)]
Paged = Annotated[PageQuery, Query()]
