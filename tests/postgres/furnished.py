"""Organisations with a row in every table, and the same ids."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import NAMESPACE_OID, UUID, uuid5

from app.domain.consolidation import Checkpoint
from app.domain.contradictions import Contradiction
from app.domain.embedding import Vector
from app.domain.erasures import Erasure, ErasureKind, Extent, message_thing, person_thing
from app.domain.events import Change, EventKind, event
from app.domain.export import Section
from app.domain.idempotency import Claim as KeyClaim
from app.domain.idempotency import Outcome
from app.domain.imports import Staged, Step
from app.domain.jobs import Job, JobKind
from app.domain.messages import Message, Speaker
from app.domain.observations import Observation, ObservationType
from app.domain.organisations import ApiKey, ChannelLink, Organisation, Person, Store
from app.domain.receipts import Receipt
from app.domain.rules import Rules
from app.domain.seals import sealed
from app.domain.search import DocumentKind
from app.domain.sources import MessageRef, Verdict
from app.domain.subjects import KeyRef, Subject, UserSubject
from app.domain.tenancy import ATLAS, Rank, Role, TenantScope
from app.domain.usage import ModelUse
from app.ports.paging import PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.ports.vectors import Embedded
from tests.unit.memories import ALICE, COMPANY, ME, SHOP, START, decided, fact, said
from tests.unit.observed import observed
from tests.unit.sessions import habit

LATER, FAR = START + timedelta(days=1), START + timedelta(days=90)
VERY_FAR = START + timedelta(days=900)
SUBJECTS: tuple[Subject, ...] = (COMPANY, SHOP, ME)
ONE = UUID(int=1)
KEY = KeyRef(SHOP, ATLAS, "shipping.free_from")
ASKED = MessageRef("talk", "m1", "web")
ERASED = MessageRef("talk", "erased", "web")
RECEIPT = Erasure(ONE, Extent(ErasureKind.FACT), START, {"facts": 1}, (ASKED,), searched=("facts",), completed_at=START)
ALL = PageRequest(limit=50, with_total=True)
SPACE, ASIDE = "model 2", (0.0, 1.0)
HELD, DONE = (KeyClaim(key, b"request", UUID(int=1), START) for key in (b"held", b"done"))


WAITING = Staged(
    *(Step.BELIEFS, Section.SOURCES),
    seq=1,
    place="ab",
    id=ONE,
    user_id="alice",
    author_id="alice",
    store_id="shop1",
    fact_id=ONE,
    conversation_id="talk",
)


def scope_of(org_id: str) -> TenantScope:
    return TenantScope(org_id, ALICE, Rank.OWNER, "alice")


def message(org_id: str, number: int = 1) -> Message:
    """Message `m<number>` of alice in the shop; its words name the organisation."""
    at = START + timedelta(minutes=number)
    names = ("talk", f"m{number}", "web")
    return Message(UUID(int=number), *names, Speaker.USER, f"said in {org_id}", at, None, "alice", "shop1", ATLAS, at)


async def furnish(storage: Storage, org_id: str, served_at: datetime = START) -> TenantScope:
    """Rows in each of the organisation's tables, whose words name it; its latest receipt is of `served_at`."""
    scope, mark = scope_of(org_id), f"of {org_id}"
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(org_id, mark, START))
        await uow.stores.save(Store("shop1", mark, START))
        for person in ("alice", "bob", f"owner-{org_id}"):
            await uow.people.save(Person(person, START, Role.OWNER, mark))
        await uow.channels.save(ChannelLink("whatsapp", "33600000000", "alice", START, "shop1"))
        await uow.api_keys.add(ApiKey(ONE, mark, Role.ADMIN, True, START, "alice"), org_id.encode())
        apart = replace(message(org_id, 5), id=uuid5(NAMESPACE_OID, org_id))
        await uow.messages.add([message(org_id, 0), message(org_id), apart])
        await uow.sources.add(KEY, said(1, mark, 0))
        await uow.sources.add(KeyRef(SHOP, ATLAS, org_id), replace(said(2, mark, 0), message=ASKED))
        await uow.sources.add(KeyRef(ME, ATLAS, org_id), said(3, mark, 0))
        await _decide(uow, org_id)
        facts = [fact(number, content=mark, about=about) for number, about in enumerate(SUBJECTS, 1)]
        facts += [habit(7, content=mark), habit(8, content=mark, about=UserSubject(f"owner-{org_id}"))]
        facts.append(fact(9, content=mark, archived_at=START, merged_into=UUID(int=2)))
        facts.append(fact(10, content=mark, archived_at=START))
        await uow.facts.apply([Change(None, one) for one in facts], START)
        for number, ref in enumerate((KEY, KeyRef(ME, ATLAS, "habit")), 1):
            opposed = Contradiction(UUID(int=number), ref, UUID(int=2), UUID(int=10), START)
            await uow.contradictions.save(ref, [opposed])
        await uow.events.append([event(EventKind.CREATED, ALICE, START, subject=SHOP, fact_id=UUID(int=2), new=mark)])
        await uow.seals.add(sealed(org_id, None, await uow.seals.unsealed(0, 2**62, 5), served_at))
        await uow.jobs.add(Job(ONE, JobKind.TURN, "talk", {"message": mark}, ALICE, START, user_id="alice"))
        await _stage(uow, mark)
        await uow.observations.add(observations_of(org_id))
        await uow.consolidations.save("alice", Checkpoint(START, START, org_id))
        await uow.usage.add(START.date(), ModelUse(1, len(org_id), 1), turns=1)
        await uow.receipts.add([Receipt(ONE, ATLAS, (UUID(int=2),), served_at, "alice", "shop1", "talk")])
        await uow.rules.add(Rules(1, mark, ALICE, START))
        await uow.erasures.save(RECEIPT, [person_thing("alice")])
        await uow.ledger.add([message_thing(ERASED)], START)
        for claim in (HELD, DONE):
            await uow.idempotency.claim(claim)
        await uow.idempotency.finish(DONE, Outcome(200, mark))
        await _embed(uow, (1.0, len(org_id) / 100))
    return scope


