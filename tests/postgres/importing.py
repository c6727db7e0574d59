"""Each way of reading and changing that imports alone use."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.jobs import Claim
from app.domain.organisations import Person, Store
from app.domain.sources import Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS
from app.ports.facts import FactRecord
from app.ports.storage import UnitOfWork
from tests.postgres.furnished import LATER, ONE, WAITING
from tests.unit.memories import ALICE, ME, SHOP, START, decided, fact, said

RESTORED = KeyRef(ME, ATLAS, "restored")
Use = Callable[[UnitOfWork], Awaitable[object]]

READS: dict[str, Use] = {
    "search.disowned": lambda uow: uow.search.disowned([ONE]),
    "imports.next": lambda uow: uow.imports.next(ONE, 50),
    "imports.at": lambda uow: uow.imports.at(ONE, [WAITING.place]),
}


async def _restore_organisation(uow: UnitOfWork) -> None:
    organisation = await uow.organisations.get()
    assert organisation is not None
    await uow.organisations.restore(replace(organisation, name="restored", created_at=LATER))


async def _restore_events(uow: UnitOfWork) -> None:
    await uow.events.restore([event(EventKind.PINNED, ALICE, START, subject=ME)])


WRITES: dict[str, Use] = {
    "stores.restore": lambda uow: uow.stores.restore(Store("shop1", "restored", LATER)),
    "people.restore": lambda uow: uow.people.restore(Person("alice", LATER, None, "restored")),
    "facts.stamp": lambda uow: uow.facts.stamp([FactRecord(fact(2, about=SHOP), LATER, 9, LATER, LATER)]),
    "sources.restore": lambda uow: uow.sources.restore(
        [(RESTORED, said(11, "restored", 0)), (RESTORED, replace(decided(Verdict.UNPIN, 11, 2), id=uuid7()))]
    ),
    "events.restore": _restore_events,
    "jobs.report": lambda uow: uow.jobs.report(Claim("any", ONE, 1), {"done": 1}),
    "imports.add": lambda uow: uow.imports.add(ONE, [replace(WAITING, seq=7)]),
    "imports.remove": lambda uow: uow.imports.remove(ONE, [7]),
    "imports.forget_person": lambda uow: uow.imports.forget_person("alice", uuid7()),
    "organisations.restore": _restore_organisation,
}
