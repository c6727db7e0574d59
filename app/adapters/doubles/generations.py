"""Generations in memory: whom a transaction touched, told from what is otherwise than before."""

from collections.abc import Callable, Iterator
from typing import Any

from app.adapters.doubles.state import State
from app.domain.sources import Source
from app.domain.subjects import KeyRef, OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ActorType
from app.ports.facts import FactRecord


def touched(before: State, after: State) -> set[Subject]:
    """All of whom something else is served after this."""
    found = {subject for table, whom in _TABLES.items() for subject in _moved(table, whom, before, after)}
    gone = before.people.keys() - after.people.keys() or before.stores.keys() - after.stores.keys()
    if gone or (before.organisation, before.rules) != (after.organisation, after.rules):
        found.add(OrgSubject())
    spoken = {**before.messages, **after.messages}
    disowned = after.disowned.keys() - before.disowned.keys()
    found |= {UserSubject(spoken[place].user_id) for place in disowned & spoken.keys()}
    return found


def _moved(table: str, whom: Callable[[Any], tuple[Subject, ...]], before: State, after: State) -> Iterator[Subject]:
    old, new = getattr(before, table), getattr(after, table)
    for place in old.keys() | new.keys():
        was, now = old.get(place), new.get(place)
        if was is not now and _served(was) != _served(now):
            yield from (subject for kept in (was, now) if kept is not None for subject in whom(kept))


def _served(kept: object) -> object:
    """Of a fact's row: nobody is told when it was seen."""
    return kept.fact if isinstance(kept, FactRecord) else kept


def _said(kept: tuple[KeyRef, Source]) -> tuple[Subject, ...]:
    ref, source = kept
    by_message = source.message is not None and source.author.type is ActorType.PERSON
    return (ref.subject, UserSubject(source.author.id)) if by_message else (ref.subject,)


_TABLES: dict[str, Callable[[Any], tuple[Subject, ...]]] = {
    "stores": lambda store: (StoreSubject(store.store_id),),
    "people": lambda person: (UserSubject(person.user_id),),
    "links": lambda link: (UserSubject(link.user_id),),
    "messages": lambda message: (UserSubject(message.user_id),),
    "facts": lambda record: (record.fact.ref.subject,),
    "sources": _said,
    "decisions": lambda kept: (kept[0].subject,),
    "vectors": lambda held: (held.subject,),
    "contradictions": lambda contradiction: (contradiction.ref.subject,),
}
