"""Putting the assistant right: when, what it is about, and what is then believed."""

from datetime import timedelta

import pytest

from app.domain.corrections import Candidate, find_corrected, opens_correction, restate
from app.domain.sources import Relation
from tests.unit.extraction import put_right

FREE = Candidate("f1", "store", "shipping.free_threshold", "60 €", "Livraison offerte dès 60 €")
JAR = Candidate("f2", "store", "shop.rend_pot_rapport", "1 €", "On rend 1 € par pot rapporté.")
DELAY = Candidate("f3", "store", "shipping.delay", "5 jours", "On expédie sous 5 jours")
WHOLESALE = Candidate("f4", "store", "people.pro", "Marcus", "Marcus looks after wholesale")


@pytest.mark.parametrize(
    "text",
    [
        "Non, on expédie sous 48 heures.",
        "non on expédie en 48h",
        "No, free shipping starts at $35.",
        "Nope, it's Tuesday",
        "En fait, c'est 80 €",
        "en fait on ne dépasse pas 1 200 € par mois",
        "Ce n'est pas ça : notre fournisseur est la maison Deltour.",
        "C'est faux, on ferme à 18h30.",
        "plutôt 80",
        "Actually it's Priya who looks after wholesale",
        "That's not right, our margin on mugs is 55%.",
        "Sorry, that's wrong: we close at 6",
        "Not quite — it's 14 days.",
        "Ah non, les retours sont sous 14 jours.",
    ],
)
def test_an_opening_that_puts_right_is_a_correction_within_a_minute(text: str) -> None:
    assert opens_correction(text, timedelta(seconds=20))
    assert opens_correction(text, timedelta(seconds=60))
    assert not opens_correction(text, timedelta(seconds=61))
    assert not opens_correction(text, None)


@pytest.mark.parametrize(
    "text",
    [
        "Non merci, ça ira comme ça 😊",
        "No need, all good, thanks",
        "No thanks, we ship ourselves",
        "No problem!",
        "Non c'est bon merci",
        "no nuts in my hampers please",
        "no idea what to post",
        "No.",
        "Actually, can you redo it?",
        "En fait tu peux me redire le délai ?",
        "Actually, make it shorter",
        "actually, let's move on to the newsletter",
        "Plutôt bien merci",
        "On expédie sous 48 heures.",
    ],
)
def test_refusals_questions_and_orders_put_nothing_right(text: str) -> None:
    assert not opens_correction(text, timedelta(seconds=10))


def test_a_plain_no_to_a_question_answers_it() -> None:
    assert not opens_correction("No, we don't ship there", timedelta(seconds=9), "Do you ship to Corsica?")
    assert opens_correction("No, it's 80 €", timedelta(seconds=9), "Shall I write that delivery is free from 60 €?")


@pytest.mark.parametrize(
    ("text", "spoken", "found"),
    [
        ("c'est 80 €", "Je note 60 €.", FREE),
        ("80", "Je note 60 €.", FREE),
        ("on rend 1 € par pot", "Vous rendez 2 € par pot rapporté.", JAR),
        ("it's Priya", "Marcus looks after wholesale.", WHOLESALE),
        ("c'est 48 heures", "Noté.", DELAY),
        ("c'est 12 %", "La commission est de 15 %.", None),
        ("la livraison à domicile coûte 5 €", "Très bien.", None),
    ],
)
def test_the_fact_that_is_corrected(text: str, spoken: str, found: Candidate | None) -> None:
    assert find_corrected(text, None, [FREE, JAR, DELAY, WHOLESALE], spoken) == found


def test_two_facts_that_fit_alike_are_left_alone() -> None:
    other = Candidate("f9", "store", "shipping.cost", "60 €", "Livraison à 60 €")
    assert find_corrected("c'est 80 €", None, [FREE, other], "Je note 60 €.") is None


@pytest.mark.parametrize(
    ("candidate", "new", "restated"),
    [
        (FREE, "80 €", ("80 €", "Livraison offerte dès 80 €")),
        (FREE, "80", ("80 €", "Livraison offerte dès 80 €")),
        (WHOLESALE, "Priya", ("Priya", "Priya looks after wholesale")),
        (Candidate("x", "store", "k", True, "Nos tasses passent au lave-vaisselle"), "80 €", None),
    ],
)
def test_the_fact_restated(candidate: Candidate, new: str, restated: tuple[str, str] | None) -> None:
    assert restate(candidate, new) == restated


def test_a_correction_without_a_subject_takes_the_place_of_what_was_just_spoken_of() -> None:
    [draft] = put_right("en fait, c'est 80 €", "Très bien, je note 60 €.", FREE, JAR)
    assert (draft.about, draft.key, draft.value, draft.content) == (
        "store",
        "shipping.free_threshold",
        "80 €",
        "Livraison offerte dès 80 €",
    )
    assert (draft.relation, draft.confidence, draft.corrects) == (Relation.CORRECTION, 0.95, "f1")


def test_a_correction_with_its_own_subject_lands_in_the_key_it_corrects() -> None:
    [draft] = put_right("Non, on rend 1 € par pot.", "Vous rendez 2 € par pot rapporté.", FREE, JAR)
    assert (draft.key, draft.value, draft.corrects) == ("shop.rend_pot_rapport", "1 €", "f2")


def test_where_nothing_is_corrected_a_statement_makes_a_new_fact_and_a_bare_value_none() -> None:
    [draft] = put_right("Non, on expédie sous 48 heures.", "Vous expédiez sous 5 jours.")
    assert (draft.key, draft.value, draft.confidence, draft.corrects) == ("shipping.delay", "48 heures", 0.95, None)
    assert put_right("Non, c'est 80 €", "Je note 60 €.") == []
