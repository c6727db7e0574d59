"""Changing facts by hand: writing, editing, deciding, confirming."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.errors import Conflict, Invalid, NotFound
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.messages import MAX_AHEAD
from app.domain.sources import Decision, Origin, Reason, Relation, Source, Traits, Trust, Verdict, amended
from app.domain.subjects import KeyRef, Scope
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue, normalise
from app.domain.versions import ANY, Expected
from app.ports.clock import Clock
from app.ports.facts import FactRecord
from app.ports.storage import Storage, UnitOfWork
from app.services.arrivals import welcome
from app.services.facts import find
from app.services.folds import Author, extend
from app.services.reach import require_writable


@dataclass(frozen=True, slots=True)
class Statement:
    """What a person writes by hand for a key. `content` is the sentence shown, in `language`."""

    value: JsonValue
    content: str
    traits: Traits
    language: str
    valid_from: datetime | None = None
    replaces: UUID | None = None


class FactEditing:
    """The acts of people on single facts. Each is one transaction that leaves the key folded and the trail written.

    All raise NotFound for what is out of reach and Forbidden where the right is lacking; those that take the versions
    `expected` of the row raise PreconditionFailed where it stands at another.
    """

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock

    async def write(
        self, scope: TenantScope, ref: KeyRef, value: JsonValue, content: str, traits: Traits, since: datetime | None
    ) -> tuple[FactRecord, bool]:
        """State a value by hand, valid from `since` or now. Answers its row, and whether that is new.

        It supersedes every other value of the key at once; the value that already stands is confirmed. Raises Invalid.
        """
        now = self._clock()
        if since is not None and since > now + MAX_AHEAD:
            raise Invalid("time_ahead", "This lies more than 24 hours ahead.", (("/valid_from", "time_ahead"),))
        async with self._storage.transaction(scope) as uow:
            await welcome(uow, scope, ref.subject, now)
            await require_writable(uow, scope, ref.subject, ref.agent_id)
            await uow.facts.lock([ref])
            organisation = await uow.organisations.get()
            if organisation is None:
                raise NotFound
            stated = Statement(value, content, traits, organisation.settings.language, since)
            change = await self._state(uow, scope, ref, stated)
            return await record_of(uow, change.row), change.before is None

    async def edit(
        self,
        scope: TenantScope,
        kind: Scope,
        fact_id: UUID,
        stated: Mapping[str, Any],
        traits: Mapping[str, Any],
        expected: Expected = ANY,
    ) -> FactRecord:
        """Change a fact. `stated` (value, content) makes a successor, which is answered; `traits` change in place.

        Raises Conflict `not_live` for a new value of what is no longer believed.
        """
        async with self._storage.transaction(scope) as uow:
            fact = await held(uow, scope, kind, fact_id, expected)
            if fact.behaviour is not None and "category" in traits:
                raise Invalid("category_fixed", "Its sessions say what this is about.", (("/category", "fixed"),))
            if not stated:
                decision = decision_on(scope, fact, Verdict.AMEND, self._clock(), traits)
                await extend(uow, fact.ref, [decision], Author(scope.actor, self._clock()))
                return await record_of(uow, fact)
            _require_live(fact)
            value, content = _edited(fact, stated)
            kept = amended(replace(fact.traits, confidence=1.0), traits)
            successor = Statement(value, content, kept, fact.language, replaces=fact.id)
            return await record_of(uow, (await self._state(uow, scope, fact.ref, successor)).row)

    async def decide(
        self, scope: TenantScope, kind: Scope, fact_id: UUID, verdict: Verdict, expected: Expected = ANY
    ) -> FactRecord:
        """Pin, unpin, archive or restore. What already is so stays as it is. Raises Conflict `merged`.

        Where the value was said again since, its newer row is meant, and answered.
        """
        now = self._clock()
        async with self._storage.transaction(scope) as uow:
            fact = await held(uow, scope, kind, fact_id, expected)
            if _is_so(fact, verdict):
                return await record_of(uow, fact)
            if fact.merged_into is not None and verdict is not Verdict.UNPIN:
                raise Conflict("merged", "This fact was merged into another: unmerge it first.")
            changed = await extend(uow, fact.ref, [decision_on(scope, fact, verdict, now)], Author(scope.actor, now))
            rows = [change.row for change in changed if change.row.normal == fact.normal]
            return await record_of(uow, rows[-1] if rows else fact)

    async def confirm(self, scope: TenantScope, kind: Scope, fact_id: UUID, expected: Expected = ANY) -> FactRecord:
        """Vouch for a fact: one more confirmation, and chat no longer overrules it. Raises Conflict `not_live`."""
        async with self._storage.transaction(scope) as uow:
            fact = await held(uow, scope, kind, fact_id, expected)
            _require_live(fact)
            stated = Statement(fact.value, fact.content, fact.traits, fact.language)
            return await record_of(uow, (await self._state(uow, scope, fact.ref, stated)).row)

    async def _state(self, uow: UnitOfWork, scope: TenantScope, ref: KeyRef, stated: Statement) -> Change:
        """Add the statement to the key, after all that was said there, and answer what became of its row."""
        now = self._clock()
        rows = await uow.facts.of_key(ref)
        source = Source(
            id=uuid7(),
            at=max([now, *(row.last_reinforced_at for row in rows)]),
            recorded_at=now,
            origin=Origin.HAND,
            relation=Relation.STATEMENT,
            author=scope.actor,
            trust=Trust.of(scope.rank),
            value=stated.value,
            normal=normalise(stated.value),
            content=stated.content,
            language=stated.language,
            valid_from=stated.valid_from or now,
            traits=stated.traits,
            reason=Reason.EDITED if stated.replaces else None,
            replaces=stated.replaces,
        )
        return _standing(await extend(uow, ref, [source], Author(scope.actor, now)), source)


async def held(uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID, expected: Expected = ANY) -> Fact:
    """The fact, with its key held, once the caller's right to change it is clear."""
    ref = (await find(uow, scope, kind, fact_id)).fact.ref
    await require_writable(uow, scope, ref.subject, ref.agent_id)
    await uow.facts.lock([ref])
    record = await find(uow, scope, kind, fact_id)
    expected.require(record.version)
    return record.fact


