"""The entries of many keys at once, and the index as of another time."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest

from app.domain.errors import BadRequest
from app.domain.past import Moment, recalled
from app.domain.search import Document, DocumentKind, fact_document
from app.domain.sources import Entry, Verdict
from app.domain.subjects import KeyRef, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.past import Past
from app.services.past_facts import page_then
from tests.contract.finding import found, look_up, shelf
from tests.contract.scopes import walked
from tests.contract.test_messages import message
from tests.contract.test_sources import keep
from tests.unit.memories import COMPANY, ME, SHIPPING, SHOP, START, day, decided, fact, said

BOB, SHOP2 = UserSubject("bob"), StoreSubject("shop2")
SUBJECTS: list[Subject] = [COMPANY, SHOP, SHOP2, ME, BOB]


def key(name: str, subject: Subject = SHOP, agent_id: str = ATLAS) -> KeyRef:
    return KeyRef(subject, agent_id, name)


@pytest.fixture
async def town(storage: Storage, scope: TenantScope) -> dict[KeyRef, list[Entry]]:
    """Of each subject two keys in one pocket and one in another: a source each, and a pin."""
    kept: dict[KeyRef, list[Entry]] = {}
    for number, subject in enumerate(SUBJECTS):
        for place, (name, agent_id) in enumerate([("a", ATLAS), ("b", ATLAS), ("a", "maya")]):
            row = 1 + number * 3 + place
            kept[key(name, subject, agent_id)] = [said(row, "60 €", row), decided(Verdict.PIN, row, row)]
    await keep(storage, scope, kept)
    return kept


def by_id(entries: dict[KeyRef, list[Entry]]) -> dict[KeyRef, list[UUID]]:
    return {ref: sorted(entry.id for entry in told) for ref, told in entries.items()}


@pytest.mark.parametrize("subject", SUBJECTS)
async def test_all_entries_about_a_subject_are_read_by_pocket(
    storage: Storage, scope: TenantScope, town: dict[KeyRef, list[Entry]], subject: Subject
) -> None:
    async with storage.transaction(scope) as uow:
        for agents in ([ATLAS], ["maya", ATLAS], ["otis"]):
            read = await uow.past.about(subject, agents, 10)
            wanted = {ref: told for ref, told in town.items() if ref.subject == subject and ref.agent_id in agents}
            assert by_id({ref: list(told) for ref, told in read.items()}) == by_id(wanted)
        few = await uow.past.about(subject, ["maya", ATLAS], 2)
        assert sum(map(len, few.values())) == 4


@pytest.mark.parametrize("kind", Scope)
async def test_the_entries_of_keys_of_several_subjects_are_read_at_once(
    storage: Storage, scope: TenantScope, town: dict[KeyRef, list[Entry]], kind: Scope
) -> None:
    wanted = {ref: told for ref, told in town.items() if ref.subject.scope is kind and ref.key == "a"}
    async with storage.transaction(scope) as uow:
        read = await uow.past.of([*wanted, key("nothing", next(iter(wanted)).subject)])
        assert by_id({ref: list(told) for ref, told in read.items()}) == by_id(wanted)
        assert await uow.past.of([]) == {}


@pytest.mark.parametrize("subject", [COMPANY, SHOP, ME])
async def test_the_keys_that_were_merged_into_a_key_are_named(
    storage: Storage, scope: TenantScope, subject: Subject
) -> None:
    target, merged, within = key("a", subject), key("b", subject), key("c", subject)
    elsewhere = key("b", subject, "maya")
    merger = {"into": str(UUID(int=1)), "key": "a"}
    entries: dict[KeyRef, list[Entry]] = {
        target: [said(1, "60 €", 0), replace(decided(Verdict.MERGE, 1, 1, **merger), id=UUID(int=91))],
        merged: [said(2, "sixty", 0), replace(decided(Verdict.MERGE, 2, 1, **merger), id=UUID(int=92))],
        within: [said(3, "60", 0), decided(Verdict.PIN, 3, 1)],
        elsewhere: [said(4, "sixty", 0), replace(decided(Verdict.MERGE, 4, 1, **merger), id=UUID(int=94))],
    }
    await keep(storage, scope, entries)
    async with storage.transaction(scope) as uow:
        assert await uow.past.merged_into([target, within]) == [merged]
        assert await uow.past.merged_into([merged]) == []
        assert await uow.past.merged_into([]) == []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (FactFilter(Scope.ORG, START), [3, 2, 1]),
        (FactFilter(Scope.STORE, START), [9, 8, 7, 6, 5, 4]),
        (FactFilter(Scope.STORE, START, subject=SHOP2), [9, 8, 7]),
        (FactFilter(Scope.STORE, START, stores=frozenset({"shop1"})), [6, 5, 4]),
        (FactFilter(Scope.STORE, START, stores=frozenset()), []),
        (FactFilter(Scope.USER, START, contacts_only=True), [15, 14, 13]),
        (FactFilter(Scope.USER, START, subject=ME, agents=frozenset({"otis"})), [11, 10]),
        (FactFilter(Scope.USER, START, subject=ME, agents=frozenset({"maya"})), [12, 11, 10]),
        (FactFilter(Scope.USER, START, agent_id="maya"), [15, 12]),
        (FactFilter(Scope.ORG, START, key_prefix="b"), [2]),
        (FactFilter(Scope.ORG, START, key_prefix="%"), []),
    ],
)
@pytest.mark.usefixtures("town")
async def test_sources_are_gone_through_newest_id_first(
    storage: Storage, scope: TenantScope, wanted: FactFilter, expected: list[int]
) -> None:
    async with storage.transaction(scope) as uow:
        places = await uow.past.places(wanted, None, None, 10)
        assert [source_id.int for source_id, _ in places] == expected
        assert [await uow.past.key_of(wanted.scope, source_id) for source_id, _ in places] == [ref for _, ref in places]
        for after, known_at, limit in ((None, None, 1), (UUID(int=8), None, 10), (None, day(8), 10)):
            rest = [one for one in expected if (after is None or one < 8) and (known_at is None or one <= 8)][:limit]
            places = await uow.past.places(wanted, known_at, after, limit)
            assert [source_id.int for source_id, _ in places] == rest


@pytest.mark.usefixtures("town")
async def test_a_source_of_another_scope_is_of_no_key(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        assert await uow.past.key_of(Scope.ORG, UUID(int=4)) is None
        assert await uow.past.key_of(Scope.ORG, UUID(int=99)) is None


async def test_pages_of_the_past_neither_skip_nor_repeat_while_others_write(
    storage: Storage, scope: TenantScope
) -> None:
    """Rows of several sources, superseded ones, and rows that come meanwhile."""
    told = {key(f"k{one}"): [said(one, "60 €", 0), said(500 + one, "60 €", 1), said(900 + one, "80 €", 2)]
            for one in range(1, 41)}  # fmt: skip
    await keep(storage, scope, {ref: list(entries) for ref, entries in told.items()})
    moment, wanted = Moment(known_at=day(9)), FactFilter(Scope.STORE, day(9), archived=None)
    written = iter(range(2000, 3000))

    async def page(request: PageRequest) -> Page[FactRecord]:
        async with storage.transaction(scope) as uow:
            return await page_then(uow, wanted, moment, request)

    async def write() -> None:
        late = next(written)
        await keep(storage, scope, {key(f"k{late % 40 + 1}"): [said(late, "60 €", 3, recorded=20)]})

    expected = sorted((row.id for row in recalled(told, moment)), reverse=True)
    assert len(expected) == 80
    for limit in (7, 80):
        assert [record.fact.id for record in await walked(page, limit, write)] == expected


async def test_a_page_that_would_look_too_far_has_another_behind_it(storage: Storage, scope: TenantScope) -> None:
    sources: list[Entry] = [said(one, "60 €", one / 100) for one in range(1, 4202)]
    async with storage.transaction(scope) as uow:
        await uow.sources.begin([(SHIPPING, source) for source in sources])  # type: ignore[misc]
    async with storage.transaction(scope) as uow:
        wanted = FactFilter(Scope.STORE, START)
        first = await page_then(uow, wanted, Moment(known_at=day(900)), PageRequest(10))
        assert (first.items, first.next) == ([], (UUID(int=202),))
        second = await page_then(uow, wanted, Moment(known_at=day(900)), PageRequest(10, first.next))
        assert ([record.fact.id.int for record in second.items], second.next) == ([1], None)


@pytest.mark.usefixtures("town")
async def test_more_than_may_be_folded_is_refused(storage: Storage, scope: TenantScope) -> None:
    """Also when it is read in several steps."""
    async with storage.transaction(scope) as uow:
        enough = Past(uow, Moment(day(99)), most=8)
        assert len(await enough.facts.candidates([SHOP, COMPANY], [ATLAS], 100)) == 4
        assert len(await enough.facts.across([SHOP, COMPANY], [ATLAS], ["a"])) == 2
        with pytest.raises(BadRequest, match="time_travel_unsupported"):
            await enough.facts.behaviour("alice", [ATLAS], 100)
        with pytest.raises(BadRequest, match="time_travel_unsupported"):
            await Past(uow, Moment(day(99)), most=3).facts.candidates([SHOP], [ATLAS], 100)


@pytest.mark.parametrize(
    ("as_of", "known_at", "expected"),
    [
        (None, None, [3, 4, 5, 6]),
        (1, None, [3, 5]),
        (None, 1, [3, 6]),
        (1, 1, [3]),
        (0, None, [5]),
    ],
)
async def test_messages_and_observations_are_found_as_of_then(
    storage: Storage, scope: TenantScope, as_of: float | None, known_at: float | None, expected: list[int]
) -> None:
    """And counted as of then. What was indexed before its record was kept is known from when it was said."""

    def when(number: float | None) -> datetime | None:
        return None if number is None else day(number)

    async with storage.transaction(scope) as uow:
        await uow.messages.add([
            replace(message(3, content="colis"), sent_at=day(1), recorded_at=day(1)),
            replace(message(4, content="colis"), sent_at=day(2), recorded_at=day(2)),
            replace(message(5, content="colis"), sent_at=day(-1), recorded_at=day(2)),
        ])  # fmt: skip
        seen = Document(DocumentKind.OBSERVATION, UUID(int=6), ME, ATLAS, "colis", at=day(2), recorded_at=day(1))
        await uow.search.index([seen])
    moment = Moment(when(as_of), when(known_at))
    assert await found(storage, scope, "colis", moment=moment) == expected
    answer = await look_up(storage, scope, "colis", moment=moment)
    assert sum(each.size for each in answer.collections.values()) == len(expected)


async def test_documents_at_hand_are_weighed_as_indexed_ones(storage: Storage, scope: TenantScope) -> None:
    rows = [fact(1, "a", "livraison offerte"), fact(2, "livraison", "le colis"), fact(3, "c", "rien")]
    async with storage.transaction(scope) as uow:
        weighed = uow.search.weigh("La livraison ?", [fact_document(row) for row in rows])
        assert uow.search.weigh("le la", [fact_document(row) for row in rows]).collections == {}
        await uow.search.index([fact_document(row) for row in rows])
        indexed = await uow.search.look_up("La livraison ?", [shelf(SHOP)])
    assert weighed.words == indexed.words
    assert weighed.labels == indexed.labels == {UUID(int=1): "a", UUID(int=2): "livraison"}
    for one, other in zip(weighed.collections.values(), indexed.collections.values(), strict=True):
        assert (one.size, one.length) == (other.size, other.length)
        assert {term: {*held} for term, held in one.postings.items()} == {
            term: {*held} for term, held in other.postings.items()
        }
