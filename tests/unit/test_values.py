"""When two values say the same, and what sort of thing a value is."""

import pytest

from app.domain.values import JsonValue, normalise, value_kind


@pytest.mark.parametrize(
    "spellings",
    [
        ("60 €", "60 euros", "60,00 €", "EUR 60", "€60", "60€.", "  60   Euros !"),
        ("1 200", "1200", "1,200", "1\u00a0200"),
        ("1 200 €", "1.200 €", "€1,200.00", "1,2k€"),
        ("14h", "14:00", "2pm", "14h00", "2 p.m.", "14 h", "2:00pm"),
        ("48 h", "48 heures", "48 hours", "48h"),
        ("60 %", "60%", "60 percent", "60 pour cent"),
        ("1,5 kg", "1500 g", "1.5 kilos"),
        ("deux ans", "two years", "2 years", "two-year"),
        ("5 jours ouvrés", "5 business days", "five working days"),
        ("lundi", "Monday", "le lundi", "Mondays"),
        ("mardi au samedi, 10h à 19h", "Tuesday to Saturday, 10am to 7pm", "mar-sam 10h-19h"),
        ("weekdays", "lundi au vendredi"),
        ("Crème Brûlée", "crème  brûlée.", "CRÈME BRÛLÉE"),
        (True, True),
        (60, "60", 60.0),
    ],
)
def test_every_spelling_of_a_value_compares_equal(spellings: tuple[JsonValue, ...]) -> None:
    assert len({normalise(value) for value in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 €", "60 $"),
        ("60 €", "60"),
        ("60 €", "80 €"),
        ("250 grams", "250 ounces"),
        ("48 heures", "2 jours"),
        ("5 jours", "5 jours ouvrés"),
        ("lundi et vendredi", "lundi au vendredi"),
        ("10h à 19h", "9h à 19h"),
        ("12 €", "1,2 €"),
        (True, False),
        (None, False),
        (["a"], ["a", "b"]),
    ],
)
def test_values_that_differ_compare_unequal(one: JsonValue, other: JsonValue) -> None:
    assert normalise(one) != normalise(other)


def test_a_deep_value_has_a_short_form() -> None:
    """Its length once doubled with each level."""
    deep: JsonValue = "a"
    for _ in range(31):
        deep = [deep]
    assert normalise(deep) == "[" * 31 + '"a"' + "]" * 31
    assert normalise([["a"]]) != normalise(['["a"]'])


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("60 €", "money"),
        ("dès 60 €", "money"),
        ("27 %", "percent"),
        ("48 heures", "duration"),
        ("sous 24h", "duration"),
        ("14h", "time"),
        ("2pm", "time"),
        ("le 1er octobre", "date"),
        ("mardi", "day"),
        ("300 SKUs", "count"),
        (300, "count"),
        ("250 g", "weight"),
        ("Greenbox", "text"),
        (True, "flag"),
        (None, "none"),
    ],
)
def test_the_kind_of_a_value(value: JsonValue, kind: str) -> None:
    assert value_kind(value) == kind
