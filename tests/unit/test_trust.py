"""Whose word outranks whose: by hand before chat, and in what is shared the team before its customers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.precedence import prevailing
from app.domain.sources import Entry, Source, Trust
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS
from tests.unit.memories import (
    COMPANY,
    ME,
    SHIPPING,
    SHOP,
    Say,
    changed,
    corrected,
    day,
    folded,
    reader,
    said,
    told,
    wrote,
)

TEAM = (Trust.MEMBER, Trust.ADMIN)
SAYINGS: tuple[Say, ...] = (said, changed, corrected)


@pytest.mark.parametrize("team", TEAM)
@pytest.mark.parametrize("say", [changed, corrected])
def test_a_customer_s_update_only_contradicts_what_the_team_says_of_what_it_shares(team: Trust, say: Say) -> None:
    rows = folded(said(1, "60 €", 0, trust=team), say(2, "80 €", 1, trust=Trust.CONTACT))
    assert told(rows) == [("60 €", 1, "contradicted"), ("80 €", 1, "contradicted")]


def test_nor_do_many_customers_who_agree() -> None:
    crowd = [said(number, "80 €", number, trust=Trust.CONTACT) for number in range(2, 8)]
    rows = folded(said(1, "60 €", 0), *crowd)
    assert told(rows) == [("60 €", 1, "contradicted"), ("80 €", 6, "contradicted")]
    vouched = folded(said(1, "60 €", 0), *crowd, said(9, "80 €", 9))
    assert told(vouched) == [("60 €", 1, "superseded"), ("80 €", 7, "live")]


def test_nor_does_a_customer_who_says_again_what_somebody_of_the_team_said_before() -> None:
    team = [said(1, "60 €", 0), said(2, "60 €", 1), said(3, "80 €", 2)]
    rows = folded(*team, said(4, "60 €", 3, trust=Trust.CONTACT))
    assert told(rows)[-2:] == [("80 €", 1, "contradicted"), ("60 €", 3, "contradicted")]


@pytest.mark.parametrize(("older", "newer"), [(Trust.ADMIN, Trust.MEMBER), (Trust.MEMBER, Trust.ADMIN)])
@pytest.mark.parametrize("say", [changed, corrected])
def test_of_the_team_whoever_says_that_things_changed_is_believed(older: Trust, newer: Trust, say: Say) -> None:
    rows = folded(said(1, "60 €", 0, trust=older), say(2, "80 €", 1, trust=newer))
    assert told(rows) == [("60 €", 1, "superseded"), ("80 €", 1, "live")]


@pytest.mark.parametrize("chat", Trust)
@pytest.mark.parametrize("say", [changed, corrected])
def test_nobody_s_chat_puts_out_what_was_written_by_hand(chat: Trust, say: Say) -> None:
    rows = folded(wrote(1, "60 €", 0, trust=Trust.MEMBER), say(2, "80 €", 1, trust=chat))
    assert told(rows) == [("60 €", 1, "contradicted"), ("80 €", 1, "contradicted")]


@pytest.mark.parametrize("before", Trust)
@pytest.mark.parametrize("after", Trust)
def test_of_themself_a_person_is_believed_whatever_their_role_was(before: Trust, after: Trust) -> None:
    mine = KeyRef(ME, ATLAS, "preference.drink")
    rows = folded(said(1, "tea", 0, trust=before), corrected(2, "coffee", 1, trust=after), ref=mine)
    assert told(rows) == [("tea", 1, "superseded"), ("coffee", 1, "live")]


@pytest.mark.parametrize("ref", [SHIPPING, KeyRef(COMPANY, ATLAS, "shipping.free_from")])
def test_of_what_is_shared_the_team_s_word_is_served_though_a_customer_s_is_fresher(ref: KeyRef) -> None:
    old, fresh = said(1, "60 €", 0, confidence=0.5), said(2, "80 €", 9, confidence=1.0, trust=Trust.CONTACT)
    (served,) = prevailing(folded(old, fresh, ref=ref), reader=reader(), agent_id=ATLAS, now=day(10))
    assert served.value == "60 €"


def test_a_row_is_trusted_as_its_most_trusted_source_and_every_source_keeps_its_own() -> None:
    (row,) = folded(said(1, "60 €", 0, trust=Trust.CONTACT), said(2, "60 €", 1), said(3, "60 €", 2, trust=Trust.ADMIN))
    assert row.trust is Trust.ADMIN


@st.composite
def talks(draw: st.DrawFn) -> list[Source]:
    """Things that customers and the team say of a shop, in any order."""
    count = draw(st.integers(1, 8))
    return [
        draw(st.sampled_from(SAYINGS))(
            number, draw(st.sampled_from(["60 €", "80 €"])), number, trust=draw(st.sampled_from(list(Trust)))
        )
        for number in range(1, count + 1)
    ]


@settings(max_examples=300)
@given(talks())
def test_what_customers_say_puts_nothing_of_the_team_s_out(talk: list[Source]) -> None:
    """As the team alone would have it, each of its values stands that stood."""
    entries: list[Entry] = [*talk]
    team: list[Entry] = [one for one in talk if one.trust is not Trust.CONTACT]
    believed = {row.normal for row in folded(*entries) if row.live and row.trust is not Trust.CONTACT}
    alone = [row for row in folded(*team) if row.live]
    assert not alone or alone[-1].normal in believed
    assert all(row.ref.subject == SHOP for row in folded(*entries))
