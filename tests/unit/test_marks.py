"""What can be told of a text at a glance."""

import pytest

from app.domain.marks import Mark, marks_of

TOLD = {
    Mark.ORDERS: [
        "Always sign my mails with Léa.",
        "Thanks! Never use exclamation marks.",
        "From now on, ship on Mondays.",
        "Give the price whenever I ask about honey.",
        "I want you to answer in French.",
        "You must always greet them.",
        "Réponds toujours en français.",
        "Merci. Ne propose jamais de remise.",
        "S'il te plaît, utilise toujours le tutoiement.",
        "Toujours livrer le mardi.",
        "Quand je te demande un mail, fais court.",
        "Je veux que tu sois bref.",
    ],
    Mark.UPDATES: [
        "The jar costs 14 € now.",
        "I have already sold 15 jars.",
        "On a déjà vendu 15 pots.",
        "Le pot passe à 14 €.",
    ],
    Mark.PREFERS: [
        "I prefer short mails.",
        "I'd rather have it blue.",
        "I would much prefer honey.",
        "Please make sure it is short.",
        "Je préfère le bleu.",
        "On préférerait des mails courts.",
        "J'aimerais mieux du miel.",
    ],
}
OTHERWISE = {
    Mark.UPDATES: ["The jar costs 12 €.", "Le pot est à 12 €."],
    Mark.ORDERS: [
        "I have never used it.",
        "We always had honey.",
        "Always happy to help!",
        "Never mind.",
        "He never gives up and always smiles.",
        "Always up for something sweet.",
        "Je n'ai jamais livré le lundi.",
        "Elle vient toujours le mardi.",
        "Il ne livre jamais.",
        "Quand je demande le prix, il hésite.",
    ],
    Mark.PREFERS: ["She prefers blue.", "Please come in.", "Il préfère le bleu.", "J'aime le miel."],
}


@pytest.mark.parametrize("mark", TOLD)
def test_what_a_text_does(mark: Mark) -> None:
    assert [text for text in TOLD[mark] if not marks_of(text) & mark] == []
    assert [text for text in OTHERWISE[mark] if marks_of(text) & mark] == []


def test_marks_are_told_by_the_beginning_of_a_text() -> None:
    assert not marks_of("miel " * 100 + "I prefer short mails.") & Mark.PREFERS


def test_marks_fit_where_they_are_kept() -> None:
    """A column of 16 bits with a sign."""
    assert max(Mark) < 2**15
