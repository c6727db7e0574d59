"""Ranking messages: what each clue does, and what holds whatever is said."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.text.snowball import SNOWBALL
from app.adapters.text.weighing import weighed
from app.domain.asking import Asked, Period, asked
from app.domain.currency import current_first
from app.domain.ground import Ground, Said, Word, ground_of, words_in
from app.domain.marks import marks_of
from app.domain.ranking import rank
from app.domain.search import Document, DocumentKind
from app.domain.subjects import UserSubject
from app.domain.terms import terms

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def at(number: int) -> UUID:
    return UUID(int=number)


class Talk:
    """One conversation, a message a minute; `speakers` say them in turn, "assistant" is one."""

    def __init__(
        self, *said: str, speakers: Sequence[str] = ("alice",), apart: timedelta = timedelta(minutes=1)
    ) -> None:
        told = [(number, words, speakers[(number - 1) % len(speakers)]) for number, words in enumerate(said, 1)]
        self.strip = [
            Said(
                id=at(number),
                conversation="c1",
                author=speaker,
                reply=speaker == "assistant",
                at=START + number * apart,
                marks=marks_of(words),
                terms=len(terms(words, SNOWBALL)),
            )
            for number, words, speaker in told
        ]
        self.documents = [
            Document(DocumentKind.MESSAGE, at(number), UserSubject("alice"), "atlas", words, conversation_id="c1")
            for number, words, _ in told
        ]

    def scores(self, question: Asked | str, cosines: Sequence[float] = ()) -> list[float]:
        """By message, in their order."""
        question = asked(question, {"alice": "Alice", "bob": "Bob"}) if isinstance(question, str) else question
        ground, words = self.grounds(question, cosines)
        scores = rank(question, words, [self.strip], ground)
        return [scores[said.id] for said in self.strip]

    def grounds(self, question: Asked, cosines: Sequence[float] = ()) -> tuple[Ground, list[Word]]:
        found = weighed(question.text, self.documents)
        indexed = found.collections[DocumentKind.MESSAGE]
        near = dict(zip([said.id for said in self.strip], cosines, strict=False))
        least, most = (min(cosines), max(cosines)) if cosines else (0.0, 0.0)
        return replace(ground_of(indexed), cosines=near, least=least, most=most), words_in(found.words, indexed)

    def best(self, question: Asked | str, cosines: Sequence[float] = ()) -> int:
        scores = self.scores(question, cosines)
        return scores.index(max(scores)) + 1


def test_words_count() -> None:
    assert Talk("Le colis part mardi.", "Il pleut sur Nantes.", "On ferme tôt.").best("colis") == 1


def test_meaning_counts() -> None:
    talk = Talk("Le colis part mardi.", "Il pleut sur Nantes.", "On ferme tôt.")
    assert talk.best("expédition", cosines=(0.80, 0.90, 0.79)) == 2


def test_the_answer_to_a_question_is_found_by_its_words() -> None:
    scores = Talk("Il pleut.", "Le transporteur passe quand ?", "Vers seize heures.", "Bien reçu.", "On ferme.").scores(
        "transporteur"
    )
    assert scores[2] > max(scores[0], scores[4])


def test_who_is_named_spoke() -> None:
    talk = Talk("Le miel est bon.", "Le miel est bon.", speakers=("alice", "bob"))
    assert talk.best("Que dit Bob du miel ?") == 2
    assert talk.best("Que dit Alice du miel ?") == 1


def test_the_user_comes_before_the_assistant_unless_that_is_asked_for() -> None:
    talk = Talk("Le miel de lavande.", "Le miel de lavande.", speakers=("alice", "assistant"))
    assert talk.best("miel de lavande") == 1
    named = replace(asked("Que m'as-tu conseillé pour le miel ?", {}), of_assistant=True)
    user, assistant = talk.scores(named)
    plain_user, plain_assistant = talk.scores("miel de lavande")
    assert user - assistant < plain_user - plain_assistant


def test_the_time_that_is_named() -> None:
    talk = Talk("Le miel est livré.", "Le miel est livré.", "Le miel est livré.", apart=timedelta(days=31))
    assert talk.best(Asked("miel", periods=(Period(5),))) == 2


@pytest.mark.parametrize(
    ("question", "best"), [("Quand vient le miel ?", 2), ("Combien de miel ?", 3), ("Quel titre pour le miel ?", 4)]
)
def test_what_kind_of_answer_is_wanted(question: str, best: int) -> None:
    talk = Talk("Le miel vient, bon.", "Le miel vient demain.", "Le miel, 40 pots.", 'Le miel "Fleurs des champs".')
    plain = talk.scores("miel")
    gained = [score - before for score, before in zip(talk.scores(question), plain, strict=True)]
    assert gained.index(max(gained)) + 1 == best


@pytest.mark.parametrize("wished", ["Signe toujours le mail au client Léa.", "Je préfère le mail au client court."])
def test_what_is_wished_for_rises_where_help_is_asked_for(wished: str) -> None:
    talk = Talk("Le mail au client est parti.", wished, "Le mail au client est là.")

    def gained(text: str) -> list[float]:
        return [after - before for after, before in zip(talk.scores(text), talk.scores("mail au client"), strict=True)]

    helped, recalled = gained("Propose un mail au client"), gained("Qu'as-tu dit du mail au client ?")
    assert helped[1] > max(helped[0], helped[2]) + 0.1
    assert recalled[1] <= max(recalled[0], recalled[2]) + 0.1


def test_no_more_than_a_few_wishes_rise() -> None:
    wishes = [f"Je préfère le mail au client numéro {number}." for number in range(6)]
    talk = Talk("Le mail au client est parti.", *wishes)
    helped, plain = talk.scores("Propose un mail au client"), talk.scores("mail au client")
    gained = sorted(round(after - before, 6) for after, before in zip(helped[1:], plain[1:], strict=True))
    assert gained[2] < gained[3]
    assert gained[:3] == [gained[0]] * 3


def test_what_stands_beside_the_nearest_in_meaning_is_found_by_it() -> None:
    said = ("Il pleut.", "Il vente.", "Il gèle.", "Il neige.", "Il grêle.", "Il tonne.", "Il fait beau.")
    cosines = (0.95, 0.80, 0.80, 0.80, 0.80, 0.80, 0.80)
    scores = Talk(*said).scores("expédition", cosines)
    assert min(scores[1:3]) > max(scores[3:])


def test_a_question_is_no_answer() -> None:
    assert Talk("On vend du miel ?", "On vend du miel.").best("miel") == 2


UPDATED = ("Le miel est à 12 € le pot.", "Il pleut.", "Le miel passe à 14 € le pot, nouveau tarif.")


def test_what_is_current_stands_above_what_it_took_the_place_of() -> None:
    talk = Talk(*UPDATED)
    for text, first in (("Quel est le prix du pot de miel ?", 3), ("Quel était le prix du pot de miel avant ?", 1)):
        question = asked(text, {})
        _, words = talk.grounds(question)
        assert current_first(question, words, [at(1), at(2), at(3)], [talk.strip])[0] == at(first)


def test_what_came_first_or_is_of_something_else_does_not_rise() -> None:
    question = asked("Quel est le prix du pot de miel ?", {})
    earlier = Talk(UPDATED[2], UPDATED[1], UPDATED[0])
    _, words = earlier.grounds(question)
    assert current_first(question, words, [at(3), at(1)], [earlier.strip]) == [at(3), at(1)]
    other = Talk(UPDATED[0], "La bougie passe à 9 €, nouveau tarif.")
    _, words = other.grounds(question)
    assert current_first(question, words, [at(1), at(2)], [other.strip]) == [at(1), at(2)]


SAID = st.lists(
    st.sampled_from(["miel", "miel pot", "pot ?", "mardi 12", "non", "le miel du pot"]), min_size=1, max_size=9
)


@given(SAID, st.lists(st.floats(0.7, 0.95), min_size=9, max_size=9))
def test_every_message_is_scored_with_a_number(said: list[str], cosines: list[float]) -> None:
    talk = Talk(*said)
    scores = talk.scores("Quand le miel, et combien de pots ?", cosines[: len(said)])
    assert len(scores) == len(said)
    assert all(-1 <= score < 20 for score in scores)


@given(SAID)
def test_what_is_nearer_in_meaning_never_stands_lower(said: list[str]) -> None:
    flat = [0.80] * len(said) + [0.79]
    talk = Talk(*said, "rien")
    raised = [0.90, *flat[1:]]
    before, after = talk.scores("miel", flat), talk.scores("miel", raised)
    assert sorted(range(len(before)), key=lambda each: -before[each]).index(0) >= sorted(
        range(len(after)), key=lambda each: -after[each]
    ).index(0)


def test_nothing_within_reach_is_nothing() -> None:
    assert rank(Asked("miel"), [], [], Ground(0, 0, 0, 0)) == {}
