"""The embedder in memory: texts that share words are near, and nothing else is known of them."""

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from app.domain.embedding import EmbedderProfile, Vector, readable, unit, windows
from app.domain.wording import plain
from app.ports.embedders import EmbeddingFailed, Tally

WORDS: Final = EmbedderProfile(name="words@64", dimension=64, window=200, related=0.5, duplicate=0.9)
_WORD: Final = re.compile(r"\w+")


class InMemoryEmbedder:
    """Of each word the digest, as directions; of a text their sum. The same everywhere and always.

    While there is a `fault`, everything raises it. `embedded` are the stretches embedded so far, in order.
    """

    def __init__(self, profile: EmbedderProfile = WORDS, fault: EmbeddingFailed | None = None) -> None:
        self._profile = profile
        self.fault = fault
        self.embedded: list[str] = []

    @property
    def profile(self) -> EmbedderProfile:
        return self._profile

    @property
    def answers(self) -> bool:
        return self.fault is None

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        return [[self._embed(one, tally) for one in windows(readable(text), self._profile.window)] for text in texts]

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        cut = windows(readable(text), self._profile.window)
        return self._embed(cut[0], tally) if cut else None

    def _embed(self, text: str, tally: Tally | None) -> Vector:
        if self.fault is not None:
            raise self.fault
        self.embedded.append(text)
        if tally is not None:
            tally.vectors += 1
        return by_words(text, self._profile.dimension)


def by_words(text: str, dimension: int) -> Vector:
    """The vector of a text that has words."""
    numbers = [0] * dimension
    for word, times in Counter(_WORD.findall(plain(text))).items():
        bits = int.from_bytes(_digest(word, dimension))
        for place in range(dimension):
            numbers[place] += times if bits >> place & 1 else -times
    if not any(numbers):  # words that cancel each other out
        numbers[0] = 1
    return unit(numbers, dimension)


def _digest(word: str, dimension: int) -> bytes:
    """At least as many bits as the vector has numbers."""
    parts = range(-(-dimension // 512))
    return b"".join(blake2b(word.encode(), salt=part.to_bytes(16)).digest() for part in parts)
