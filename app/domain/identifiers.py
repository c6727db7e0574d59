"""Identifiers that the service makes: UUIDv7, ordered by time of making (RFC 9562, sections 5.7 and 6.2)."""

import os
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

_RANDOM_BITS = 74
_LOW_BITS = 62
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_last = 0


def uuid7() -> UUID:
    """A new UUIDv7, greater than every one that this process made before, also within a millisecond."""
    global _last
    stamp = time.time_ns() // 1_000_000
    fresh = stamp << _RANDOM_BITS | int.from_bytes(os.urandom(10)) >> 80 - _RANDOM_BITS
    _last = max(fresh, _last + 1)
    return _uuid7(_last)


def first_uuid7(instant: datetime) -> UUID:
    """The least UUIDv7 of the instant's millisecond: ids made earlier are less than it."""
    return _uuid7((instant - _EPOCH) // timedelta(milliseconds=1) << _RANDOM_BITS)


def _uuid7(number: int) -> UUID:
    """The UUIDv7 of 48 bits of time and 74 others."""
    high, low = number >> _LOW_BITS, number & ((1 << _LOW_BITS) - 1)
    return UUID(int=(high >> 12) << 80 | 0x7 << 76 | (high & 0xFFF) << 64 | 0b10 << 62 | low)
