"""Idempotency keys: the same request sent again has one effect, and is answered as it was the first time.

A key is the caller's own. What is kept of it are digests, and of the answer its status, ids and numbers: what a memory
says is read anew for a replay, so that nothing erased comes back.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from app.domain.values import JsonValue

KEEP: Final = timedelta(hours=24)
"""For so long a key means the request that it came with."""
LEASE: Final = timedelta(seconds=10)
"""After so long without an end, whoever held the key is taken for dead. One who is merely slow changes nothing then."""


ERASED: Final = "erased"
ERASED_ANSWER: Final[JsonValue] = {"kind": ERASED, "kept": None}
"""What stands in the place of an answer that named what was erased: asked for again, it is not found."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do what `request` asks, this once. `key` and `request` are digests, `attempt` is this try's own."""

    key: bytes
    request: bytes
    attempt: UUID
    at: datetime

    @property
    def lease_until(self) -> datetime:
        """From then on somebody else may claim the key."""
        return self.at + LEASE


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a request was answered: its status, and what is needed to say the rest again."""

    status: int
    answer: JsonValue = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a key that somebody else claimed. No outcome: it is still being worked on."""

    request: bytes
    outcome: Outcome | None


def digest(pepper: bytes, *parts: bytes) -> bytes:
    """HMAC-SHA256 of these parts; parts that are cut otherwise give another one."""
    told = b"".join(len(part).to_bytes(8) + part for part in parts)
    return hmac.digest(pepper, told, hashlib.sha256)
