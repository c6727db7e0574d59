"""Lists of facts, and single facts, as of another time."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from app.domain.facts import Fact
from app.domain.past import Moment
from app.domain.sources import Entry
from app.domain.subjects import KeyRef, Scope
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest
from app.ports.storage import UnitOfWork
from app.services.past import entries_of, recalled_of, unsupported

AT_A_TIME = 200
"""Sources whose keys a page folds at once."""
MOST_STEPS = 20
"""Such steps of one page; it is then short, or empty, and has others behind it."""


async def page_then(uow: UnitOfWork, wanted: FactFilter, moment: Moment, request: PageRequest) -> Page[FactRecord]:
    """One page of the rows of then, in order of the ids that they had, newest first.

    Every row is named by one of its sources: these are gone through in order of id, and each row stands at its own, so
    that none is skipped or told twice, however keys are folded meanwhile. Raises BadRequest for a total.
    """
    if request.with_total:
        raise unsupported("Facts as of another time are not counted: leave `total` out.")
    after = request.after[0] if request.after else None
    last = after if isinstance(after, UUID) else None
    found: list[FactRecord] = []
    rows, folded = dict[UUID, FactRecord](), set[KeyRef]()
    for _ in range(MOST_STEPS):
        places = await uow.past.places(wanted, moment.known_at, last, AT_A_TIME)
        more = {ref for _, ref in places} - folded
        rows |= await _records(uow, more, moment)
        folded |= more
        for source_id, _ in places:
            record = rows.get(source_id)
            if record is not None and wanted.admits(record.fact):
                if len(found) == request.limit:
                    return Page(found, (found[-1].fact.id,))
                found.append(record)
        if len(places) < AT_A_TIME:
            return Page(found)
        last = places[-1][0]
    return Page(found, (last,))


async def fact_then(uow: UnitOfWork, kind: Scope, fact_id: UUID, moment: Moment) -> FactRecord | None:
    """The row that bore this id then, believed or not."""
    ref = await uow.past.key_of(kind, fact_id)
    return None if ref is None else (await _records(uow, {ref}, moment)).get(fact_id)


async def _records(uow: UnitOfWork, refs: Collection[KeyRef], moment: Moment) -> dict[UUID, FactRecord]:
    """The rows of these keys by id. Of a row's changes only those of its key are known: the latest by then is told."""
    entries = await entries_of(uow, refs) if refs else {}
    rows = await recalled_of(uow, entries, refs, moment)
    return {row.id: FactRecord(row, _changed_at(row, entries, moment), 0) for row in rows}


def _changed_at(row: Fact, entries: Mapping[KeyRef, Sequence[Entry]], moment: Moment) -> datetime:
    told = [entry for entry in entries[row.ref] if moment.knows(entry.recorded_at) and moment.reaches(entry)]
    return max((entry.recorded_at for entry in told), default=row.created_at)
