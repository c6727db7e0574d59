"""Relative dates, against the message's own day."""

from datetime import date, datetime

import pytest

from app.domain.when import resolve

PARIS_NIGHT = "2026-03-01T00:40:00+01:00"


@pytest.mark.parametrize(
    ("text", "sent_at", "written", "since"),
    [
        ("Hier on a signé", PARIS_NIGHT, "Hier (2026-02-28) on a signé", "2026-02-28"),
        ("Yesterday we signed", "2026-05-03T23:50:00-07:00", "Yesterday (2026-05-02) we signed", "2026-05-02"),
        ("Avant-hier on a fermé", "2026-03-10T10:00:00+01:00", "Avant-hier (2026-03-08) on a fermé", "2026-03-08"),
        ("On ferme demain", "2026-03-10T10:00:00+01:00", "On ferme demain (2026-03-11)", None),
        (
            "Il y a trois jours on a signé",
            "2026-03-10T10:00:00+01:00",
            "Il y a trois jours (2026-03-07) on a signé",
            "2026-03-07",
        ),
        ("We moved two months ago", "2026-03-10T10:00:00+01:00", "We moved two months ago (2026-01)", None),
        ("Last week we moved", "2026-02-11T11:33:00+00:00", "Last week (2026-02-02 to 2026-02-08) we moved", None),
        (
            "La semaine prochaine",
            "2026-03-10T10:00:00+01:00",
            "La semaine prochaine (du 2026-03-16 au 2026-03-22)",
            None,
        ),
        ("le mois dernier", "2026-01-24T11:15:00+02:00", "le mois dernier (2025-12)", None),
        ("Next Friday we switch", "2026-09-18T09:15:00+01:00", "Next Friday (2026-09-25) we switch", None),
        ("On lance vendredi prochain", "2026-10-24T11:15:00+02:00", "On lance vendredi prochain (2026-10-30)", None),
        (
            "lundi dernier on a signé",
            "2026-03-10T10:00:00+01:00",
            "lundi dernier (2026-03-09) on a signé",
            "2026-03-09",
        ),
        (
            "lundi dernier on a signé",
            "2026-03-09T10:00:00+01:00",
            "lundi dernier (2026-03-02) on a signé",
            "2026-03-02",
        ),
        (
            "Depuis le 1er octobre, 80 €",
            "2026-10-24T11:15:00+02:00",
            "Depuis le 1er octobre (2026-10-01), 80 €",
            "2026-10-01",
        ),
        ("since 3 May we ship", "2026-04-24T11:15:00+02:00", "since 3 May (2025-05-03) we ship", "2025-05-03"),
        ("As of January, belts", "2026-01-24T11:15:00+02:00", "As of January (2026-01-01), belts", "2026-01-01"),
        (
            "From January, it will cost £3",
            "2026-11-24T11:15:00+00:00",
            "From January (2027-01-01), it will cost £3",
            None,
        ),
        (
            "À partir de mars, le mug coûtera 14 €",
            "2026-11-24T11:15:00+00:00",
            "À partir de mars (2027-03-01), le mug coûtera 14 €",
            None,
        ),
        ("depuis 2019 on vend", "2026-01-24T11:15:00+02:00", "depuis 2019 on vend", "2019-01-01"),
        ("à partir du 15 décembre", "2026-11-24T11:15:00+02:00", "à partir du 15 décembre (2026-12-15)", None),
        ("We're launching on Monday", "2026-11-24T11:15:00+02:00", "We're launching on Monday (2026-11-30)", None),
    ],
)
def test_the_day_that_is_meant_is_written_behind_the_words(
    text: str, sent_at: str, written: str, since: str | None
) -> None:
    language = "fr" if any(word in text.lower() for word in ("on ", "le ", "la ", "partir")) else "en"
    dated = resolve(text, datetime.fromisoformat(sent_at), language)
    assert dated.text == written
    assert dated.valid_from == (date.fromisoformat(since) if since else None)


def test_a_word_that_may_mean_two_days_says_when_it_was_said() -> None:
    said = datetime.fromisoformat("2026-10-20T11:15:00+02:00")
    assert resolve("On lance jeudi prochain", said, "fr").text == "On lance jeudi prochain (dit le 2026-10-20)"
    assert resolve("next Thursday", said, "en").text == "next Thursday (said on 2026-10-20)"


@pytest.mark.parametrize(
    "text",
    [
        "La boutique ferme à 17h le vendredi",
        "We deliver in two days",
        "On livre en 48 h",
        "closed on Mondays",
        "Hier (2026-02-28) on a signé",
    ],
)
def test_habits_delays_and_dated_words_stay_as_they_are(text: str) -> None:
    assert resolve(text, datetime.fromisoformat(PARIS_NIGHT), "fr").text == text
