"""Questions come again: from the next tab, the next retry, the next part of a page."""

import secrets
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Protocol

from app.domain.embedding import EmbedderProfile, Vector
from app.ports.embedders import Embedder, Tally

MOST_KEPT: Final = 512


class OwnedEmbedder(Embedder, Protocol):
    """An embedder with a beginning and an end."""

    def open(self) -> None:
        """Makes itself ready, in its own time."""
        ...

    async def close(self) -> None:
        """Gives back what it holds."""
        ...


class RecentQuestions:
    """The same embedder, which remembers the vectors of the last 512 questions in this process.

    No words lie in memory for it: a vector is kept under a keyed digest of its question, and the key is made by chance
    for this object and never leaves it. A hit costs nothing and adds nothing to a tally. Passages pass through.
    """

    def __init__(self, embedder: OwnedEmbedder, most: int = MOST_KEPT) -> None:
        self._embedder = embedder
        self._most = most
        self._key = secrets.token_bytes(32)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    @property
    def profile(self) -> EmbedderProfile:
        return self._embedder.profile

    @property
    def answers(self) -> bool:
        return self._embedder.answers

    def open(self) -> None:
        self._embedder.open()

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        return await self._embedder.passages(texts, tally)

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        """As `Embedder`; a question that was asked lately is answered even while the embedder is away."""
        name = blake2b(text.encode(errors="surrogatepass"), digest_size=32, key=self._key).digest()
        if (kept := self._kept.get(name)) is not None:
            self._kept.move_to_end(name)
            return tuple(array("f", kept))
        vector = await self._embedder.question(text, tally)
        if vector is not None:
            self._kept[name] = array("f", vector).tobytes()
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return vector

    async def close(self) -> None:
        self._kept.clear()
        await self._embedder.close()