async def _stage(uow: UnitOfWork, mark: str) -> None:
    await uow.search.disown([ONE])
    await uow.imports.add(ONE, [replace(WAITING, message_id="m1", record={"value": mark})])


async def _decide(uow: UnitOfWork, org_id: str) -> None:
    await uow.sources.decide(KEY, decided(Verdict.PIN, 1, 0))
    await uow.sources.decide(KeyRef(ME, ATLAS, org_id), decided(Verdict.PIN, 3, 0))
    await uow.sources.decide(KeyRef(SHOP, ATLAS, org_id), decided(Verdict.MERGE, 2, 0, key=KEY.key))
    opposing = decided(Verdict.OPPOSE, 1, 0.5, other=str(UUID(int=2)), key=org_id, newer=False, value=f"of {org_id}")
    await uow.sources.decide(KEY, opposing)


async def _embed(uow: UnitOfWork, vector: Vector) -> None:
    """All but observations have this vector; that of the latest message was read along with the first."""
    first, last = (DocumentKind.MESSAGE, UUID(int=0)), (DocumentKind.MESSAGE, ONE)
    told = [one for one in await uow.vectors.lacking(50) if one.kind is not DocumentKind.OBSERVATION]
    beside = {one: first if one.place == last else None for one in told}
    await uow.vectors.put(SPACE, {one: Embedded([vector], beside[one]) for one in told})


def observations_of(org_id: str) -> list[Observation]:
    """A failure of alice's, with words of the organisation; a query pattern of its message; one of its own person."""
    failed, asked = ObservationType.TOOL_FAILURE, ObservationType.QUERY_PATTERN
    return [
        observed(failed, 1, session=org_id, content=org_id, store_id="shop1"),
        observed(asked, 2, message=ASKED),
        observed(number=3, user_id=f"owner-{org_id}"),
    ]
