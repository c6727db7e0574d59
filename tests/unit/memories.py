"""Short ways to say facts, sources and decisions in tests."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from app.domain.decay import Tier
from app.domain.facts import Fact, Provenance
from app.domain.fold import fold
from app.domain.sources import (
    Audience,
    Decision,
    Entry,
    MessageRef,
    Origin,
    Reason,
    Relation,
    Source,
    Traits,
    Trust,
    Verdict,
)
from app.domain.subjects import KeyRef, OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, Rank, TenantScope

Say = Callable[..., Source]
"""One of the ways below to state a value."""

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ALICE = Actor(ActorType.PERSON, "alice")
ME, SHOP, COMPANY = UserSubject("alice"), StoreSubject("shop1"), OrgSubject()
SHIPPING = KeyRef(SHOP, ATLAS, "shipping.free_from")


def day(number: float) -> datetime:
    """The instant `number` days after the start."""
    return START + timedelta(days=number)


def said(
    number: int,
    value: str,
    at: float,
    *,
    relation: Relation = Relation.STATEMENT,
    hand: bool = False,
    reason: Reason | None = None,
    replaces: int | None = None,
    recorded: float | None = None,
    since: float | None = None,
    trust: Trust = Trust.MEMBER,
    **traits: Any,
) -> Source:
    """Source `number` states `value` on day `at`, recorded on that day unless told otherwise."""
    return Source(
        id=UUID(int=number),
        at=day(at),
        recorded_at=day(at if recorded is None else recorded),
        origin=Origin.HAND if hand else Origin.MESSAGE,
        relation=relation,
        author=ALICE,
        trust=trust,
        value=value,
        normal=value.casefold(),
        content=f"{value}, says {number}",
        language="en",
        valid_from=day(at if since is None else since),
        traits=Traits(**{"confidence": 0.6, **traits}),
        reason=reason,
        message=None if hand else MessageRef("talk", f"m{number}", "web"),
        replaces=None if replaces is None else UUID(int=replaces),
    )


def wrote(number: int, value: str, at: float, **more: Any) -> Source:
    """A person writes the value by hand."""
    return said(number, value, at, hand=True, **more)


def changed(number: int, value: str, at: float, **more: Any) -> Source:
    """A statement that itself says that things changed."""
    return said(number, value, at, relation=Relation.UPDATE, **more)


def corrected(number: int, value: str, at: float, **more: Any) -> Source:
    """A person puts the assistant right."""
    return said(
        number, value, at, relation=Relation.CORRECTION, reason=Reason.CORRECTION, **{"confidence": 0.95, **more}
    )


def edited(number: int, value: str, at: float, replaces: int, **more: Any) -> Source:
    """A person edits the row that rests on source `replaces`."""
    return said(number, value, at, hand=True, reason=Reason.EDITED, replaces=replaces, **more)


def decided(verdict: Verdict, row: int, at: float, **changes: Any) -> Decision:
    """A person decides about the row that rests on source `row`."""
    number = 1_000_000 + int(at * 1000) + row
    return Decision(UUID(int=number), day(at), day(at), verdict, UUID(int=row), ALICE, changes)


def folded(*entries: Entry, ref: KeyRef = SHIPPING) -> list[Fact]:
    """The rows of one key."""
    return fold(ref, entries)


def told(rows: list[Fact]) -> list[tuple[str, int, str]]:
    """Each row as (value, confirmations, standing)."""
    return [(str(row.value), row.confirmation_count, _standing(row)) for row in rows]


def _standing(row: Fact) -> str:
    if row.live:
        return "contradicted" if row.contradicted else "live"
    return "superseded" if row.superseded_by else "archived"


def live(rows: list[Fact]) -> list[str]:
    """The values that are believed, oldest row first."""
    return [str(row.value) for row in rows if row.live]


def fact(
    number: int,
    key: str = "shipping.free_from",
    content: str = "Free shipping from 60 €",
    *,
    about: Subject = SHOP,
    agent_id: str = ATLAS,
    at: float = 0.0,
    confidence: float = 0.8,
    tier: Tier = Tier.STANDARD,
    tags: tuple[str, ...] = (),
    many: bool = False,
    audience: Audience = Audience.TEAM,
    reason: Reason | None = None,
    **more: Any,
) -> Fact:
    """A row as it comes out of storage, last said on day `at`."""
    traits = Traits(
        tags=tags,
        tier=tier,
        confidence=confidence,
        many=many,
        audience=audience,
        half_life_days=more.pop("half_life", None),
    )
    fields = {
        "value": content,
        "normal": content.casefold(),
        "language": "en",
        "trust": Trust.MEMBER,
        "by_hand": False,
        "confirmation_count": 1,
        "source": Provenance(ALICE, Relation.STATEMENT, reason, MessageRef("talk", f"m{number}", "web")),
        "created_at": day(at),
        "last_reinforced_at": day(at),
        "valid_from": day(at),
        **more,
    }
    return Fact(id=UUID(int=number), ref=KeyRef(about, agent_id, key), content=content, traits=traits, **fields)


def reader(rank: Rank = Rank.MEMBER, person: str | None = "alice") -> TenantScope:
    """Somebody of organisation `demo`."""
    return TenantScope("demo", ALICE, rank, person)
