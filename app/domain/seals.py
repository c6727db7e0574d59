"""Seals on the audit trail: a chain of digests over the events of an organisation, in the order of their places.

A seal is over the lines alone. Words can be erased, and it still holds; those that are there are held against the
salted digest in their line.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

BEGINNING = ""
"""What the first seal of a chain follows."""
LEAF = 8
"""Bytes of each line's digest that a seal keeps, to tell which line is not what it was."""


@dataclass(frozen=True, slots=True)
class Line:
    """An event as it is kept: people and stores by what stands for them. `place` grows with each event written."""

    place: int
    id: UUID
    kind: str
    scope: str | None
    subject_ref: UUID | None
    fact_id: UUID | None
    actor_type: str
    actor_ref: UUID | None
    digest: str
    created_at: datetime

    def leaf(self, org_id: str) -> bytes:
        """SHA-256 over all of it, and whose it is."""
        refs = [str(ref) if ref else None for ref in (self.id, self.subject_ref, self.fact_id, self.actor_ref)]
        told = [org_id, self.place, self.kind, self.scope, self.actor_type, self.digest, _instant(self.created_at)]
        return hashlib.sha256(json.dumps([*told, *refs]).encode()).digest()


@dataclass(frozen=True, slots=True)
class Seal:
    """The `seq`th of its chain, from 1 on, over the `count` lines behind the one before it and up to `last_place`.

    `digest` is over `previous`, all else that the seal says and every line; `leaves` are the first bytes of each
    line's own digest.
    """

    seq: int
    first_place: int
    last_place: int
    count: int
    previous: str
    digest: str
    leaves: bytes
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """How far places were drawn, and who may still be writing at one of them."""

    place: int
    writers: frozenset[str] = frozenset()


def sealed(org_id: str, previous: Seal | None, lines: Sequence[Line], now: datetime) -> Seal:
    """The seal over these lines, which are some and stand behind those of `previous` in order of place."""
    leaves = [line.leaf(org_id) for line in lines]
    seal = Seal(
        seq=previous.seq + 1 if previous else 1,
        first_place=lines[0].place,
        last_place=lines[-1].place,
        count=len(lines),
        previous=previous.digest if previous else BEGINNING,
        digest="",
        leaves=b"".join(leaf[:LEAF] for leaf in leaves),
        sealed_at=now,
    )
    return replace(seal, digest=chained(org_id, seal, leaves))


def chained(org_id: str, seal: Seal, leaves: Sequence[bytes]) -> str:
    """The digest that a seal has over lines with these digests, in hex."""
    told = [org_id, seal.seq, seal.first_place, seal.last_place, seal.count, seal.previous, _instant(seal.sealed_at)]
    whole = hashlib.sha256(json.dumps(told).encode())
    for leaf in leaves:
        whole.update(leaf)
    return whole.hexdigest()


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
