"""What a question tells beside its words."""

from datetime import date

import pytest

from app.domain.asking import Asked, Period, asked

PEOPLE = {"lea": "Léa Martin", "tom": "Tom", "rose": "Rose", "nobody": None}


@pytest.mark.parametrize(
    ("text", "left", "named"),
    [
        ("Que pense Léa du fournisseur ?", "Que pense du fournisseur ?", {"lea"}),
        ("What is Tom's plan?", "What is plan?", {"tom"}),
        ("Léa Martin ou Tom ?", "ou ?", {"lea", "tom"}),
        ("tom a dit quoi", "a dit quoi", {"tom"}),
        ("Combien de rose en stock ?", "Combien de rose en stock ?", set()),
        ("Tomates ?", "Tomates ?", set()),
        ("Quel prix ?", "Quel prix ?", set()),
    ],
)
def test_who_is_named_is_no_word_of_the_question(text: str, left: str, named: set[str]) -> None:
    question = asked(text, PEOPLE)
    assert (question.text, set(question.named)) == (left, named)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("Qu'a-t-on vendu en mars ?", [Period(3)]),
        ("What happened on 7 May 2023?", [Period(5, 2023, 7)]),
        ("le 1er août, quelle livraison ?", [Period(8, None, 1)]),
        ("May 12, 2024 and June", [Period(5, 2024, 12), Period(6)]),
        ("may I ask?", []),
        ("ils se mettent en marche, mais mars ?", []),
    ],
)
def test_times_that_are_named(text: str, periods: list[Period]) -> None:
    assert list(asked(text, {}).periods) == periods


@pytest.mark.parametrize(
    ("period", "said", "nearness"),
    [
        (Period(5, 2023, 7), date(2023, 5, 9), 2.0),
        (Period(5, 2023, 7), date(2023, 5, 25), 1.0),
        (Period(5, 2023), date(2023, 6, 5), 0.5),
        (Period(5, 2023), date(2023, 6, 20), 0.0),
        (Period(5, 2023), date(2022, 5, 5), 0.0),
        (Period(12), date(2024, 1, 3), 0.5),
        (Period(12), date(2024, 12, 3), 1.0),
        (Period(2, None, 31), date(2024, 2, 3), 1.0),
    ],
)
def test_how_well_a_day_fits(period: Period, said: date, nearness: float) -> None:
    assert period.nearness(said) == nearness


WANTS = {
    "when": ["When did he call?", "Quand ferme-t-on ?", "À quelle heure ?", "Depuis quand ?"],
    "how_many": ["How many boxes?", "Combien coûte le miel ?", "Quel est le montant ?"],
    "title": ["Which book was it?", "Comment s'appelle le livreur ?"],
    "of_assistant": ["What did you recommend?", "Qu'est-ce que tu as conseillé ?"],
    "current": ["Quel est le prix du miel ?", "How many commits are merged?", "Combien de bocaux reste-t-il ?"],
    "whether": ["Have I ever shipped abroad?", "Est-ce qu'on livre le lundi ?"],
    "for_help": [
        "How should I write the mail?",
        "Rédige une annonce",
        "If I open a stall, which boxes would you recommend?",
        "Pour la vitrine, tu me conseilles quoi ? Peux-tu m'aider ?",
    ],
}
OTHERWISE = {
    "when": ["What did he say when it rained?"],
    "how_many": ["Who called?"],
    "title": ["Quel prix ?"],
    "of_assistant": ["What did he recommend?"],
    "current": ["Quel était le prix du miel ?", "How many days between both?", "What did he say?"],
    "whether": ["Who has it?"],
    "for_help": [
        "Le prix du miel",
        "Can you list what I mentioned about honey?",
        "What did he suggest?",
        "What have we changed in our last discussions?",
        "Peux-tu me rappeler ce que j'ai commandé ?",
        "Comment était emballé le miel ?",
    ],
}


@pytest.mark.parametrize("want", WANTS)
def test_what_a_question_wants_to_know(want: str) -> None:
    assert [text for text in WANTS[want] if not getattr(asked(text, {}), want)] == []
    assert [text for text in OTHERWISE[want] if getattr(asked(text, {}), want)] == []


def test_a_question_that_tells_nothing_else() -> None:
    assert asked("miel", PEOPLE) == Asked("miel")
