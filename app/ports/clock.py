"""The clock, handed in: services ask it, tests set it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Answers the present instant, with a zone."""


def utc_now() -> datetime:
    """The present instant."""
    return datetime.now(UTC)
