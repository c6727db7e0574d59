"""Keys: `rtn_…` opens one organisation, `rtp_…` the platform. Made here, shown once, kept only as a digest.

A key is its kind's prefix, 43 letters and digits for 256 random bits, and 6 more that check the rest: one letter typed
wrong is refused without asking the database, and a scanner of public code can tell a real key from a look-alike.
"""

import hashlib
import hmac
import secrets
from enum import StrEnum
from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_BITS: Final = 256
_RANDOM_DIGITS: Final = 43  # 62^43 > 2^256
_CHECK_DIGITS: Final = 6  # 62^6 > 2^32
_CHECK_BYTES: Final = 4


class KeyKind(StrEnum):
    """What a key opens; the value is its prefix."""

    API = "rtn"
    PLATFORM = "rtp"


_PREFIXES: Final = frozenset(KeyKind)


def make_key(kind: KeyKind) -> str:
    """A new key, 53 characters long."""
    body = f"{kind}_{_base62(secrets.randbits(_RANDOM_BITS), _RANDOM_DIGITS)}"
    return body + _check(body)


def kind_of(text: str) -> KeyKind | None:
    """The kind of a key that could have been made here; None for everything else."""
    body, check = text[:-_CHECK_DIGITS], text[-_CHECK_DIGITS:]
    prefix, _, digits = body.partition("_")
    if prefix not in _PREFIXES or len(digits) != _RANDOM_DIGITS or not text.isascii():
        return None
    return KeyKind(prefix) if hmac.compare_digest(check, _check(body)) else None


def digest(key: str, pepper: bytes) -> bytes:
    """HMAC-SHA256: what the database keeps of a key. Without the pepper it neither finds nor checks one."""
    return hmac.digest(pepper, key.encode(), hashlib.sha256)


def _check(body: str) -> str:
    return _base62(int.from_bytes(hashlib.sha256(body.encode()).digest()[:_CHECK_BYTES]), _CHECK_DIGITS)


def _base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
