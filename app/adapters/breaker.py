"""A breaker: what has just failed twice is left alone for a moment, so that nobody waits for it in vain."""

import time
from collections.abc import Callable
from typing import Final

FAILURES: Final = 2
PAUSE_SECONDS: Final = 1.5


class Breaker:
    """Closed until two failures in a row, then open for a moment; after that one more failure opens it again."""

    def __init__(self, now: Callable[[], float] = time.monotonic, pause: float = PAUSE_SECONDS) -> None:
        self._now = now
        self._pause = pause
        self._failures = 0
        self._open_until = 0.0
        self._away = False

    @property
    def closed(self) -> bool:
        """Whether to try."""
        return self.remaining <= 0

    @property
    def answers(self) -> bool:
        """Whether it is thought to be there: from an opening on not before it worked, however often it is tried."""
        return not self._away

    @property
    def remaining(self) -> float:
        """Seconds for which nobody should try; none left when it is closed."""
        return self._open_until - self._now()

    def worked(self) -> None:
        """It answered."""
        self._failures = 0
        self._away = False

    def failed(self) -> None:
        """It did not."""
        self._failures += 1
        if self._failures >= FAILURES:
            self.rest(self._pause)

    def rest(self, seconds: float) -> None:
        """It asked to be left alone for so long."""
        self._away = True
        self._open_until = max(self._open_until, self._now() + seconds)
