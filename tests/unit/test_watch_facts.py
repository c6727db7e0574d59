"""What a model makes of another company's site: never a fact of ours, and ours never one of theirs."""

from typing import Any

import pytest

from app.domain.decay import Tier
from app.domain.drafts import Draft, Dropped, check_draft
from tests.unit.extraction import asked

THEIRS = "On est allés voir cimegrip.fr : la livraison y est offerte dès 30 €. Ils reprennent tout pendant 60 jours."
OURS = "Notre site encorde.fr livre en 24 h. Chez nous, la garantie est de 3 ans."


def draft(said: str, evidence: str, **changes: Any) -> Draft | Dropped:
    raw = {"about": "store", "key": "shipping.delay", "value": evidence, "content": evidence, "evidence": evidence}
    return check_draft(raw | changes, asked(said))


@pytest.mark.parametrize(
    ("said", "evidence", "changes", "key"),
    [
        (THEIRS, "la livraison y est offerte dès 30 €", {"key": "shipping.free"}, "watch.cimegrip_fr.shipping.free"),
        (THEIRS, "Ils reprennent tout pendant 60 jours", {"key": "returns"}, "watch.cimegrip_fr.returns"),
        (THEIRS, "Ils reprennent tout pendant 60 jours", {"about": "organisation"}, "watch.cimegrip_fr.shipping.delay"),
        (THEIRS, "la livraison y est offerte dès 30 €", {"key": "watch.free"}, "watch.cimegrip_fr.free"),
        (THEIRS, "la livraison y est offerte dès 30 €", {"key": "cimegrip_fr.free"}, "watch.cimegrip_fr.free"),
        (THEIRS, "la livraison y est offerte dès 30 €", {"tags": ["veille"]}, "watch.cimegrip_fr.shipping.delay"),
        (THEIRS, "la livraison y est offerte dès 30 €", {"key": "watch.cimegrip_fr.free"}, "watch.cimegrip_fr.free"),
        ("Over at Brightwick they ship free from 30 pounds.", "they ship free from 30 pounds", {}, None),
        ("Our competitor Brightwick ships free from 30 pounds.", "ships free from 30 pounds", {}, None),
    ],
)
def test_what_is_told_of_another_site_is_watched(
    said: str, evidence: str, changes: dict[str, Any], key: str | None
) -> None:
    found = draft(said, evidence, **changes)
    assert isinstance(found, Draft)
    assert (found.key, found.tags, found.tier) == (key or "watch.brightwick.shipping.delay", ("veille",), Tier.WATCH)


@pytest.mark.parametrize(
    ("said", "evidence", "changes", "key"),
    [
        (OURS, "Notre site encorde.fr livre en 24 h", {}, "shipping.delay"),
        (OURS, "Notre site encorde.fr livre en 24 h", {"key": "watch.encorde_fr.delay"}, "delay"),
        (OURS, "la garantie est de 3 ans", {"key": "warranty"}, "warranty"),
        (
            "Notre fournisseur cirelia.fr livre le mardi.",
            "Notre fournisseur cirelia.fr livre le mardi",
            {},
            "shipping.delay",
        ),
        ("We sell on etsy.com, free from 30 euros.", "free from 30 euros", {}, "shipping.delay"),
        (f"{THEIRS} Nous, on livre en 48 h.", "on livre en 48 h", {}, "shipping.delay"),
    ],
)
def test_what_is_ours_is_not_watched(said: str, evidence: str, changes: dict[str, Any], key: str) -> None:
    found = draft(said, evidence, **changes, tier="watch" if "watch" in changes.get("key", "") else "stable")
    assert isinstance(found, Draft)
    assert (found.key, found.tags, found.tier is Tier.WATCH) == (key, (), False)


def test_what_somebody_tells_of_themself_stays_theirs_whatever_it_names() -> None:
    said = "J'achète toujours mes bougies sur cimegrip.fr."
    found = draft(said, said, about="person", key="person.shops")
    assert isinstance(found, Draft)
    assert (found.about, found.key) == ("person", "person.shops")


def test_a_watch_key_beyond_its_length_drops_the_draft() -> None:
    found = draft(THEIRS, "la livraison y est offerte dès 30 €", key="a" * 70)
    assert found == Dropped("watch_key_too_long")


def test_a_customer_s_word_about_another_shop_is_nothing() -> None:
    raw = {"about": "store", "key": "k", "value": THEIRS, "content": THEIRS, "evidence": THEIRS}
    assert check_draft(raw, asked(THEIRS, contact=True)) == Dropped("contact_scope")
