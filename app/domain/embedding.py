"""Embeddings: what a model makes of text, and what its numbers mean."""

import math
import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, TypeAlias

Vector: TypeAlias = Sequence[float]
"""Of length 1, in a model's own dimension."""

_BLANKS: Final = re.compile(r"\s*")
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class EmbedderProfile:
    """A model's name, and what must be known of it to use its vectors; cosines of one model mean nothing for another.

    `name` tells vectors apart: what was made under another name is never compared. `window` is how many characters it
    reads of a text at once; of a longer one each stretch is embedded. `related` and `duplicate` are the cosines of two
    passages from which they are about the same, and may mean the same.
    """

    name: str
    dimension: int
    window: int
    related: float
    duplicate: float

    def nearness(self, cosine: float) -> float:
        """A cosine as a number in [0, 1]: 0 as far below `related` as `duplicate` is above it, 1 at `duplicate`."""
        width = 2 * (self.duplicate - self.related)
        return min(max((cosine - self.duplicate) / width + 1, 0.0), 1.0) if width else float(cosine >= self.duplicate)


class BadVectorError(ValueError):
    """These numbers are no vector of the model's; the message says why, and holds none of them."""


def unit(numbers: Sequence[object], dimension: int) -> Vector:
    """The vector of length 1 in the direction of these numbers, each as precise as a float of 32 bits.

    Raises BadVectorError for another dimension, for what is no finite number, and where all are zero.
    """
    if len(numbers) != dimension:
        raise BadVectorError(f"{len(numbers)} numbers instead of {dimension}")
    try:
        told = [float(number) for number in numbers if isinstance(number, int | float) and not isinstance(number, bool)]
    except OverflowError:  # an integer beyond all floats
        told = []
    if len(told) != dimension or not all(map(math.isfinite, told)):
        raise BadVectorError("not all are finite numbers")
    largest = max(map(abs, told), default=0.0)
    if largest == 0.0:
        raise BadVectorError("all are zero")
    scaled = [number / largest for number in told]  # so that no square is lost or infinite
    length = math.sqrt(math.fsum(map(mul, scaled, scaled)))
    return tuple(array("f", [number / length for number in scaled]))


def cosine(one: Vector, other: Vector) -> float:
    """How near two vectors of one model are: 1 for the same direction."""
    return float(sum(map(mul, one, other)))


def readable(text: str) -> str:
    """The text as any model can be shown it: composed (NFC), and a blank for what is no character: NUL, half a pair."""
    return unicodedata.normalize("NFC", _NO_TEXT.sub(" ", text))


def windows(text: str, size: int) -> list[str]:
    """The text in stretches of at most `size` characters, in order; cut at a blank where one is in a stretch's latter
    half, and without those that hold no word (neither letter nor digit).

    There are at most 2 · len(text) / size + 1, and nothing but blanks and wordless stretches is lost.
    """
    cut: list[str] = []
    start = 0
    while (start := _BLANKS.match(text, start).end()) < len(text):  # type: ignore[union-attr] # it always matches
        end = start + size
        if end < len(text):
            blank = max(text.rfind(mark, start + (size + 1) // 2, end + 1) for mark in " \n\t")
            end = blank if blank > start else end
        cut.append(text[start:end].strip())
        start = end
    return [stretch for stretch in cut if has_words(stretch)]


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit in it."""
    return any(map(str.isalnum, text))
