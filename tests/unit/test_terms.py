"""Text as terms: what counts as one word, in which form, and which words count at all."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.text.snowball import SNOWBALL
from app.domain.organisations import Language
from app.domain.terms import LONGEST_TERM, MOST_WORDS, label_terms, language_of, question, terms, words

FR, EN = Language.FRENCH, Language.ENGLISH
sentences = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L'entrepôt d'Orléans", ["entrepôt", "orléans"]),
        ("Qu’est-ce qu’aujourd’hui ?", ["est", "ce", "aujourd", "hui"]),
        ("n'expédie pas", ["ne", "expédie", "pas"]),
        ("We don't ship, can't we?", ["we", "not", "ship", "not", "we"]),
        ("the shop's owner, we're here", ["the", "shop", "owner", "we", "here"]),
        ("a-t-il", ["a", "t", "il"]),
        ("60,00 € et 60 €", ["60", "et", "60"]),
        ("1 200 colis, 1,200 parcels, 1.200", ["1200", "colis", "1200", "parcels", "1200"]),
        ("4,5 % ou 4.50", ["4.5", "ou", "4.5"]),
        ("14h30, 2pm", ["14h30", "2pm"]),
        ("shipping.free_threshold", ["shipping", "free", "threshold"]),
        ("ﬁn ２０", ["fin", "20"]),
        ("% _ & | ' \" \\ :* <->", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Nous expédions le mardi.", FR),
        ("We ship on Tuesdays.", EN),
        ("Colissimo, Mondial Relay", None),
        ("Prénom", FR),
        ("on a son main", None),
        ("livraison", None),
        ("Is it the café?", EN),
    ],
)
def test_the_small_words_tell_the_language(text: str, language: Language | None) -> None:
    assert language_of(words(text)) is language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Les livraisons sont offertes.", ["livraison", "offert"]),
        ("Nous expédions des commandes expédiées.", ["exped", "command", "expedi"]),
        ("Ce n'est jamais livré sans signature.", ["ne", "jam", "livr", "san", "signatur"]),
        ("C'était l'été.", ["ete"]),
        ("Il va falloir que je veuille les yeux", ["falloir", "veuill", "oeil"]),
        ("The kids went to the shops.", ["child", "go", "shop"]),
        ("We do not ship without a label.", ["not", "ship", "without", "label"]),
        ("Shopify Straße", ["shopify", "strasse"]),
        ("Nos œuvres", ["oeuvr"]),
    ],
)
def test_terms_are_stemmed_in_their_language_and_folded(text: str, expected: list[str]) -> None:
    assert terms(text, SNOWBALL) == expected


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Les livraisons sont offertes.", "livraison offerte"),
        ("Les livraisons sont offertes.", "Est-ce que la livraison est offerte ?"),
        ("The deliveries were free.", "delivery"),
        ("Nos préférées", "preferees"),
        ("Le colis est expédié.", "expedie"),
        ("Un café au coin", "cafes"),
        ("Le colis est expedie.", "expédié"),
        ("Gorgias", "GORGIAS"),
        ("Le colis pèse 1 200 g", "1200"),
        ("Mes yeux", "œil"),
        ("They went home", "does she go?"),
        ("Colissimo ne livre jamais", "not jamais"),
    ],
)
def test_a_word_of_a_question_stands_for_every_form_in_which_it_may_have_been_said(said: str, asked: str) -> None:
    held = set(terms(said, SNOWBALL))
    assert any(not held.isdisjoint(word) for word in question(asked, SNOWBALL))


@pytest.mark.parametrize("text", ["", "le la les de des", "who is it", "% & |", "on a"])
def test_what_names_nothing_asks_for_nothing(text: str) -> None:
    assert question(text, SNOWBALL) == []


def test_a_repeated_word_is_asked_for_once_and_a_long_question_for_its_first_words() -> None:
    assert question("colis colis colis", SNOWBALL) == [frozenset({"colis", "coli"})]
    assert len(question(" ".join(f"word{number}" for number in range(500)), SNOWBALL)) == MOST_WORDS


def test_a_key_is_found_by_its_words() -> None:
    assert label_terms("shipping.free_threshold", SNOWBALL) == ["ship", "free", "threshold"]


@given(sentences)
def test_terms_are_short_and_without_accents(text: str) -> None:
    for term in terms(text, SNOWBALL):
        assert 0 < len(term) <= LONGEST_TERM
        assert not any(map(unicodedata.combining, term))


@given(sentences)
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    held = set(terms(text, SNOWBALL))
    assert all(not held.isdisjoint(word) for word in question(text, SNOWBALL))
