"""A clock that tests move."""

from datetime import UTC, datetime, timedelta


class MovingClock:
    """The real time, shifted by what a test asked for."""

    def __init__(self) -> None:
        self._shift = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._shift

    def advance(self, **span: float) -> None:
        """Later by a timedelta's arguments, such as `days=3`."""
        self._shift += timedelta(**span)

    def reset(self) -> None:
        """Back to the real time."""
        self._shift = timedelta()
