"""The search index: it follows every write, and counts as a plain reading of all documents would."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.adapters.text.snowball import SNOWBALL
from app.domain.events import Change, changes
from app.domain.facts import Fact
from app.domain.messages import Speaker
from app.domain.search import (
    Document,
    DocumentKind,
    fact_document,
    message_document,
    terms_of,
)
from app.domain.sources import Audience
from app.domain.subjects import Subject
from app.domain.tenancy import TenantScope
from app.domain.terms import question
from app.domain.wording import words
from app.ports.search import Found
from app.ports.storage import Storage
from tests.contract.finding import EVERYTHING, found, look_up, shelf
from tests.contract.test_messages import message
from tests.unit.memories import COMPANY, ME, SHOP, START, day, fact

FACT, MESSAGE, REPLY, OBSERVATION = DocumentKind
WILD = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
VOCABULARY = words("le la colis livraison livraisons offerte jamais the parcel parcels ships not 60 été Straße")
sentences = st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join)


def told(found: Found) -> dict[str, Any]:
    """What was found, without the order of equals."""
    return {
        kind.value: (
            each.size,
            each.length,
            {
                term: sorted((one.document, one.count, one.length) for one in some)
                for term, some in each.postings.items()
            },
        )
        for kind, each in found.collections.items()
    }


def reference(documents: Sequence[Document], asked: str) -> dict[str, Any]:
    """The same, by reading every document."""
    wanted = frozenset().union(*question(asked, SNOWBALL))
    answer: dict[str, Any] = {}
    for document in documents:
        terms = terms_of(document, SNOWBALL)
        size, length, postings = answer.get(document.kind.value, (0, 0, {}))
        for term in wanted.intersection(terms):
            postings[term] = sorted([*postings.get(term, ()), (document.id, terms.count(term), len(terms))])
        answer[document.kind.value] = (size + 1, length + len(terms), postings)
    return answer


@WILD
@given(
    said=st.lists(st.tuples(sentences, st.sampled_from(Speaker), st.sampled_from(["alice", "bob"])), max_size=6),
    believed=st.lists(st.tuples(sentences, st.sampled_from([COMPANY, SHOP, ME])), max_size=4),
    gone=st.sets(st.integers(1, 6)),
    asked=sentences,
)
async def test_the_counts_are_those_of_a_plain_reading(
    storage: Storage,
    scope: TenantScope,
    said: list[tuple[str, Speaker, str]],
    believed: list[tuple[str, Subject]],
    gone: set[int],
    asked: str,
) -> None:
    messages = [
        message(number, id=uuid4(), message_id=str(uuid4()), content=content, speaker=speaker, user_id=person)
        for number, (content, speaker, person) in enumerate(said, 1)
    ]
    facts = [
        replace(fact(1, f"key.{number}", content, about=about), id=uuid4())
        for number, (content, about) in enumerate(believed, 1)
    ]
    erased = [each.id for number, each in enumerate(messages, 1) if number in gone]
    async with storage.transaction(scope) as uow:
        await uow.messages.add(messages)
        await uow.facts.apply(changes([], facts), START)
        await uow.messages.delete(erased)
        answer = await uow.search.look_up(asked, [EVERYTHING])
        await uow.messages.delete([each.id for each in messages])
        await uow.facts.apply(changes(facts, []), START)
        assert not asked or told(await uow.search.look_up("colis", [EVERYTHING])) == {}
    left = [message_document(each) for each in messages if each.id not in erased] + list(map(fact_document, facts))
    assert list(answer.words) == question(asked, SNOWBALL)
    assert told(answer) == (reference(left, asked) if answer.words else {})


async def test_a_message_is_indexed_once_and_leaves_with_its_deletion(storage: Storage, scope: TenantScope) -> None:
    said = message(1, content="Le colis bleu")
    async with storage.transaction(scope) as uow:
        await uow.messages.add([said])
        await uow.messages.add(
            [replace(said, id=UUID(int=9)), message(2, content="Le colis", speaker=Speaker.ASSISTANT)]
        )
    answer = await look_up(storage, scope, "colis bleu")
    assert told(answer) == {
        "message": (1, 2, {"colis": [(said.id, 1, 2)], "bleu": [(said.id, 1, 2)]}),
        "reply": (1, 1, {"colis": [(UUID(int=2), 1, 1)]}),
    }
    async with storage.transaction(scope) as uow:
        await uow.messages.delete([said.id, UUID(int=2)])
    assert told(await look_up(storage, scope, "colis")) == {}


async def test_facts_follow_their_folds(storage: Storage, scope: TenantScope) -> None:
    first, second = fact(1, content="Offerte dès 60"), fact(2, content="Offerte dès 80", at=1)
    closed = replace(first, archived_at=day(1), superseded_by=second.id)

    async def apply(before: list[Fact], after: list[Fact]) -> list[int]:
        async with storage.transaction(scope) as uow:
            await uow.facts.apply(changes(before, after), START)
        return await found(storage, scope, "offerte")

    assert await apply([], [first]) == [1]
    assert await apply([first], [closed, second]) == [1, 2]
    retold = replace(second, content="Payante", value="Payante")
    assert await apply([closed, second], [closed, retold]) == [1]
    assert await found(storage, scope, "payante") == [2]
    assert (await look_up(storage, scope, "payante")).labels == {second.id: second.ref.key}
    assert await apply([closed, retold], [retold]) == []


async def test_a_fact_is_open_to_contacts_as_long_as_its_audience_is_everyone(
    storage: Storage, scope: TenantScope
) -> None:
    kept = fact(1, content="Offerte")
    shown = replace(kept, traits=replace(kept.traits, audience=Audience.EVERYONE))
    public = shelf(SHOP, public_only=True)
    for before, after, expected in ((None, kept, []), (kept, shown, [1]), (shown, kept, [])):
        async with storage.transaction(scope) as uow:
            await uow.facts.apply([Change(before, after)], START)
        assert await found(storage, scope, "offerte", public) == expected
        assert await found(storage, scope, "offerte", shelf(SHOP)) == [1]


@pytest.mark.parametrize("text", ["", "le la", "% _ & | ' \\ :* <->", "\U0001f381", "x" * 100_000, "été " * 40_000])
async def test_any_text_is_indexed_and_any_text_is_a_question(storage: Storage, scope: TenantScope, text: str) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.add([message(1, content=text)])
    answer = await look_up(storage, scope, text[:4096])
    assert bool(answer.words) == bool(answer.collections)
    if answer.words:
        assert await found(storage, scope, text[:4096]) == [1]


async def test_nothing_is_found_without_a_shelf(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.add([message(1, content="colis")])
        assert (await uow.search.look_up("colis", [])).collections == {}
