"""What may not come back with an import: what the ledger says was erased here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.erasures import Thing, ThingKind, entry_thing, message_thing, person_thing, store_thing
from app.domain.export import Section
from app.domain.imports import Staged
from app.domain.sources import MessageRef
from app.domain.subjects import Scope
from app.ports.storage import UnitOfWork

_REMEMBERED = frozenset(
    {Section.FACTS, Section.SOURCES, Section.DECISIONS, Section.MESSAGES, Section.OBSERVATIONS, Section.EVENTS}
)
_BELIEFS = frozenset({Section.FACTS, Section.SOURCES, Section.DECISIONS})
_TIMES = ("recorded_at", "created_at", "updated_at")


async def unerased(uow: UnitOfWork, records: Sequence[Staged]) -> list[Staged]:
    """Those that were not erased: neither they themselves, nor, since they were recorded, their person or store, or all
    that was remembered.
    """
    things = {thing for one in records for thing in (*_itself(one), *_around(one), *map(entry_thing, _heard(one)))}
    erased = await uow.ledger.among(things)
    if not erased:
        return list(records)

    def stands(one: Staged) -> bool:
        later = [erased[thing] for thing in _around(one) if thing in erased]
        heard = _heard(one)
        unheard = bool(heard) and all(entry_thing(each) in erased for each in heard)
        return not unheard and erased.keys().isdisjoint(_itself(one)) and (not later or max(later) < _recorded_at(one))

    return [_loosened(one, erased) for one in records if stands(one)]


def _heard(one: Staged) -> list[UUID]:
    """The observations of the session that a source rests on."""
    observed = _record(one).get("observed") if one.section is Section.SOURCES else None
    return [UUID(each) for each in observed["ids"]] if observed else []


def _loosened(one: Staged, erased: Mapping[Thing, datetime]) -> Staged:
    """The source without the observations that were erased."""
    heard = _heard(one)
    left = [each for each in heard if entry_thing(each) not in erased]
    if left == heard:
        return one
    record = _record(one)
    return replace(one, record={**record, "observed": {**record["observed"], "ids": list(map(str, left))}})


def _itself(one: Staged) -> Iterator[Thing]:
    """What goes for good with the record's own erasing."""
    if one.conversation_id is not None and one.message_id is not None:
        yield message_thing(MessageRef(one.conversation_id, one.message_id, ""))
    if one.section in (Section.SOURCES, Section.OBSERVATIONS) and one.id is not None:
        yield entry_thing(one.id)  # a note's observation bears the id of its fact's source
    if one.fact_id is not None:
        yield entry_thing(one.fact_id)


def _around(one: Staged) -> Iterator[Thing]:
    """Whom and what it belongs to, which may have come again since."""
    if one.user_id is not None:
        yield person_thing(one.user_id)
    if one.author_id is not None and one.section is Section.SOURCES:
        yield person_thing(one.author_id)
    if one.store_id is not None:
        yield store_thing(one.store_id)
    if one.section in _REMEMBERED:
        yield Thing(ThingKind.MEMORY)
    if one.section in _BELIEFS and _record(one).get("scope") != Scope.USER.value:
        yield Thing(ThingKind.SHARED)


def _recorded_at(one: Staged) -> datetime:
    told = _record(one)
    return datetime.fromisoformat(next(told[name] for name in _TIMES if name in told))


def _record(one: Staged) -> dict[str, Any]:
    return one.record if isinstance(one.record, dict) else {}
