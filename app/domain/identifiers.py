"""Identifiers that the service makes: UUIDv7, ordered by time of making (RFC 9562, section 5.7)."""

import os
import time
from uuid import UUID


def uuid7(unix_ms: int | None = None) -> UUID:
    """A new UUIDv7; `unix_ms` (milliseconds since 1970) defaults to the clock.

    Two ids of one millisecond stand in no promised order.
    """
    stamp = time.time_ns() // 1_000_000 if unix_ms is None else unix_ms
    value = (stamp & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