async def record_of(uow: UnitOfWork, fact: Fact) -> FactRecord:
    """The row as it stands. Raises NotFound when it is gone."""
    record = await uow.facts.get(fact.ref.subject.scope, fact.id)
    if record is None:
        raise NotFound
    return record


def _standing(changed: Sequence[Change], source: Source) -> Change:
    return next(change for change in changed if change.row.live and change.row.normal == source.normal)


def _require_live(fact: Fact) -> None:
    if not fact.live:
        raise Conflict("not_live", "This fact is archived or superseded: restore it first.")


def _edited(fact: Fact, stated: Mapping[str, Any]) -> tuple[JsonValue, str]:
    """The new value and sentence; the one that is not given follows the other where the two said the same."""
    value: JsonValue = stated.get("value", fact.value)
    content = stated.get("content")
    if content is None:
        return value, _retold(fact, value)
    unsaid = "value" not in stated and fact.value == fact.content
    return (content if unsaid else value), content


def _retold(fact: Fact, value: JsonValue) -> str:
    """The old sentence with the new value in the old one's place; the new value alone where that has no place."""
    old, new = str(fact.value), value if isinstance(value, str) else str(value)
    return fact.content.replace(old, new) if old and old in fact.content else new


def decision_on(
    scope: TenantScope, fact: Fact, verdict: Verdict, now: datetime, changes: Mapping[str, Any] | None = None
) -> Decision:
    """A decision that stands after all that the row rests on, whatever the senders' clocks said."""
    at = max(now, fact.last_reinforced_at)
    return Decision(uuid7(), at, now, verdict, fact.id, scope.actor, dict(changes or {}))


def _is_so(fact: Fact, verdict: Verdict) -> bool:
    return {
        Verdict.PIN: fact.pinned and fact.live,
        Verdict.UNPIN: not fact.pinned,
        Verdict.ARCHIVE: not fact.live,
        Verdict.RESTORE: fact.live,
    }[verdict]
