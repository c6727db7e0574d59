"""A fact keeps the language in which it was said, whatever a model makes of it."""

from typing import Any

import pytest

from app.domain.drafts import Draft, Dropped, check_draft
from app.domain.languages import spoken_in
from tests.unit.extraction import asked

FRENCH = "Chez nous, la livraison est offerte dès 65 €."
ENGLISH = "We ship for free from 65 euros."
CHINESE = "我对坚果过敏,我喜欢喝茶。"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (FRENCH, "fr"),
        (ENGLISH, "en"),
        ("on livre pas en Corse", "fr"),
        ("La boutique s'appelle El Sol", "fr"),
        ("we close on sats", "en"),
        (CHINESE, "und-Hani"),
        ("私はナッツアレルギーです", "und-Jpan"),
        ("저는 견과류 알레르기가 있어요", "und-Kore"),
        ("У меня аллергия на орехи", "und-Cyrl"),
        ("لدي حساسية من المكسرات", "und-Arab"),
        ("Έχω αλλεργία στους ξηρούς καρπούς", "und-Grek"),
        ("Soy alérgico a los frutos secos", "und"),
        ("Nuestra tienda cierra a las seis los sábados", "und"),
        ("Ich bin allergisch gegen Nüsse und wir haben eine Katze", "und"),
        ("Ik ben allergisch voor noten en wij hebben een kat", "und"),
        ("Não enviamos para as ilhas com neve", "und"),
        ("80 €", "usual"),
        ("Lyon", "usual"),
        ("", "usual"),
    ],
)
def test_what_is_said_tells_its_language_or_none(text: str, language: str) -> None:
    assert spoken_in(text, usual="usual") == language


def test_a_few_words_are_taken_for_the_language_around_them() -> None:
    assert spoken_in("80 €", "We ship for free from 80 €", usual="fr") == "en"
    assert spoken_in("80 €", "Non, 80 €", "Vous livrez dès 60 €, c'est noté.", usual="en") == "fr"


def draft(said: str, **changes: Any) -> Draft | Dropped:
    whole = {"about": "store", "key": "k", "value": said, "content": said, "evidence": said}
    return check_draft(whole | changes, asked(said))


@pytest.mark.parametrize("claimed", ["fr", "en", "de", None, 7])
def test_what_a_model_claims_of_it_is_not_asked(claimed: Any) -> None:
    for said, language in ((FRENCH, "fr"), (ENGLISH, "en"), (CHINESE, "und-Hani")):
        kept = draft(said, language=claimed)
        assert isinstance(kept, Draft)
        assert kept.language == language


@pytest.mark.parametrize(
    ("said", "translation", "value", "kept"),
    [
        (FRENCH, "They offer free delivery from 65 € here", "65 €", "65 €"),
        (FRENCH, "They offer free delivery from 65 € here", "free delivery", FRENCH),
        (ENGLISH, "La livraison est offerte dès 65 euros", 65, 65),
        (CHINESE, "The speaker is allergic to nuts", "nuts", CHINESE),
        (CHINESE, "Je suis allergique aux noix", True, True),
        (FRENCH, "我们的送货从65欧元起免费", "65 €", "65 €"),
    ],
)
def test_a_translation_gives_way_to_the_words_as_said(said: str, translation: str, value: Any, kept: Any) -> None:
    found = draft(said, content=translation, value=value)
    assert isinstance(found, Draft)
    assert (found.content, found.value) == (said, kept)


def test_a_translation_of_a_few_words_is_dropped() -> None:
    found = draft("Lyon. Chez nous, on ferme à 18h.", evidence="Lyon", content="They are based in the city of Lyon")
    assert found == Dropped("translated")


def test_two_languages_in_one_message_are_kept_apart() -> None:
    said = "On ferme à 18h le samedi. We ship for free from 50 euros."
    for part, language in zip(said.replace(". ", ".|").split("|"), ("fr", "en"), strict=True):
        kept = draft(said, content=part, evidence=part, value="x")
        assert isinstance(kept, Draft)
        assert kept.language == language
