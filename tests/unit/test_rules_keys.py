"""Keys and values: one subject said again meets itself, two subjects never meet."""

import pytest

from app.domain.sources import Relation
from app.domain.values import normalise
from tests.unit.extraction import learnt


@pytest.mark.parametrize(
    ("key", "sayings"),
    [
        (
            "shipping.free_threshold",
            [
                "Chez nous, la livraison est offerte à partir de 65 € d'achat.",
                "Les frais de port sont gratuits dès 65 €.",
                "Free shipping starts at €65.",
                "Orders over 65 euros ship for free.",
            ],
        ),
        (
            "orders.minimum.restaurant",
            [
                "Notre commande minimum pour les restaurants est de 90 €.",
                "Donc je répète : la commande minimum pour les restaurants est de 90 euros.",
                "The minimum order for restaurants is €90.",
            ],
        ),
        ("returns.window", ["Notre délai de retour est de 45 jours.", "Customers have 45 days to return an item."]),
        ("returns.cost", ["Les frais de retour sont à la charge du client.", "The buyer pays return postage."]),
        ("hours.closed", ["On est fermés le lundi.", "We're closed on Mondays."]),
        (
            "hours.opening",
            ["Nos horaires : du mardi au samedi, de 10h à 19h.", "We're open Tuesday to Saturday, 10am to 7pm."],
        ),
        ("tools.newsletter", ["On envoie nos newsletters avec Brevo.", "We use Brevo for newsletters."]),
        ("people.refund", ["Pour les remboursements voyez avec Inès.", "Inès handles refunds."]),
        (
            "brand.address_form",
            ["Avec nos clientes, on vouvoie toujours.", "Aux clientes, on dit toujours « vous »."],
        ),
        ("shipping.zone.corsica", ["On ne livre pas en Corse.", "Nous n'expédions pas en Corse."]),
        ("preference.language", ["Réponds-moi en anglais.", "Please answer me in English from now on."]),
        ("margin.mug", ["Our margin on mugs is 55%.", "Notre marge sur les tasses est de 55 %."]),
        ("shipping.delay", ["On expédie sous 48 heures.", "We ship within 48 hours."]),
        ("metric.average_basket", ["Notre panier moyen est de 58 €.", "Our average basket is €58."]),
        ("team.size", ["Nous sommes une équipe de 4 personnes.", "There are four of us on the team."]),
    ],
)
def test_one_subject_keeps_its_key_and_value_in_other_words(key: str, sayings: list[str]) -> None:
    found = [learnt(saying)[0] for saying in sayings]
    assert {draft.key for draft in found} == {key}
    assert len({normalise(draft.value) for draft in found}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Notre commande minimum pour les restaurants est de 90 €.", "La commande minimum pour les pros est de 450 €."),
        ("La bougie figue coûte 34 €.", "La bougie cèdre coûte 29 €."),
        ("Priya handles wholesale enquiries.", "Priya handles press enquiries."),
        ("Bastien valide les visuels.", "Bastien valide les devis."),
        ("Le magasin de Lyon ouvre à 10h.", "Le magasin de Lille ouvre à 9h."),
        ("La boutique ferme à 19h.", "La boutique ferme à 17h le vendredi."),
        ("On utilise Brevo pour les newsletters.", "On utilise Sendcloud pour les étiquettes."),
        ("Nous vouvoyons les clients par e-mail.", "Nous tutoyons les clients sur Instagram."),
        ("We never ship liquids by air.", "We never photograph our lamps next to LED strips."),
        ("Our mugs are dishwasher-safe.", "Our mugs are hand-painted."),
        ("On expédie sous 48 h.", "On livre en 5 jours."),
        ("I prefer short answers.", "I prefer my answers as bullet points."),
    ],
)
def test_two_subjects_never_share_a_key(first: str, second: str) -> None:
    assert {draft.key for draft in learnt(first)}.isdisjoint({draft.key for draft in learnt(second)})


@pytest.mark.parametrize(
    ("before", "after", "relation"),
    [
        ("I want the sales summary laid out in columns.", "I now want the sales summary as bullets.", Relation.UPDATE),
        (
            "I now want the sales summary as bullets.",
            "Change of mind again: I want the sales summary as one short paragraph.",
            Relation.UPDATE,
        ),
        ("La boutique ferme à 19h.", "La boutique ferme maintenant à 20h au lieu de 19h.", Relation.UPDATE),
        ("We use Klaviyo for email.", "We've moved our email from Klaviyo to Mailchimp.", Relation.UPDATE),
        (
            "La commande minimum pour les pros est de 450 €.",
            "The trade minimum used to be €450; it's €600 these days.",
            Relation.UPDATE,
        ),
        ("Notre logo est vert.", "Our logo is navy from now on.", Relation.UPDATE),
        ("Nous livrons en Corse.", "Nous ne livrons pas en Corse.", Relation.STATEMENT),
        ("Only Dan approves refunds.", "Only Priya approves refunds.", Relation.STATEMENT),
    ],
)
def test_another_value_of_a_subject_meets_the_old_one(before: str, after: str, relation: Relation) -> None:
    old, new = learnt(before)[-1], learnt(after)[-1]
    assert new.key == old.key
    assert normalise(new.value) != normalise(old.value)
    assert new.relation is relation


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("La boutique ferme maintenant à 20h au lieu de 19h.", "20h", "19h"),
        ("We've moved our email from Klaviyo to Mailchimp.", "Mailchimp", "Klaviyo"),
        ("Les newsletters ne partent plus le jeudi mais le mardi.", "mardi", "jeudi"),
        ("The trade minimum used to be €450; it's €600 these days.", "€600", "€450"),
        ("Our cut-off for same-day dispatch is 1pm, no wait, misread it, 2pm.", "2pm", "1pm"),
        ("Livraison à 4 €, enfin non, 4,50 €.", "4,50 €", "4 €,"),
        ("We've moved onto Loop for returns btw, login ops, password Teapot-9931.", "Loop", "Teapot"),
    ],
)
def test_only_what_holds_stays_in_the_words(text: str, kept: str, gone: str) -> None:
    shown = " ".join(f"{draft.content} {draft.value}" for draft in learnt(text))
    assert kept in shown
    assert gone not in shown


@pytest.mark.parametrize(
    ("text", "about", "tier"),
    [
        ("My shop is called Copper Fern", "store", "identity"),
        ("Je m'appelle Sandrine.", "person", "identity"),
        ("Our accountant is Baker & Lowe.", "organisation", "stable"),
        ("Just for today, the support line closes at 2pm.", "store", "session"),
        ("Cette semaine on ferme à 17h.", "store", "volatile"),
        ("Je suis daltonienne, alors évite de coder mes tableaux en rouge et vert.", "person", "standard"),
        ("Moi, je préfère que tu m'écrives en phrases très courtes.", "person", "stable"),
    ],
)
def test_whom_a_statement_is_about_and_how_long_it_holds(text: str, about: str, tier: str) -> None:
    [draft] = learnt(text)
    assert (draft.about, draft.tier) == (about, tier)


def test_what_is_not_certain_is_believed_less() -> None:
    assert (
        learnt("Notre panier moyen tourne autour de 58 €.")[0].confidence
        < learnt("Notre panier moyen est de 58 €.")[0].confidence
    )
