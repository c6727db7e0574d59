"""A cursor works for the list it came from and for no other."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.cursors import Cursors, Listing, PageQuery
from app.domain.errors import BadRequest
from app.ports.paging import Page, PageKey, PageRequest

CURSORS = Cursors(b"a secret of the tests, long enough")
FACTS = Listing("org-a", "/memory/facts/{scope}", {"scope": "store", "agent": None})
KEY: tuple[PageKey, ...] = (datetime(2024, 3, 1, 12, tzinfo=UTC), UUID(int=7), 0.5, 3, "a/b", True, None)


def refused(listing: Listing, cursor: str, cursors: Cursors = CURSORS) -> None:
    with pytest.raises(BadRequest) as refusal:
        cursors.decode(listing, cursor)
    assert refusal.value.code == "bad_cursor"


@given(
    st.lists(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text()
        | st.uuids()
        | st.datetimes(timezones=st.just(UTC)),
        max_size=4,
    )
)
def test_the_key_comes_back_as_it_was(key: list[PageKey]) -> None:
    cursor = CURSORS.encode(FACTS, tuple(key))
    assert cursor.replace("-", "").replace("_", "").isalnum()
    assert CURSORS.decode(FACTS, cursor) == tuple(key)


def test_another_place_or_secret_is_refused() -> None:
    cursor = CURSORS.encode(FACTS, KEY)
    for elsewhere in (
        replace(FACTS, org_id="org-b"),
        replace(FACTS, route="/memory/events"),
        replace(FACTS, filters={"scope": "user", "agent": None}),
        replace(FACTS, filters={"scope": "store"}),
    ):
        refused(elsewhere, cursor)
    refused(FACTS, cursor, Cursors(b"another secret"))


def test_a_cursor_cut_or_flipped_anywhere_is_refused() -> None:
    cursor = CURSORS.encode(FACTS, KEY)
    for at in range(len(cursor)):
        refused(FACTS, cursor[:at])
        refused(FACTS, cursor[:at] + ("B" if cursor[at] == "A" else "A") + cursor[at + 1 :])
    for bad in (cursor + "=", cursor + "A", cursor + "\n", "é" + cursor, "*", " ", "A" * 100_000):
        refused(FACTS, bad)


def test_a_query_becomes_a_request_and_a_page_an_answer() -> None:
    rows: Page[int] = Page(items=[1, 2], next=KEY, total=9)
    page = CURSORS.page(FACTS, rows, show=str)
    assert (page.items, page.total) == (["1", "2"], 9)
    asked = CURSORS.request(FACTS, PageQuery(limit=2, cursor=page.next_cursor, total=True))
    assert asked == PageRequest(limit=2, after=KEY, with_total=True)
    assert CURSORS.request(FACTS, PageQuery()) == PageRequest(limit=50, after=None, with_total=False)


def test_total_shows_only_when_asked_for_and_the_cursor_always() -> None:
    nothing: Page[int] = Page(items=[])
    last = CURSORS.page(FACTS, nothing, show=str)
    assert last.model_dump_json() == '{"items":[],"next_cursor":null}'
    counted = CURSORS.page(FACTS, replace(nothing, total=0), show=str)
    assert counted.model_dump_json() == '{"items":[],"next_cursor":null,"total":0}'


def test_an_empty_cursor_is_a_bad_one() -> None:
    refused(FACTS, "")
