"""The shared types take what the interface promises and nothing near it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from app.api.schemas.common import Body, CallerId, Instant, RowId, SentAt


class Everything(Body):
    id: CallerId | None = None
    at: Instant | None = None
    sent: SentAt | None = None
    row: RowId | None = None
    count: int | None = None
    share: float | None = None
    flag: bool | None = None
    text: str | None = None


def kind_of(**fields: Any) -> str:
    with pytest.raises(ValidationError) as refusal:
        Everything.model_validate(fields)
    return refusal.value.errors()[0]["type"]


@pytest.mark.parametrize("good", ["a", "x" * 255, "!", "~", "a/b==", "...", "+33612345678", "é".encode().hex()])
def test_a_caller_s_id(good: str) -> None:
    assert Everything(id=good).id == good


@pytest.mark.parametrize("bad", ["", " ", "a b", "a\n", "\t", "é", "\x7f", "\0", ".", "..", "x" * 256, 7, True, b"a"])
def test_no_caller_s_id(bad: Any) -> None:
    assert kind_of(id=bad)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-03-01T12:00:00Z", datetime(2024, 3, 1, 12, tzinfo=UTC)),
        ("2024-03-01T12:00:00.123456+02:00", datetime(2024, 3, 1, 10, 0, 0, 123456, tzinfo=UTC)),
        ("2024-02-29T23:30-01:00", datetime(2024, 3, 1, 0, 30, tzinfo=UTC)),
        ("1000-01-01T00:00:00+14:00", datetime(999, 12, 31, 10, tzinfo=UTC)),
    ],
)
def test_a_time_is_kept_in_utc(text: str, moment: datetime) -> None:
    at = Everything.model_validate({"at": text}).at
    assert at == moment
    assert at is not None
    assert at.tzinfo is UTC


def test_a_time_of_sending_keeps_the_sender_s_offset() -> None:
    for text, offset in (("Z", timedelta(0)), ("+00:00", timedelta(0)), ("-03:30", timedelta(hours=-3.5))):
        sent = Everything.model_validate({"sent": f"2024-03-01T12:00:00{text}"}).sent
        assert sent is not None
        assert (sent.utcoffset(), sent.tzinfo is UTC) == (offset, text == "Z")


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("2024-03-01T12:00:00", "time_without_zone"),
        ("0001-01-01T00:00:00+14:00", "time_out_of_range"),
        ("9999-12-31T23:59:59-14:00", "time_out_of_range"),
        ("2024-03-01", "time_format"),
        ("1700000000", "time_format"),
        (1.7e9, "time_format"),
        (True, "time_format"),
        ("yesterday", "time_format"),
        ("2024-13-01T12:00:00Z", "datetime_from_date_parsing"),
        ("2024-03-01T24:00:01Z", "datetime_from_date_parsing"),
    ],
)
def test_no_time(bad: Any, kind: str) -> None:
    assert kind_of(at=bad) == kind_of(sent=bad) == kind


def test_nothing_is_converted() -> None:
    assert kind_of(count="1") == "int_type"
    assert kind_of(count=True) == "int_type"
    assert kind_of(count=1.0) == "int_type"
    assert kind_of(share="0.5") == "float_type"
    assert kind_of(flag=1) == "bool_type"
    assert kind_of(flag="true") == "bool_type"
    assert kind_of(text=1) == "string_type"
    assert kind_of(row="not-a-uuid") == "uuid_parsing"
    assert kind_of(unknown=1) == "extra_forbidden"
    assert Everything(share=1).share == 1.0


class Batch(Body):
    items: list[Everything]


def test_a_thousand_faults_are_listed_and_more_are_one() -> None:
    with pytest.raises(ValidationError) as refusal:
        Batch.model_validate({"items": [{"count": "1"}] * 1000})
    assert {fault["loc"] for fault in refusal.value.errors()} == {("items", index, "count") for index in range(1000)}
    with pytest.raises(ValidationError) as refusal:
        Batch.model_validate({"items": [{"count": "1", "flag": 1}] * 501})
    assert [(fault["loc"], fault["type"]) for fault in refusal.value.errors()] == [((), "too_many_faults")]


def test_a_refusal_hides_the_value() -> None:
    with pytest.raises(ValidationError) as refusal:
        Everything.model_validate({"count": "canary"})
    assert "canary" not in str(refusal.value)
