"""The token estimate: never under for what people write, and addable at line ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.budget import BudgetLimits, Budgets
from app.domain.tokens import estimate

# What o200k_base counts, taken once with its own tables.
PROSE = [
    ("Livraison offerte dès 60 €.", 7),
    (
        "On ne dépasse jamais 35 ° dans l'atelier, même l'été, et les colis partent le mardi matin avant neuf heures.",
        28,
    ),
    ("Vouvoyer les clients, toujours, et signer « L'équipe de la Ruche » en bas de chaque message.", 24),
    ("We always answer customers within four hours, and the workshop stays closed on Sundays and bank holidays.", 19),
    ("Never offer a discount on handmade lamps; suggest the newsletter instead, please.", 15),
]
SIGNS = [
    ("LIVRAISON GRATUITE POUR TOUTES LES COMMANDES", 14),
    ("coucou 😊 c bon pr mardi?? 👍🏽🙏 mercii 😘😘", 17),
    ("👩‍👩‍👧‍👦", 11),
    ("🇫🇷", 4),
    ("❤️‍🔥", 3),
    ("+33 6 12 34 56 78", 12),
    ("FR76 3000 6000 0112 3456 7890 189", 19),
    ("2026-11-30T07:16:02Z", 13),
    ("12,50 €", 4),
    ("17h30", 3),
    ("01a22b4f-92d3-7a6b-b8c2-b758d7b13d2b", 28),
    ("Привет, доставьте пожалуйста во вторник утром", 10),
    ("你好，我希望下周二上午九点之前送货", 12),
]


@pytest.mark.parametrize(("text", "tokens"), PROSE)
def test_sentences_cost_no_less_than_a_tokenizer_counts_and_little_more(text: str, tokens: int) -> None:
    assert tokens <= estimate(text) <= tokens * 1.3 + 1


@pytest.mark.parametrize(("text", "tokens"), SIGNS)
def test_digits_emoji_capitals_and_other_scripts_cost_no_less_than_a_tokenizer_counts(text: str, tokens: int) -> None:
    assert tokens <= estimate(text) <= tokens * 3


def test_no_text_costs_nothing() -> None:
    assert estimate("") == 0


@given(st.lists(st.text()))
def test_lines_add_up_to_no_less_than_the_whole(lines: list[str]) -> None:
    ended = [f"{line}\n" for line in lines]

    assert estimate("".join(ended)) <= sum(map(estimate, ended))


@given(st.text(), st.text())
def test_more_text_on_another_line_never_costs_less(text: str, more: str) -> None:
    assert estimate(f"{text}\n") <= estimate(f"{text}\n{more}")


@given(st.text(min_size=1))
def test_every_text_costs_something_and_at_most_its_bytes(text: str) -> None:
    assert 1 <= estimate(text) <= 2 * len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, (400, 600, 400)),
        (5_000, (400, 600, 400)),
        (1_400, (400, 600, 400)),
        (1_200, (400, 600, 200)),
        (500, (400, 100, 0)),
        (100, (100, 0, 0)),
        (0, (0, 0, 0)),
        (-1, (0, 0, 0)),
    ],
)
def test_a_caller_may_ask_for_less_and_never_for_more(asked: int | None, expected: tuple[int, int, int]) -> None:
    budget = Budgets().within(asked)

    assert (budget.core, budget.working, budget.archival) == expected
    assert budget.total == sum(expected)


@pytest.mark.parametrize(
    ("limits", "asked", "expected"),
    [
        ({}, None, (400, 600, 400, 300)),
        ({}, 5_000, (400, 600, 400, 300)),
        ({}, 700, (400, 300, 0, 150)),
        ({"working": 900}, None, (400, 900, 100, 300)),
        ({"working": 900, "total": 9_000}, None, (400, 900, 400, 300)),
        ({"behavioural": 600}, None, (400, 600, 400, 600)),
        ({"behavioural": 600}, 900, (400, 500, 0, 250)),
        ({"total": 100}, 5_000, (100, 0, 0, 0)),
        ({"core": 0, "archival": 0}, None, (0, 600, 0, 300)),
    ],
)
def test_an_organisation_sets_what_a_block_may_cost(
    limits: dict[str, int], asked: int | None, expected: tuple[int, int, int, int]
) -> None:
    budget = BudgetLimits(**limits).budgets(asked)

    assert (budget.core, budget.working, budget.archival, budget.behaviour) == expected
