"""What a fold needs to know of rows of other keys."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from app.domain.crossing import other_of
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.sources import Decision, Entry, Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor
from app.ports.storage import UnitOfWork


async def others_of(uow: UnitOfWork, ref: KeyRef, entries: Sequence[Entry]) -> list[Fact]:
    """The rows of other keys that oppose some of this key's, as they stand."""
    told = [one for one in entries if isinstance(one, Decision) and one.verdict is Verdict.OPPOSE]
    records = await uow.facts.records(ref.subject.scope, list({other_of(one) for one in told})) if told else []
    return [record.fact for record in records]


async def stay_closed(uow: UnitOfWork, ref: KeyRef, gone: Collection[UUID], actor: Actor) -> list[KeyRef]:
    """What these rows had overtaken in other keys stays over without them; answers the keys, which want folding."""
    told = await uow.sources.crossing(ref.agent_id, gone)
    closed = [(place, one) for place, one in told if place != ref and one.verdict is Verdict.OVERTAKE]
    for place, one in closed:
        await uow.facts.lock([place])
        await uow.sources.decide(place, replace(one, id=uuid7(), verdict=Verdict.END, author=actor, changes={}))
    if closed:
        await uow.sources.withdraw([one.id for _, one in closed])
    return list(dict.fromkeys(place for place, _ in closed))


def came_or_went(changed: Sequence[Change]) -> tuple[set[UUID], set[UUID]]:
    """The rows that are gone, and those that are believed now, or no more."""
    gone = {change.row.id for change in changed if change.after is None}
    both = [(change.before, change.after) for change in changed if change.before and change.after]
    return gone, {before.id for before, after in both if before.live != after.live}
