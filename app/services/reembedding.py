"""From one model to another: how much is left to embed anew, and doing it, an organisation at a time."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace

from app.domain.errors import RetenirError
from app.domain.tenancy import TenantScope
from app.ports.storage import Directory
from app.ports.vectors import Progress
from app.services.embedding import Embedding

ORGANISATIONS_AT_ONCE = 500
FRESH_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
PATIENCE = 100
"""So many times in a row it is waited for what does not answer: for more than an hour."""


class Reembedding:
    """What has vectors of another model than the embedder's is found by its words alone, until it is embedded anew."""

    def __init__(self, directory: Directory, embedding: Embedding, now: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._embedding = embedding
        self._now = now
        self._left = 0
        self._looked: float | None = None

    @property
    def model(self) -> str:
        """The one in use."""
        return self._embedding.embedder.profile.name

    async def left(self) -> int:
        """How many documents of all organisations have vectors of another model; as it was half a minute ago, at most,
        or when it was last known.
        """
        now = self._now()
        if self._looked is None or now >= self._looked + FRESH_SECONDS:
            self._looked = now
            with suppress(RetenirError):
                self._left = await self._directory.embedded_elsewhere(self.model)
        return self._left

    async def organisations(self) -> AsyncIterator[str]:
        """All of them, in order."""
        last: str | None = None
        while org_ids := await self._directory.organisations(ORGANISATIONS_AT_ONCE, last):
            for last in org_ids:
                yield last

    async def move(self, scope: TenantScope) -> AsyncIterator[Progress]:
        """Give everything that the organisation has vectors of this model, and tell how far it has come, at first and
        after each step. Nothing is told of one whose memory is off. Begun again it goes on where it was.

        What does not answer is waited for. Raises what it raised after it did not for too long.
        """
        done = await self._embedding.progress(scope)
        more, vain, told = True, 0, False
        while more:
            try:
                step = await self._embedding.step(scope)
            except RetenirError:
                vain += 1
                if vain > PATIENCE:
                    raise
                await asyncio.sleep(min(FIRST_PAUSE * 2 ** (vain - 1), LONGEST_PAUSE))
                continue
            if step is None:
                return
            if not told:
                yield done
            vain, told, more = 0, True, step.more
            done = replace(done, embedded=done.embedded + step.embedded, failed=done.failed + step.failed)
            yield done
