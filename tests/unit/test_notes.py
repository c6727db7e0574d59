"""A note in one line."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.notes import SUMMARY_LENGTH, note_key, summary

LONG = "mot " * 60


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("The api/v1/users endpoint requires Bearer auth.", "The api/v1/users endpoint requires Bearer auth."),
        ("  deux\n\nlignes ", "deux lignes"),
        (f"M. Dupont a appelé. Il veut un échange ! {LONG}", "M. Dupont a appelé. Il veut un échange !"),
        (f"v1.2 is out; see https://x.y/z.html. Then {LONG}", "v1.2 is out; see https://x.y/z.html."),
        (f'He said "no." {LONG}', 'He said "no."'),
        (LONG, f"{'mot ' * 34}mot…"),
        (f"un, {'x' * 200}", "un…"),
        ("x" * 200, f"{'x' * 139}…"),
    ],
)
def test_the_first_sentences_that_fit(content: str, line: str) -> None:
    assert summary(content) == line


@given(st.text(min_size=1))
def test_is_one_short_line_of_the_note_s_own_words(content: str) -> None:
    line = summary(content)
    assert len(line) <= SUMMARY_LENGTH
    assert len(line.splitlines()) <= 1
    assert " ".join(content.split()).startswith(line.removesuffix("…").rstrip())
    assert bool(line) == bool(content.split())


def test_has_a_key_of_its_own() -> None:
    assert note_key(UUID(int=255)) == f"note.{'0' * 30}ff"
