"""Pages: how a list is asked for, and cursors that only fit the list they came from.

A cursor is base64url of a signature and the key of the last row seen. The signature also covers the organisation, the
route and every filter, which are not in the cursor: one from elsewhere is as wrong as one that was tampered with.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.api.examples import example_of_page
from app.domain.errors import BadRequest
from app.ports.paging import Page, PageKey, PageRequest

Row = TypeVar("Row")
Item = TypeVar("Item")
_SIGNATURE_BYTES: Final = 16
_LONGEST: Final = 2048


class PageQuery(BaseModel):
    """The query of every list; a list with filters derives from it. An unknown parameter is refused, as in a body."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    limit: int = Field(default=50, ge=1, le=200, description="Items on one page.")
    cursor: str | None = Field(default=None, description="`next_cursor` of the page before, for the same filters.")
    total: bool = Field(default=False, description="Count all items as well.")

    def filters(self) -> dict[str, Any]:
        """What chooses the rows: everything but how they are paged."""
        return self.model_dump(mode="json", exclude={"limit", "cursor", "total"})


class PageOut(BaseModel, Generic[Item]):
    """One page. `next_cursor` is null on the last; `total` is there when it was asked for."""

    model_config = ConfigDict(json_schema_extra=example_of_page)

    items: list[Item]
    next_cursor: str | None
    total: int | None = Field(default=None, exclude_if=lambda total: total is None)


@dataclass(frozen=True, slots=True)
class Listing:
    """Which list a cursor belongs to. `route` is its template, `filters` the JSON values that choose its rows."""

    org_id: str
    route: str
    filters: Mapping[str, Any]


class Cursors:
    """Signs and reads cursors. `secret` is the service's; the same on every instance, or pages end at each change."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"retenir cursor v1", hashlib.sha256)

    def request(self, listing: Listing, query: PageQuery) -> PageRequest:
        """What to ask of the storage. Raises BadRequest("bad_cursor")."""
        after = None if query.cursor is None else self.decode(listing, query.cursor)
        return PageRequest(limit=query.limit, after=after, with_total=query.total)

    def page(self, listing: Listing, page: Page[Row], show: Callable[[Row], Item]) -> PageOut[Item]:
        """The answer for one page of the storage, each row by `show`."""
        cursor = None if page.next is None else self.encode(listing, page.next)
        return PageOut(items=[show(row) for row in page.items], next_cursor=cursor, total=page.total)

    def encode(self, listing: Listing, key: tuple[PageKey, ...]) -> str:
        """A cursor behind the row whose key is `key`."""
        payload = json.dumps([_plain(value) for value in key], separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._sign(listing, payload) + payload).rstrip(b"=").decode()

    def decode(self, listing: Listing, cursor: str) -> tuple[PageKey, ...]:
        """The key that `encode` was given for the same `listing`. Raises BadRequest("bad_cursor") for all else."""
        raw = _unpacked(cursor)
        signature, payload = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(listing, payload)):
            raise _bad_cursor()
        return tuple(_typed(value) for value in json.loads(payload))

    def _sign(self, listing: Listing, payload: bytes) -> bytes:
        place = json.dumps([listing.org_id, listing.route, listing.filters], sort_keys=True).encode()
        framed = len(place).to_bytes(8) + place + payload
        return hmac.digest(self._key, framed, hashlib.sha256)[:_SIGNATURE_BYTES]


def _bad_cursor() -> BadRequest:
    return BadRequest("bad_cursor", "This cursor does not belong to this list. Start again without one.")


def _unpacked(cursor: str) -> bytes:
    if len(cursor) > _LONGEST:
        raise _bad_cursor()
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        raise _bad_cursor() from None
    # Base64 ignores stray characters and spare bits: only the one spelling that we write is a cursor.
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != cursor:
        raise _bad_cursor()
    return raw


def _plain(value: PageKey) -> object:
    match value:
        case datetime():
            return {"time": value.isoformat()}
        case date():
            return {"day": value.isoformat()}
        case UUID():
            return {"uuid": value.hex}
        case _:
            return value


def _typed(value: Any) -> PageKey:
    match value:
        case {"time": text}:
            return datetime.fromisoformat(text)
        case {"day": text}:
            return date.fromisoformat(text)
        case {"uuid": text}:
            return UUID(text)
        case str() | int() | float() | None:
            return value
    raise _bad_cursor()
