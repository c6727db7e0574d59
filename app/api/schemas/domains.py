"""Word lists and names of tools, as an organisation sets them."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.domain.observations import MAX_NAME

MOST_DOMAINS = 40
MOST_WORDS = 200
MOST_TOOLS = 200


def _has_a_word(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise PydanticCustomError("no_word", "A word holds a letter or a digit")
    return text


ShortName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f]+$")
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=60), AfterValidator(_has_a_word)]
# JSON has no tuples: a strict body takes them as lists.
Words = Annotated[tuple[Word, ...], Field(strict=False, min_length=1, max_length=MOST_WORDS)]
Domains = Annotated[
    dict[ShortName, Words],
    Field(
        max_length=MOST_DOMAINS,
        description="Words and phrases by domain, blind to case and accents: a message that holds one speaks of it. "
        "The whole map is replaced.",
    ),
]
Tools = Annotated[
    tuple[ShortName, ...],
    Field(strict=False, max_length=MOST_TOOLS, description="Tools of whose runs no observation is kept."),
]
Days = Annotated[
    int, Field(ge=1, le=3650, description="How long observations are kept; longer than the deployment's has no effect.")
]
