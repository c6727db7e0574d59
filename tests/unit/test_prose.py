"""What somebody says is read before the code they show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.prose import prose_first

LINES = ["Bonjour", "voici ```12 €``` en ligne", "```", "```python", "~~~", "  ```", "x = 1", "", "D'accord ?", "````"]
pages = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


@pytest.mark.parametrize(
    ("text", "prose", "code"),
    [
        ("Le pot est à 12 €.", "Le pot est à 12 €.", ""),
        ("Avant.\n```js\nx = 1\n```\nAprès ?", "Avant.\n\nAprès ?", "```js\nx = 1\n```"),
        ("~~~\nx\n~~~\nAprès.", "Après.", "~~~\nx\n~~~"),
        ("Un.\n```\na\n```\nDeux.\n```\nb\n```\nTrois.", "Un.\n\nDeux.\n\nTrois.", "```\na\n```\n```\nb\n```"),
        ("Jamais fermé :\n```\nx = 1\ny = 2", "Jamais fermé :", "```\nx = 1\ny = 2"),
        ("~~~\n```\n~~~\nAprès.", "Après.", "~~~\n```\n~~~"),
        ("Le code est ```1234```, merci.", "Le code est ```1234```, merci.", ""),
    ],
)
def test_code_goes_behind_the_prose(text: str, prose: str, code: str) -> None:
    assert prose_first(text) == (prose, f"{prose}\n{code}" if code else prose)


@pytest.mark.parametrize("text", ["", "```\nx = 1\n```", "```"])
def test_where_there_is_code_alone_it_is_what_is_said(text: str) -> None:
    assert prose_first(text) == (text, text)


@given(pages)
def test_nothing_is_lost_and_nothing_added(text: str) -> None:
    prose, whole = prose_first(text)
    assert sorted(whole.split()) == sorted(text.split())
    assert whole.startswith(prose)


@given(pages)
def test_prose_holds_no_code(text: str) -> None:
    prose, whole = prose_first(text)
    assert prose_first(prose) == (prose, prose) or prose == whole
