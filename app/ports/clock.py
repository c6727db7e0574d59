"""The clock, handed in: services ask it, tests set it."""

from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]
"""Answers the present instant, with a zone."""
