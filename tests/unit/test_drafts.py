"""The strict check of raw drafts: each limit drops its draft alone, under its own name."""

from datetime import date
from typing import Any

import pytest

from app.domain.corrections import Candidate
from app.domain.decay import Tier
from app.domain.drafts import Draft, Dropped, check_all, check_draft
from app.domain.sources import Relation
from tests.unit.extraction import asked

SAID = "Chez nous, la livraison est offerte dès 65 €. Mon mot de passe : Hiver2026!"
GOOD: dict[str, Any] = {
    "about": "store",
    "key": "shipping.free_threshold",
    "value": "65 €",
    "content": "La livraison est offerte dès 65 €",
    "evidence": "la livraison est offerte dès 65 €",
}


def checked(**changes: Any) -> Draft | Dropped:
    return check_draft(GOOD | changes, asked(SAID))


def test_a_good_draft_stands_with_its_defaults() -> None:
    draft = checked()
    assert isinstance(draft, Draft)
    assert (draft.tier, draft.confidence, draft.category, draft.many) == (Tier.STANDARD, 0.8, "general", False)
    assert (draft.relation, draft.language, draft.tags, draft.corrects) == (Relation.STATEMENT, "fr", (), None)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"evidence": "la livraison est gratuite"}, "no_evidence"),
        ({"evidence": ""}, "no_evidence"),
        ({"evidence": None}, "no_evidence"),
        ({"key": "Shipping"}, "bad_key"),
        ({"key": "a" * 81}, "bad_key"),
        ({"key": ""}, "bad_key"),
        ({"key": 7}, "bad_key"),
        ({"key": "shipping\n"}, "bad_key"),
        ({"about": "competitor"}, "bad_about"),
        ({"about": None}, "bad_about"),
        ({"content": "  "}, "bad_content"),
        ({"content": "x" * 2001}, "too_large"),
        ({"value": "x" * 4095}, "too_large"),
        ({"value": float("nan")}, "bad_value"),
        ({"value": {1, 2}}, "bad_value"),
        ({"value": "a\0b"}, "bad_text"),
        ({"content": "lone \ud800"}, "bad_text"),
        ({"confidence": 0.39}, "low_confidence"),
        ({"confidence": 1.1}, "bad_confidence"),
        ({"confidence": True}, "bad_confidence"),
        ({"confidence": "high"}, "bad_confidence"),
        ({"tags": ["t"] * 9}, "bad_tags"),
        ({"tags": ["t" * 41]}, "bad_tags"),
        ({"tags": "veille"}, "bad_tags"),
        ({"tags": [3]}, "bad_tags"),
        ({"tier": "eternal"}, "bad_tier"),
        ({"half_life_days": 0}, "bad_half_life"),
        ({"half_life_days": 40_000}, "bad_half_life"),
        ({"reasoning": "r" * 241}, "bad_reasoning"),
        ({"relation": "denial"}, "bad_relation"),
        ({"category": "c" * 41}, "bad_category"),
        ({"key": "watch." + "a" * 75}, "watch_key_too_long"),
        ({"key": "a" * 76, "tags": ["veille"]}, "watch_key_too_long"),
        ({"key": "watch.site.x", "tags": list("abcdefgh")}, "bad_tags"),
        ({"evidence": "Mon mot de passe : Hiver2026!"}, "secret"),
        ({"value": "4242 4242 4242 4242"}, "secret"),
        ({"relation": "correction", "key": None}, "bad_key"),
    ],
)
def test_a_draft_beyond_a_limit_is_dropped_by_name(changes: dict[str, Any], reason: str) -> None:
    assert checked(**changes) == Dropped(reason)


@pytest.mark.parametrize(
    ("changes", "key", "tags"),
    [
        ({"key": "watch.site_fr.delay"}, "watch.site_fr.delay", ("veille",)),
        ({"key": "site_fr.delay", "tags": ["veille"]}, "watch.site_fr.delay", ("veille",)),
        ({"key": "watch.site_fr.delay", "tags": ["veille", "x"]}, "watch.site_fr.delay", ("veille", "x")),
    ],
)
def test_a_watch_key_and_its_tag_complete_each_other(changes: dict[str, Any], key: str, tags: tuple[str, ...]) -> None:
    draft = checked(**changes)
    assert isinstance(draft, Draft)
    assert (draft.key, draft.tags, draft.tier) == (key, tags, Tier.WATCH)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("Je suis allergique aux noix.", "person"),
        ("Ma fille s'appelle Léa.", "person"),
        ("Je préfère qu'on me vouvoie.", "person"),
        ("I prefer short answers.", "person"),
        ("Vouvoie-moi, s'il te plaît.", "person"),
        ("My birthday is in May.", "person"),
        ("On est allergiques aux promos.", "store"),
        ("Ma marque est vegane.", "store"),
        ("J'aime que nos photos soient claires.", "store"),
        ("Je livre le mardi.", "store"),
        ("We love our customers in Lyon.", "store"),
    ],
)
def test_what_one_person_alone_can_mean_stays_with_them(said: str, about: str) -> None:
    draft = check_draft(GOOD | {"value": said, "content": said, "evidence": said}, asked(said))
    assert isinstance(draft, Draft)
    assert draft.about == about


def test_a_contact_speaks_for_themselves_only() -> None:
    assert check_draft(GOOD, asked(SAID, contact=True)) == Dropped("contact_scope")
    assert isinstance(check_draft(GOOD | {"about": "person"}, asked(SAID, contact=True)), Draft)


