"""Each way of changing what is kept of an organisation."""

from dataclasses import replace
from uuid import UUID

from app.domain.consolidation import Checkpoint
from app.domain.decay import Tier
from app.domain.erasures import Erased, ErasureKind, PlatformErasure, ThingKind, message_thing
from app.domain.events import Change, EventKind, event
from app.domain.idempotency import Outcome
from app.domain.identifiers import uuid7
from app.domain.jobs import Claim, Job, JobKind
from app.domain.organisations import ApiKey, ChannelLink, Person, Store
from app.domain.receipts import Receipt
from app.domain.rules import Rules
from app.domain.seals import Seal
from app.domain.search import Document, DocumentKind
from app.domain.sources import Verdict
from app.domain.subjects import KeyRef, Scope
from app.domain.tenancy import ATLAS, Role
from app.domain.tiers import TierRule
from app.domain.trail import Teller
from app.domain.usage import ModelUse
from app.ports.storage import UnitOfWork
from app.ports.vectors import Embedded
from tests.postgres import importing
from tests.postgres.furnished import (
    ASIDE,
    ASKED,
    ERASED,
    FAR,
    HELD,
    KEY,
    LATER,
    ONE,
    RECEIPT,
    message,
)
from tests.postgres.tenants import WHOLE, Use
from tests.unit.memories import ALICE, ME, SHOP, START, decided, fact, said
from tests.unit.observed import id_at, observed
from tests.unit.sessions import TOOL, shown


async def _rename(uow: UnitOfWork) -> None:
    organisation = await uow.organisations.get()
    assert organisation is not None
    await uow.organisations.save(replace(organisation, name="changed"))


async def _embed(uow: UnitOfWork) -> None:
    lacking = [one for one in await uow.vectors.lacking(50, "another 2") if one.place == (DocumentKind.FACT, _NEW.id)]
    await uow.vectors.put("another 2", {one: Embedded([ASIDE]) for one in lacking})


async def _tell(uow: UnitOfWork) -> None:
    uow.events.tell([Change(_OLD, None)], Teller(ALICE, LATER))


async def _digest(uow: UnitOfWork) -> None:
    """Of the organisation's own: what stands for another's thing nobody can name."""
    uow.ledger.digest(message_thing(ERASED))


async def _count_vectors(uow: UnitOfWork) -> None:
    uow.erasures.count_vectors()


async def _strike(uow: UnitOfWork) -> None:
    for place in uow.erasures.places:
        await uow.erasures.strike(place, WHOLE, 500)


_PLATFORM = PlatformErasure(uuid7(), ErasureKind.ORGANISATION, LATER, {"facts": 1})
_OLD, _NEW = fact(2, about=SHOP), fact(2, content="changed", about=SHOP)
_KEY = ApiKey(ONE, "changed", Role.ADMIN, True, START, "alice", revoked_at=LATER)

