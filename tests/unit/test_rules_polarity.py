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
    ("text", "relation"),
    [
        ("Désormais, les frais de port sont offerts à partir de 80 €.", Relation.UPDATE),
        ("From now on, shipping is free starting at 80 €.", Relation.UPDATE),
        ("La livraison est offerte dès 80 € à partir de lundi prochain.", Relation.STATEMENT),
    ],
)
def test_an_amount_from_which_something_holds_is_no_day(text: str, relation: Relation) -> None:
    assert {draft.relation for draft in learnt(text)} == {relation}
