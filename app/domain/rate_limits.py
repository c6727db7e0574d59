"""How many requests a caller may make, in windows of a minute that follow each other."""

import zlib
from dataclasses import dataclass
from typing import Final

WINDOW_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Allowance:
    """A caller's present window: its limit, how much was asked for in it, and the seconds until the next one."""

    limit: int
    used: int
    reset: int

    @property
    def remaining(self) -> int:
        """How many more there may be until then."""
        return max(0, self.limit - self.used)

    @property
    def exceeded(self) -> bool:
        """Whether the latest one was too many."""
        return self.used > self.limit


def window(caller: str, now: float) -> tuple[int, int]:
    """The number of the caller's window at `now` (seconds since the epoch), and whole seconds until its end, 1 to 60.

    Callers' windows begin at different seconds, so that those who were told to wait do not come back all at once.
    """
    number, passed = divmod(int(now) + zlib.crc32(caller.encode()), WINDOW_SECONDS)
    return number, WINDOW_SECONDS - passed
