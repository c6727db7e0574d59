"""Every table that can hold words is named where it is erased; a new one fails here until it is."""

from sqlalchemy import ARRAY, JSON, Column, Text
from sqlalchemy.schema import Table

from app.adapters.postgres.base import Base
from app.adapters.postgres.erasable import EXEMPT, PLACES
from app.adapters.postgres.models.vectors import HalfVec
from app.domain.erasures import TOLD

CACHE = "cache_entries"


def holds_words(column: Column[object]) -> bool:
    """What callers send comes to stand in text, in JSON and in vectors made of it."""
    kind = column.type.item_type if isinstance(column.type, ARRAY) else column.type
    return isinstance(kind, Text | JSON | HalfVec) and column.name != "org_id"


def words_of(table: Table) -> list[str]:
    return [column.name for column in table.columns if holds_words(column)]


def test_every_table_with_words_is_erased_or_said_why_not() -> None:
    named = {place.name for place in PLACES} | EXEMPT.keys()
    assert {name: words_of(table) for name, table in Base.metadata.tables.items() if name not in named} == {}
    assert named == Base.metadata.tables.keys()


def test_a_table_that_nobody_named_would_fail() -> None:
    assert words_of(Table("new", Base.metadata.__class__(), Column("id", Text), Column("n", ARRAY(Text)))) == [
        "id",
        "n",
    ]


def test_no_table_is_named_twice_and_each_count_that_is_promised_has_its_place() -> None:
    names = [place.name for place in PLACES]
    assert len(set(names)) == len(names)
    assert not set(names) & EXEMPT.keys()
    assert {place.counted for place in PLACES} >= set(TOLD) - {CACHE}