def test_what_is_said_in_a_language_that_nobody_speaks_there_is_dropped() -> None:
    for language, wanted in (("en", Dropped("bad_language")), ("fr", None)):
        draft = check_draft(GOOD, asked(SAID, languages=(language,)))
        assert draft == wanted if wanted else isinstance(draft, Draft)


def test_without_a_store_the_shop_is_the_organisation() -> None:
    draft = check_draft(GOOD, asked(SAID, has_store=False))
    assert isinstance(draft, Draft)
    assert draft.about == "organisation"


@pytest.mark.parametrize(
    ("changes", "stands"),
    [
        ({"content": "Livraison gratuite à partir de 65 euros"}, True),
        ({"content": "Offerte à partir de 65,00 €", "value": 65.0}, True),
        ({"content": "Retours sous 65 jours", "value": 65}, False),
        ({"content": "La livraison est offerte dès 60 €"}, False),
        ({"value": "60 €"}, False),
        ({"value": ["65 €", 3]}, False),
        ({"content": "La boutique offre toujours la livraison", "value": "offerte"}, True),
        ({"content": "Bob Martin possède la société", "value": "Bob"}, False),
    ],
)
def test_a_draft_tells_what_was_said_beside_its_evidence(changes: dict[str, Any], stands: bool) -> None:
    draft = checked(**changes)
    assert isinstance(draft, Draft) if stands else draft == Dropped("unfounded")


@pytest.mark.parametrize(
    ("said", "content", "value", "stands"),
    [
        ("On n'accepte pas les chèques.", "On accepte les chèques.", True, False),
        ("On n'accepte pas les chèques.", "On accepte les chèques.", False, True),
        ("On n'accepte pas les chèques.", "Les chèques sont refusés.", True, True),
        ("On accepte les chèques.", "On n'accepte pas les chèques.", True, False),
        ("We don't ship to Spain.", "We ship to Spain.", True, False),
        ("We no longer ship to Spain.", "We do not ship to Spain.", True, True),
        ("Le mug ne coûte plus que 12 €.", "Le mug coûte 12 €.", "12 €", True),
        ("Le mug n'est plus à 12 € mais à 14 €.", "Le mug est à 14 €.", "14 €", True),
        (
            "Notre fournisseur de thé est Dammann.",
            "Notre fournisseur de thé est Mallory Limited.",
            "Mallory Limited",
            False,
        ),
        (
            "Notre fournisseur de thé est Dammann.",
            "Notre fournisseur de thé est Dammann Frères.",
            "Dammann Frères",
            True,
        ),
    ],
)
def test_a_draft_does_not_turn_its_evidence_round_nor_name_another(
    said: str, content: str, value: object, stands: bool
) -> None:
    draft = check_draft(GOOD | {"value": value, "content": content, "evidence": said}, asked(said))
    assert isinstance(draft, Draft) if stands else draft == Dropped("unfounded")


def test_of_very_many_drafts_the_rest_is_counted_unread() -> None:
    drafts, dropped = check_all([GOOD | {"key": f"k{number}"} for number in range(1000)], asked(SAID))
    assert [draft.key for draft in drafts] == [f"k{number}" for number in range(5)]
    assert dropped == {"too_many": 995}


def test_relative_dates_are_resolved_and_a_future_day_is_no_beginning() -> None:
    text = "Depuis le 1er février, la livraison est offerte"
    draft = check_draft(GOOD | {"value": "offerte", "content": text, "evidence": text}, asked(text))
    assert isinstance(draft, Draft)
    assert (draft.valid_from, "(2026-02-01)" in draft.content) == (date(2026, 2, 1), True)
    later = checked(valid_from="2026-04-01")
    assert isinstance(later, Draft)
    assert later.valid_from is None


def test_a_correction_counts_only_where_the_turn_is_one() -> None:
    text = "en fait, c'est 80 €"
    raw = GOOD | {
        "key": None,
        "value": "80 €",
        "content": "c'est 80 €",
        "evidence": "c'est 80 €",
        "relation": "correction",
    }
    fact = Candidate("f1", "organisation", "shipping.free_threshold", "60 €", "Livraison offerte dès 60 €")
    right = check_draft(raw, asked(text, correction=True, previous_assistant="Je note 60 €.", candidates=(fact,)))
    assert isinstance(right, Draft)
    assert (right.about, right.key, right.content, right.confidence) == (
        "organisation",
        "shipping.free_threshold",
        "Livraison offerte dès 80 €",
        0.95,
    )
    assert check_draft(raw, asked(text, correction=True)) == Dropped("no_subject")
    assert check_draft(raw, asked(text)) == Dropped("bad_key")


def test_bad_drafts_are_dropped_alone_and_counted() -> None:
    raws: list[object] = [GOOD, None, "text", [GOOD], GOOD | {"key": "?"}, GOOD, GOOD | {"key": "b"}]
    drafts, dropped = check_all(raws, asked(SAID))
    assert [draft.key for draft in drafts] == ["shipping.free_threshold", "b"]
    assert dropped == {"not_an_object": 3, "bad_key": 1, "repeated": 1}


def test_a_turn_gives_five_drafts_at_most() -> None:
    drafts, dropped = check_all([GOOD | {"key": f"k{number}"} for number in range(7)], asked(SAID))
    assert (len(drafts), dropped) == (5, {"too_many": 2})
