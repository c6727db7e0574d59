"""What is denied is never kept as if it were so, and an amount is no day on which something begins."""

import pytest

from app.domain.sources import Relation
from tests.unit.extraction import learnt

DENIED = [
    ("On ne travaille pas avec Colissimo.", "Colissimo"),
    ("On ne travaille plus avec Colissimo.", "Colissimo"),
    ("Nous ne bossons plus avec DHL.", "DHL"),
    ("On n'utilise plus Klaviyo.", "Klaviyo"),
    ("We don't work with DHL.", "DHL"),
    ("We no longer work with DHL.", "DHL"),
]


@pytest.mark.parametrize(("text", "name"), DENIED)
def test_who_is_no_partner_is_kept_as_none(text: str, name: str) -> None:
    told = [draft for draft in learnt(text) if name in draft.content]
    assert told
    assert all(draft.value is False for draft in told)
    assert not any(draft.key.startswith("partners.") for draft in told)


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("La livraison coûte 5 €.", "La livraison ne coûte plus 5 €."),
        ("Le mug coûte 12 €.", "Le mug ne coûte plus 12 €."),
        ("On ferme à 19h.", "On ne ferme plus à 19h."),
        ("On est fermés le lundi.", "On n'est plus fermés le lundi."),
        ("On est ouverts le samedi.", "On n'ouvre plus le samedi."),
        ("Les retours sont acceptés pendant 30 jours.", "Les retours ne sont plus acceptés pendant 30 jours."),
        ("Le minimum de commande est de 20 €.", "Le minimum de commande n'est plus de 20 €."),
        ("La garantie est de 2 ans.", "La garantie n'est plus de 2 ans."),
        ("On livre en 3 jours.", "On ne livre plus en 3 jours."),
        ("Je suis allergique aux noix.", "Je ne suis plus allergique aux noix."),
        ("Delivery costs £5.", "Delivery no longer costs £5."),
        ("We open on Fridays.", "We no longer open on Fridays."),
        ("We are closed on Mondays.", "We are no longer closed on Mondays."),
        ("Returns are accepted within 30 days.", "Returns are no longer accepted within 30 days."),
        ("I'm vegan.", "I'm no longer vegan."),
    ],
)
def test_what_no_longer_holds_takes_the_place_of_what_held(told: str, denied: str) -> None:
    (before,), (after,) = learnt(told), learnt(denied)
    assert (after.key, after.value, after.relation) == (before.key, False, Relation.UPDATE)
    assert before.value is not False
    assert after.content == denied


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Le mug ne coûte pas 12 €.", "price.mug", False),
        ("La livraison n'est pas offerte dès 60 €.", "shipping.free_threshold", False),
        ("Le mug ne coûte plus que 12 €.", "price.mug", "12 €"),
        ("Le mug ne coûte pas plus de 12 €.", "price.mug", "12 €"),
        ("Ce n'est pas 60 € mais 80 €, la livraison offerte.", "shipping.free_threshold", "80 €"),
        ("La livraison n'est offerte qu'à partir de 60 €.", "shipping.free_threshold", "60 €"),
        ("Shipping is not free under 50 €.", "shipping.free_threshold", "50 €"),
        ("Pas de frais de port à partir de 60 €.", "shipping.free_threshold", "60 €"),
        ("Le mug n'est plus à 12 € mais à 14 €.", "price.mug", "14 €"),
        ("Pas de retour après 14 jours.", "returns.window", "14 jours"),
        ("We don't accept returns after 30 days.", "returns.window", "30 days"),
        ("On n'est plus fermés le lundi et le mardi.", "hours.closed", False),
        ("We don't work on Sundays.", "hours.closed", "Sundays"),
        ("On n'ouvre pas le lundi.", "hours.closed", "lundi"),
        ("On ne dépasse pas 1 200 € par mois chez Meta.", "budget.meta", "1 200 €"),
        ("On ne livre qu'en France.", "shipping.zone.franc", True),
        ("On ne livre pas en Corse.", "shipping.zone.corsica", False),
    ],
)
def test_a_denial_denies_what_it_names_and_nothing_else(text: str, key: str, value: object) -> None:
    assert [(draft.key, draft.value) for draft in learnt(text)] == [(key, value)]


@pytest.mark.parametrize("text", ["We don't ship outside the UK.", "On n'expédie pas hors de France."])
def test_what_is_not_done_outside_a_place_says_nothing_against_the_place(text: str) -> None:
    assert not any(draft.key.startswith("shipping.zone") for draft in learnt(text))


@pytest.mark.parametrize("text", ["J'ai baissé le prix du mug de 2 €.", "We cut the price of the mug by 2 €."])
def test_by_how_much_a_price_moved_is_no_price(text: str) -> None:
    assert "price.mug" not in {draft.key for draft in learnt(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Il est faux que la livraison est offerte dès 60 €.",
        "Personne ne dit que la livraison est offerte dès 60 €.",
        "Ma sœur dit que nos prix sont trop chers.",
        "Selon mon comptable, la livraison coûte 5 €.",
        "It is false that we ship to Spain.",
        "It's not true that delivery takes 3 days.",
        "Everyone says our mug is £5.",
        "My sister says that our prices are too high.",
    ],
)
def test_what_is_called_false_or_said_by_others_is_no_statement(text: str) -> None:
    assert learnt(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Désormais, les frais de port sont offerts à partir de 80 €.", Relation.UPDATE),
        ("From now on, shipping is free starting at 80 €.", Relation.UPDATE),
        ("La livraison est offerte dès 80 € à partir de lundi prochain.", Relation.STATEMENT),
        ("Nos mugs ne sont pas plus chers que 12 €.", Relation.STATEMENT),
    ],
)
def test_an_amount_from_which_something_holds_is_no_day(text: str, relation: Relation) -> None:
    assert {draft.relation for draft in learnt(text)} == {relation}
