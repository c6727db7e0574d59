"""What an export writes is read back as it was; what does not fit is named with its place."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from app.domain.checking import Checking
from app.domain.entry_records import decision_of, source_of, stamp_of
from app.domain.export import Section
from app.domain.fields import Fields, Unfit, identifier, instant, unique
from app.domain.records import event_of, message_of, person_of, store_of
from app.domain.sources import Entry, Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS, Role
from app.domain.tiers import TIERS
from app.domain.together import fold_together, named
from tests.unit.memories import SHOP, START, decided, said

KEY = KeyRef(SHOP, ATLAS, "shipping.free_from")
PERSON = {"user_id": "a", "created_at": "2026-01-01T00:00:00Z", "role": "owner", "display_name": None,
          "remember": True, "time_zone": "Europe/Paris"}  # fmt: skip


def test_a_person_is_read_back() -> None:
    person = person_of(PERSON)
    assert (person.user_id, person.role, person.remember) == ("a", Role.OWNER, True)


@pytest.mark.parametrize(
    ("changed", "pointer", "kind"),
    [
        ({"user_id": ".."}, "/user_id", "id_expected"),
        ({"user_id": ""}, "/user_id", "too_short"),
        ({"role": "king"}, "/role", "unknown_value"),
        ({"remember": 1}, "/remember", "flag_expected"),
        ({"time_zone": "Paris"}, "/time_zone", "unknown_time_zone"),
        ({"created_at": "2026-01-01"}, "/created_at", "time_without_zone"),
        ({"created_at": 3}, "/created_at", "time_expected"),
        ({"extra": None}, "/extra", "unknown_field"),
    ],
)
def test_a_person_that_does_not_fit_says_where(changed: dict[str, Any], pointer: str, kind: str) -> None:
    with pytest.raises(Unfit) as raised:
        person_of({**PERSON, **changed})
    assert (raised.value.pointer, raised.value.kind) == (pointer, kind)


@pytest.mark.parametrize("value", ["A" * 36, "00000000000000000000000000000001", "{0}", 1, None, ""])
def test_an_id_is_written_in_one_way(value: Any) -> None:
    with pytest.raises(Unfit):
        unique(value)


@pytest.mark.parametrize("value", ["a b", "é", "a\n", ".", "..", "", "x" * 256, None, 7])
def test_a_caller_s_id_is_printable_ascii(value: Any) -> None:
    with pytest.raises(Unfit):
        identifier(value)


def test_times_are_read_in_utc() -> None:
    assert instant("2026-03-01T10:00:00+02:00") == instant("2026-03-01T08:00:00Z")
    with pytest.raises(Unfit):
        instant("0001-01-01T00:00:00Z")


@pytest.mark.parametrize("told", [None, [], "x", 3, True])
def test_what_is_no_object_is_no_record(told: Any) -> None:
    for read in (person_of, store_of, message_of, event_of, source_of, decision_of, stamp_of):
        with pytest.raises(Unfit):
            read(told)


def test_a_field_that_nobody_reads_is_not_overlooked() -> None:
    at = Fields({"a": 1, "b": 2})
    at.of("a", lambda value: value)
    with pytest.raises(Unfit) as raised:
        at.end()
    assert (raised.value.pointer, raised.value.kind) == ("/b", "unknown_field")


def test_an_id_is_known_again_by_its_low_half_and_named_where_it_is_missing() -> None:
    checking = Checking()
    with pytest.raises(Unfit) as raised:
        checking.take(Section.STORES, {})
    assert raised.value.kind == "out_of_order"
    checking.take(Section.ORGANISATION, {"org_id": "a", "name": "A"})
    with pytest.raises(Unfit) as raised:
        checking.finish("")
    assert raised.value.kind == "manifest_missing"


def test_keys_that_name_each_other_are_folded_together() -> None:
    """The merged row counts for the other one, in whichever order they are looked at."""
    parcels = KeyRef(SHOP, ATLAS, "parcels")
    one, other = said(1, "Colissimo", 0), replace(said(2, "Colissimo", 1), message=None)
    merger = decided(Verdict.MERGE, 2, 2, into=str(UUID(int=1)), key=KEY.key)
    assert named(parcels, [other, merger]) == {KEY}
    assert named(KEY, [one]) == set()
    for order in ([KEY, parcels], [parcels, KEY]):
        told: dict[KeyRef, list[Entry]] = {KEY: [one], parcels: [other, merger]}
        found = fold_together({ref: told[ref] for ref in order}, TIERS)
        (kept,), (away,) = found[KEY].rows, found[parcels].rows
        assert away.merged_into == kept.id
        assert kept.confirmation_count == 2


def test_two_that_oppose_each_other_are_rivals_in_both_keys() -> None:
    parcels, later = KeyRef(SHOP, ATLAS, "parcels"), START + timedelta(days=1)
    one, other = said(1, "Colissimo", 0), replace(said(2, "Chronopost", 1), at=later)
    ids = [UUID(int=1), UUID(int=2)]
    entries: dict[KeyRef, list[Entry]] = {
        KEY: [one, decided(Verdict.OPPOSE, 1, 2, other=str(ids[1]), key=parcels.key, newer=True)],
        parcels: [
            other,
            replace(decided(Verdict.OPPOSE, 2, 2, other=str(ids[0]), key=KEY.key, newer=False), id=ids[0]),
        ],
    }
    found = fold_together(entries, TIERS)
    (older,), (newer,) = found[KEY].rows, found[parcels].rows
    assert (older.opposed, newer.opposed) == ((newer.id,), (older.id,))
    assert (older.newer_rivals, newer.newer_rivals) == (1, 0)
    assert len(found[KEY].contradictions) == 1
