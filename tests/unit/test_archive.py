"""What may be quoted of what was said before, and that the block keeps its budget with it."""

from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.archive import LONGEST_QUOTE, MOST_MESSAGES, Archive, PastMessage, near_facts, quotable
from app.domain.block import Block, compose
from app.domain.budget import Budgets
from app.domain.facts import Fact
from app.domain.messages import Message, Speaker
from app.domain.organisations import Language
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS
from app.domain.tokens import estimate
from tests.unit.memories import ME, SHIPPING, SHOP, START, day, fact, reader

SIXTY = fact(1, value="60 €", normal="60 eur", content="Livraison offerte dès 60 €")
EIGHTY = fact(2, value="80 €", normal="80 eur", content="Livraison offerte dès 80 €", at=1)
OLD = replace(SIXTY, archived_at=day(1), superseded_by=EIGHTY.id)
SAYS_60, SAYS_80 = ((SHIPPING, row.normal) for row in (SIXTY, EIGHTY))


def past(content: str, *states: tuple[KeyRef, str], number: int = 1, score: float = 0.5) -> PastMessage:
    """Message `m<number>` of another conversation, said on the first day."""
    names = ("before", f"m{number}", "web")
    said = Message(UUID(int=number), *names, Speaker.USER, content, START, None, "alice", "shop1", ATLAS, START)
    return PastMessage(said, score, date(2026, 3, 1), states)


def quoted(*messages: PastMessage, rows: tuple[Fact, ...] = (OLD, EIGHTY), served: tuple[Fact, ...] = ()) -> list[str]:
    archive = Archive(messages=messages, rows=rows)
    standing = [row for row in rows if row.live]
    return [each.message.content for each in quotable(archive, standing, served)]


@pytest.mark.parametrize(
    "content",
    [
        "La livraison est offerte dès 60 €.",
        "Livraison : 60,00 euros minimum",
        "offerte à partir de soixante ? non, 60",
        "Rappel livraison : € 60",
        "C'est 60 €.",
        "60",
    ],
)
def test_a_sentence_that_holds_a_superseded_value_is_not_quoted(content: str) -> None:
    assert quoted(past(content)) == []


@pytest.mark.parametrize(
    "content",
    [
        "La livraison offerte plaît aux clients.",
        "La livraison est offerte dès 80 €.",
        "La livraison est offerte dès 160 €.",
        "Le transporteur passe tous les 60 jours.",
        "Paul a soixante ans.",
    ],
)
def test_a_sentence_about_something_else_is_quoted(content: str) -> None:
    assert quoted(past(content)) == [content]


@pytest.mark.parametrize(
    ("old", "content", "kept"),
    [
        ("Colissimo", "On passe par Colissimo.", False),
        ("Colissimo", "On passe par la colline.", True),
        ("DHL", "On expédie par DHL.", False),
        ("DHL", "Ma sœur travaille chez DHL.", True),
        ("Mondial Relay", "Le point Mondial Relay est fermé.", False),
        ("Mondial Relay", "Le relay mondial.", True),
        (True, "Oui, vrai, true.", True),
        (["DHL"], "On expédie par DHL.", True),
        (12, "Le transporteur livre 12 colis.", False),
        ("!", "Bonjour !", True),
    ],
)
def test_a_value_is_known_by_its_words_or_its_amounts(old: str | int, content: str, kept: bool) -> None:
    lapsed = fact(1, "carrier", "Le transporteur expédie", value=old, normal="old", archived_at=day(1))
    assert quoted(past(content), rows=(lapsed,)) == ([content] if kept else [])


def test_a_message_is_quoted_as_long_as_all_that_it_states_stands() -> None:
    other = KeyRef(SHOP, ATLAS, "other")
    assert quoted(past("a", SAYS_60)) == []
    assert quoted(past("a", SAYS_80)) == ["a"]
    assert quoted(past("a", SAYS_80, SAYS_60)) == []
    assert quoted(past("a", SAYS_80, (other, "gone"))) == []
    assert quoted(past("a", (replace(SHIPPING, subject=ME), "80 eur"))) == ["a"]


def test_a_message_that_says_nothing_but_what_is_served_is_left_out() -> None:
    tone = fact(3, "tone", value="vous", normal="vous")
    says_tone = (tone.ref, tone.normal)
    rows = (OLD, EIGHTY, tone)
    assert quoted(past("a", SAYS_80), rows=rows, served=(EIGHTY,)) == []
    assert quoted(past("a", SAYS_80, says_tone), rows=rows, served=(EIGHTY,)) == ["a"]
    assert quoted(past("a"), rows=rows, served=(EIGHTY,)) == ["a"]


def test_a_value_said_again_may_be_quoted_from_when_it_was_first_said() -> None:
    again = replace(SIXTY, id=UUID(int=9))
    assert quoted(past("Livraison dès 60 €", SAYS_60), rows=(OLD, again)) == ["Livraison dès 60 €"]


def test_the_nearest_are_quoted() -> None:
    messages = [past(f"message {number} dit", number=number) for number in range(1, 9)]
    assert quoted(*messages) == [each.message.content for each in messages[:MOST_MESSAGES]]


def test_near_facts_are_those_that_stand_and_are_not_served() -> None:
    archive = Archive(facts=(OLD, EIGHTY, fact(3), fact(4)), rows=())
    assert near_facts(archive, [EIGHTY, fact(3)], [fact(3)]) == [EIGHTY]


def test_a_long_message_is_quoted_by_its_first_words() -> None:
    excerpt = past("transporteur " * 100).excerpt
    assert excerpt.endswith("transporteur…")
    assert len(excerpt) <= LONGEST_QUOTE
    assert past("x" * 1000).excerpt == "x" * (LONGEST_QUOTE - 1) + "…"
    assert past("  court\n ici ").excerpt == "court ici"


def block(archive: Archive, facts: list[Fact], budget: Budgets) -> Block:
    return compose(
        facts, reader=reader(), agent_id=ATLAS, language=Language.FRENCH, now=day(2), budget=budget, archive=archive
    )


contents = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)


@given(
    st.lists(contents, max_size=8),
    st.lists(contents, max_size=8),
    st.builds(Budgets, st.integers(0, 120), st.integers(0, 120), st.integers(0, 120)),
)
def test_the_block_never_exceeds_its_budget_and_does_not_depend_on_the_order_of_facts(
    said: list[str], believed: list[str], budget: Budgets
) -> None:
    messages = tuple(past(content, number=number) for number, content in enumerate(said, 1))
    rows = [fact(number, f"key.{number}", content) for number, content in enumerate(believed, 1)]
    made = block(Archive(tuple(rows), messages, tuple(rows)), rows[::2], budget)
    assert made.tokens.total == estimate(made.text) <= budget.total
    assert made.tokens.core <= budget.core
    assert made.tokens.core + made.tokens.working <= budget.core + budget.working
    assert block(Archive(tuple(rows), messages, tuple(rows[::-1])), rows[::2][::-1], budget) == made
    assert len(made.quoted) <= MOST_MESSAGES
