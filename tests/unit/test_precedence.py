"""Who is served which of several beliefs."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.facts import Fact
from app.domain.precedence import EVERYTHING, Wanted, faded, may_be_served, prevailing
from app.domain.sources import Audience
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import ATLAS, Rank, TenantScope
from tests.unit.memories import COMPANY, ME, SHOP, day, fact, reader

MEMBER, CONTACT = reader(), reader(Rank.CONTACT)


def served(
    *facts: Fact, by: TenantScope = MEMBER, agent_id: str = ATLAS, at: float = 0.0, wanted: Wanted = EVERYTHING
) -> list[int]:
    """The numbers of the facts that prevail, in order."""
    rows = prevailing(facts, reader=by, agent_id=agent_id, now=day(at), wanted=wanted)
    return sorted(row.id.int for row in rows)


PERSONAL, OF_SHOP, OF_COMPANY = fact(1, about=ME), fact(2, about=SHOP), fact(3, about=COMPANY)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([PERSONAL, OF_SHOP, OF_COMPANY], [1]),
        ([OF_SHOP, OF_COMPANY], [2]),
        ([OF_COMPANY], [3]),
        ([fact(1, about=ME, confidence=0.3), fact(2, about=SHOP, confidence=1.0, pinned=True)], [1]),
        ([PERSONAL, fact(2, "tone", about=SHOP)], [1, 2]),
        ([], []),
    ],
)
def test_person_goes_before_store_before_organisation(facts: list[Fact], expected: list[int]) -> None:
    assert served(*facts) == expected
    assert served(*reversed(facts)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([fact(1, agent_id="maya", confidence=0.3), fact(2, confidence=1.0)], [1]),
        ([fact(1, about=COMPANY, agent_id="maya"), fact(2, about=SHOP)], [2]),
        ([fact(1, "tone", agent_id="maya"), fact(2)], [1, 2]),
    ],
)
def test_the_own_pocket_goes_before_the_shared_one_within_a_scope(facts: list[Fact], expected: list[int]) -> None:
    assert served(*facts, agent_id="maya") == expected


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        (fact(1, newer_rivals=1), fact(2, at=1), 2),
        (fact(1, newer_rivals=1, pinned=True), fact(2, at=1), 1),
        (fact(1, newer_rivals=1, confidence=1.0), fact(2, at=1, confidence=0.41), 1),
        (fact(1, newer_rivals=1, confidence=0.8), fact(2, at=0, confidence=0.4), 2),
        (fact(1, newer_rivals=1, pinned=True), fact(2, at=1, pinned=True), 2),
    ],
    ids=["halved", "pinned", "higher", "newer of equals", "both pinned"],
)
def test_a_contradicted_key_has_one_value(older: Fact, newer: Fact, expected: int) -> None:
    assert served(older, newer, at=1) == [expected]
    assert served(newer, older, at=1) == [expected]


def test_many_values_stand_together_in_the_narrowest_place() -> None:
    shop = [fact(1, "suppliers", "Duval", many=True), fact(2, "suppliers", "Perrot", many=True)]

    assert served(*shop, fact(3, "suppliers", "Blanc", about=COMPANY, many=True)) == [1, 2]


def test_values_that_a_person_let_hold_stand_together() -> None:
    both = [fact(1, content="60 €"), fact(2, content="80 €", at=1)]

    assert served(*both) == [1, 2]
    assert served(*both, fact(3, content="90 €", contradicted=True)) != [1, 2, 3]


def test_watch_facts_never_compete_with_ours() -> None:
    theirs, marked = fact(2, "watch.rival_fr.shipping", tags=("veille",)), fact(3, tags=("veille",), confidence=1.0)

    assert served(fact(1), theirs, marked) == [1, 2, 3]


@pytest.mark.parametrize("rank", [Rank.MEMBER, Rank.ADMIN, Rank.OWNER])
def test_the_team_is_served_its_own_person_and_what_is_shared(rank: Rank) -> None:
    theirs = fact(4, "size", about=UserSubject("bob"))

    assert served(fact(1, "a", about=ME), fact(2, "b"), fact(3, "c", about=COMPANY), theirs, by=reader(rank)) == [
        1,
        2,
        3,
    ]


def test_a_contact_is_served_their_own_and_what_is_for_everyone() -> None:
    facts = [
        fact(1, "size", about=ME),
        fact(2, "size", about=UserSubject("bob")),
        fact(3, "margin"),
        fact(4, "strategy", about=COMPANY),
        fact(5, "hours", audience=Audience.EVERYONE),
        fact(6, "address", about=COMPANY, audience=Audience.EVERYONE),
    ]

    assert served(*facts, by=CONTACT) == [1, 5, 6]


def test_what_a_reader_may_not_see_does_not_hide_what_they_may() -> None:
    team_only, public = fact(1, "hours"), fact(2, "hours", about=COMPANY, audience=Audience.EVERYONE)

    assert served(team_only, public, by=CONTACT) == [2]
    assert served(team_only, public) == [1]


@pytest.mark.parametrize(
    "nobody", [reader(Rank.PLATFORM, None), reader(Rank.CONTACT, None)], ids=["the platform", "a contact unnamed"]
)
def test_who_is_nobody_here_is_served_nothing(nobody: TenantScope) -> None:
    for row in (PERSONAL, OF_SHOP, fact(4, audience=Audience.EVERYONE)):
        assert not may_be_served(row, nobody)


def test_a_key_that_speaks_for_no_person_is_served_no_person() -> None:
    assert served(fact(1, "a", about=ME), fact(2, "b"), by=reader(Rank.ADMIN, None)) == [2]


def test_what_has_faded_is_served_no_more_unless_pinned() -> None:
    plain, pinned = fact(1, "a"), fact(2, "b", pinned=True)

    assert served(plain, pinned, at=179) == [1, 2]
    assert served(plain, pinned, at=181) == [2]
    assert faded(plain, day(181))


def test_what_has_faded_hides_nothing() -> None:
    assert served(fact(1, about=ME, confidence=0.3), fact(2, about=SHOP), at=100) == [2]


def test_what_is_archived_is_not_served() -> None:
    assert served(fact(1, archived_at=day(0)), fact(2, about=COMPANY)) == [2]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), [1, 2, 3]),
        (Wanted(min_score=0.75), [1, 3]),
        (Wanted(scopes=frozenset({Scope.STORE, Scope.ORG})), [2, 3]),
        (Wanted(scopes=frozenset()), []),
        (Wanted(tags=frozenset({"legal", "sea"})), [2]),
        (Wanted(min_score=0.75, tags=frozenset({"legal"})), []),
    ],
)
def test_a_caller_may_want_less(wanted: Wanted, expected: list[int]) -> None:
    facts = [fact(1, "a", about=ME), fact(2, "b", tags=("legal",), confidence=0.7), fact(3, "c", about=COMPANY)]

    assert served(*facts, wanted=wanted) == expected


def test_wanting_less_does_not_bring_an_outranked_value_back() -> None:
    assert served(PERSONAL, OF_SHOP, wanted=Wanted(scopes=frozenset({Scope.STORE}))) == []
    older, newer = fact(1, tags=("legal",), newer_rivals=1), fact(2)
    assert served(older, newer, wanted=Wanted(tags=frozenset({"legal"}))) == []


@given(
    st.lists(
        st.builds(
            fact,
            st.integers(1, 10_000),
            st.sampled_from(["a", "b", "watch.x.a"]),
            about=st.sampled_from([ME, SHOP, COMPANY, UserSubject("bob")]),
            agent_id=st.sampled_from([ATLAS, "maya"]),
            confidence=st.sampled_from([0.3, 0.8]),
            pinned=st.booleans(),
            audience=st.sampled_from(Audience),
            at=st.sampled_from([0.0, 1.0]),
            contradicted=st.just(True),
        ),
        unique_by=lambda row: row.id,
    ),
    st.sampled_from([MEMBER, CONTACT]),
    st.randoms(use_true_random=False),
)
def test_one_value_for_each_key_whatever_the_order(facts: list[Fact], by: TenantScope, chance: Random) -> None:
    shuffled = chance.sample(facts, len(facts))
    rows = prevailing(facts, reader=by, agent_id="maya", now=day(2))

    assert len({row.ref.key for row in rows}) == len(rows)
    assert {row.ref.key for row in rows} == {row.ref.key for row in facts if may_be_served(row, by)}
    assert served(*shuffled, by=by, agent_id="maya", at=2) == sorted(row.id.int for row in rows)
