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
        ("Avant.\n```js\nx = 1\n```\nAprès ?", "Avant.\n\nAprès ?", "```js\nx = 1\n```"),
        ("~~~\nx\n~~~\nAprès.", "\nAprès.", "~~~\nx\n~~~"),
        ("Un.\n```\na\n```\nDeux.\n```\nb\n```\nTrois.", "Un.\n\nDeux.\n\nTrois.", "```\na\n```\n```\nb\n```"),
        ("~~~\n```\n~~~\nAprès.", "\nAprès.", "~~~\n```\n~~~"),
        ("````\n```\n````\nAprès.", "\nAprès.", "````\n```\n````"),
        ("Avant.\r\n```\r\nx\r\n```\r\nAprès.", "Avant.\r\n\r\nAprès.", "```\r\nx\r\n```"),
        ("- ```js\n  x = 1\n  ```\nAprès ?", "\nAprès ?", "- ```js\n  x = 1\n  ```"),
        ("> ```\n> x = 1\n> ```\nAprès ?", "\nAprès ?", "> ```\n> x = 1\n> ```"),
        ("```\nx = 1\n``` et après ?", " et après ?", "```\nx = 1\n```"),
        ("```\nx = 1\n```", "", "```\nx = 1\n```"),
    ],
)
def test_code_goes_behind_the_prose(text: str, prose: str, code: str) -> None:
    assert prose_first(text) == f"{prose}\n{code}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Le pot est à 12 €.",
        "Le code est ```1234```, merci.",
        "```npm i``` ne marche pas.",
        "Sans fin :\n```\nx = 1",
    ],
)
def test_what_holds_no_code_stays_as_it_is(text: str) -> None:
    assert prose_first(text) == text


@given(pages)
def test_nothing_is_lost_and_nothing_added(text: str) -> None:
    assert sorted("".join(prose_first(text).split())) == sorted("".join(text.split()))
