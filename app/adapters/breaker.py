"""A breaker: what has just failed twice is left alone for a moment, so that nobody waits for it in vain."""

import time
from collections.abc import Callable
from typing import Final

FAILURES: Final = 2
PAUSE_SECONDS: Final = 1.5


class Breaker:
    """Closed until two failures in a row, then open for a moment; after that one more failure opens it again."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._failures = 0
        self._open_until = 0.0

    @property
    def closed(self) -> bool:
        """Whether to try."""
        return self._now() >= self._open_until

    def worked(self) -> None:
        """It answered."""
        self._failures = 0

    def failed(self) -> None:
        """It did not."""
        self._failures += 1
        if self._failures >= FAILURES:
            self._open_until = self._now() + PAUSE_SECONDS