WRITES: dict[str, Use] = {
    **importing.WRITES,
    "stores.save": lambda uow: uow.stores.save(Store("shop1", "changed", START)),
    "stores.ensure": lambda uow: uow.stores.ensure(Store("shop1", "changed", START)),
    "people.save": lambda uow: uow.people.save(Person("alice", START, None, "changed")),
    "people.ensure": lambda uow: uow.people.ensure(Person("alice", START, None, "changed")),
    "channels.save": lambda uow: uow.channels.save(ChannelLink("whatsapp", "33600000000", "alice", START)),
    "api_keys.add": lambda uow: uow.api_keys.add(ApiKey(uuid7(), "new", Role.OWNER, True, START, "alice"), b"new"),
    "api_keys.revoke": lambda uow: uow.api_keys.revoke(_KEY),
    "messages.add": lambda uow: uow.messages.add([message("any", 2)]),
    "facts.lock": lambda uow: uow.facts.lock([KEY]),
    "facts.apply": lambda uow: uow.facts.apply([Change(_OLD, _NEW)], LATER),
    "sources.add": lambda uow: uow.sources.add(KEY, said(1, "changed", 0)),
    "sources.begin": lambda uow: uow.sources.begin([(KeyRef(ME, ATLAS, "new"), said(9, "changed", 0))]),
    "sources.decide": lambda uow: uow.sources.decide(KEY, decided(Verdict.ARCHIVE, 1, 1)),
    "events.append": lambda uow: uow.events.append([event(EventKind.PINNED, ALICE, START, subject=ME)]),
    "events.erase_values": lambda uow: uow.events.erase_values([UUID(int=2)]),
    "events.erase_about": lambda uow: uow.events.erase_about(SHOP),
    "events.tell": _tell,
    "events.flush": lambda uow: uow.events.flush(),
    "seals.hold": lambda uow: uow.seals.hold(),
    "seals.add": lambda uow: uow.seals.add(Seal(2, 1, 2, 1, "", "", b"", LATER)),
    "jobs.add": lambda uow: uow.jobs.add(Job(uuid7(), JobKind.TURN, "talk", {}, ALICE, LATER, user_id="alice")),
    "jobs.finish": lambda uow: uow.jobs.finish(Claim("any", ONE, 1), {}, LATER),
    "jobs.proceed": lambda uow: uow.jobs.proceed(Claim("any", ONE, 1), {"after": "alice"}, LATER),
    "jobs.fail": lambda uow: uow.jobs.fail(Claim("any", ONE, 1), "failed", None, LATER),
    "jobs.postpone": lambda uow: uow.jobs.postpone(Claim("any", ONE, 1), "away", LATER),
    "jobs.resume": lambda uow: uow.jobs.resume(["away"], LATER),
    "jobs.retry": lambda uow: uow.jobs.retry(ONE, LATER),
    "usage.add": lambda uow: uow.usage.add(START.date(), ModelUse(1, 2, 3), turns=1),
    "observations.add": lambda uow: uow.observations.add([observed(number=4)]),
    "observations.mark_consolidated": lambda uow: uow.observations.mark_consolidated([id_at()], LATER),
    "observations.reassign": lambda uow: uow.observations.reassign("alice", "bob", "shop1"),
    "observations.delete_found_in": lambda uow: uow.observations.delete_found_in([ASKED]),
    "observations.delete": lambda uow: uow.observations.delete([id_at()]),
    "observations.forget_before": lambda uow: uow.observations.forget_before(LATER),
    "consolidations.hold": lambda uow: uow.consolidations.hold("alice"),
    "consolidations.save": lambda uow: uow.consolidations.save("alice", Checkpoint(LATER)),
    "receipts.add": lambda uow: uow.receipts.add([Receipt(uuid7(), ATLAS, (), LATER, "alice")]),
    "messages.reassign": lambda uow: uow.messages.reassign("alice", "bob", None),
    "sources.reassign": lambda uow: uow.sources.reassign("alice", "bob"),
    "jobs.reassign": lambda uow: uow.jobs.reassign("alice", "bob"),
    "receipts.forget_before": lambda uow: uow.receipts.forget_before(LATER),
    "vectors.put": _embed,
    "vectors.forgive": lambda uow: uow.vectors.forgive(),
    "search.index": lambda uow: uow.search.index([Document(DocumentKind.OBSERVATION, uuid7(), ME, ATLAS, "changed")]),
    "search.disown": lambda uow: uow.search.disown([ONE]),
    "search.move": lambda uow: uow.search.move(list(DocumentKind), "alice", "bob", None),
    "search.unindex": lambda uow: uow.search.unindex(DocumentKind.FACT, [UUID(int=2)]),
    "search.unindex_before": lambda uow: uow.search.unindex_before(DocumentKind.FACT, UUID(int=9)),
    "sources.remove": lambda uow: uow.sources.remove(KEY, [ONE]),
    "sources.save": lambda uow: uow.sources.save([(TOOL, shown(4, 1))]),
    "sources.forget": lambda uow: uow.sources.forget([UUID(int=4)]),
    "sources.redirect": lambda uow: uow.sources.redirect(decided(Verdict.PIN, 1, 0).id, UUID(int=2)),
    "sources.withdraw": lambda uow: uow.sources.withdraw([decided(Verdict.PIN, 1, 0).id]),
    "contradictions.save": lambda uow: uow.contradictions.save(KEY, []),
    "rules.add": lambda uow: uow.rules.add(Rules(2, "changed", ALICE, LATER)),
    "ageing.retune": lambda uow: uow.ageing.retune(Scope.STORE, dict.fromkeys(Tier, TierRule(45.0, 9)), 5),
    "ageing.mark_compared": lambda uow: uow.ageing.mark_compared(Scope.STORE, [UUID(int=2)], LATER),
    "ageing.mark_seen": lambda uow: uow.ageing.mark_seen([UUID(int=2)], LATER),
    "jobs.remove": lambda uow: uow.jobs.remove([UUID(int=4040)]),
    "jobs.cancel": lambda uow: uow.jobs.cancel([ONE], LATER),
    "ageing.forget_jobs_before": lambda uow: uow.ageing.forget_jobs_before(FAR, 5),
    "ageing.forget_messages_before": lambda uow: uow.ageing.forget_messages_before(LATER, 5),
    "sources.remove_messages": lambda uow: uow.sources.remove_messages([ASKED]),
    "sources.detach_messages": lambda uow: uow.sources.detach_messages([ASKED]),
    "sources.detach_said_by": lambda uow: uow.sources.detach_said_by("alice", [KEY]),
    "sources.unsign": lambda uow: uow.sources.unsign("alice"),
    "sources.remove_said_by": lambda uow: uow.sources.remove_said_by("alice", [KEY]),
    "messages.delete": lambda uow: uow.messages.delete([ONE]),
    "channels.delete": lambda uow: uow.channels.delete("whatsapp", "33600000000"),
    "people.delete": lambda uow: uow.people.delete("alice"),
    "stores.delete": lambda uow: uow.stores.delete("shop1"),
    "idempotency.finish": lambda uow: uow.idempotency.finish(HELD, Outcome(201)),
    "idempotency.release": lambda uow: uow.idempotency.release(HELD),
    "ledger.add": lambda uow: uow.ledger.add([message_thing(ASKED)], LATER),
    "ledger.restore": lambda uow: uow.ledger.restore([Erased(b"another", ThingKind.MESSAGE, LATER)]),
    "ledger.digest": _digest,
    "ledger.among": lambda uow: uow.ledger.among([message_thing(ERASED)]),
    "erasures.save": lambda uow: uow.erasures.save(replace(RECEIPT, remaining=1)),
    "erasures.tell_platform": lambda uow: uow.erasures.tell_platform(_PLATFORM, message_thing(ERASED), 0),
    "erasures.forget_answers": lambda uow: uow.erasures.forget_answers(["any", "of any"]),
    "erasures.disown_shared": lambda uow: uow.erasures.disown_shared(5),
    "erasures.count_vectors": _count_vectors,
    "erasures.strike": _strike,
    "organisations.save": _rename,
    "organisations.delete": lambda uow: uow.organisations.delete(),
}
"""Every way of changing, in an order in which each finds what it needs; with ids that the others have too."""
