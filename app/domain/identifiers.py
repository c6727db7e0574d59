"""Identifiers that the service makes: UUIDv7, ordered by time of making (RFC 9562, sections 5.7 and 6.2)."""

import os
import time
from uuid import UUID

_RANDOM_BITS = 74
_LOW_BITS = 62
_last = 0


def uuid7() -> UUID:
    """A new UUIDv7, greater than every one that this process made before, also within a millisecond."""
    global _last
    stamp = time.time_ns() // 1_000_000
    fresh = stamp << _RANDOM_BITS | int.from_bytes(os.urandom(10)) >> 80 - _RANDOM_BITS
    _last = max(fresh, _last + 1)
    high, low = _last >> _LOW_BITS, _last & ((1 << _LOW_BITS) - 1)
    return UUID(int=(high >> 12) << 80 | 0x7 << 76 | (high & 0xFFF) << 64 | 0b10 << 62 | low)
