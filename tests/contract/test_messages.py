"""Messages and receipts: stored once, never changed by a repeat, and found where they belong."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.adapters.postgres.streaming import AT_ONCE
from app.domain.errors import Conflict
from app.domain.messages import Message, Speaker
from app.domain.receipts import Receipt
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.storage import Storage
from tests.contract.scopes import gathered
from tests.contract.strategies import instants, texts, words
from tests.unit.memories import START, day

WILD = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def message(number: int, minute: float | None = None, **more: Any) -> Message:
    """Message `m<number>` of alice, said `minute` minutes after the start: by default, its number."""
    at = START + timedelta(minutes=number if minute is None else minute)
    names = ("talk", f"m{number}", "web")
    plain = Message(UUID(int=number), *names, Speaker.USER, f"words {number}", at, None, "alice", None, ATLAS, at)
    return replace(plain, **more)


async def keep(storage: Storage, scope: TenantScope, *messages: Message) -> int:
    async with storage.transaction(scope) as uow:
        return await uow.messages.add(messages)


@WILD
@given(
    wild=st.builds(
        Message,
        id=st.uuids(),
        conversation_id=words,
        message_id=words,
        channel=words,
        speaker=st.sampled_from(Speaker),
        content=texts,
        sent_at=instants,
        utc_offset=st.none() | st.integers(-1439, 1439),
        user_id=st.sampled_from(["alice", "bob"]),
        store_id=st.sampled_from([None, "shop1"]),
        agent_id=words,
        recorded_at=instants,
    )
)
async def test_every_field_comes_back(storage: Storage, scope: TenantScope, wild: Message) -> None:
    assert await keep(storage, scope, wild) == 1
    async with storage.transaction(scope) as uow:
        assert await uow.messages.get([wild.id], hold=True) == await uow.messages.find([wild.ref]) == [wild]
        assert await uow.messages.delete([wild.id, uuid4()]) == 1
        assert await uow.messages.get([wild.id]) == []


async def test_a_repeat_is_a_replay(storage: Storage, scope: TenantScope) -> None:
    first, second = message(1), message(2)
    assert await keep(storage, scope, first) == 1
    again = replace(first, id=UUID(int=9), recorded_at=day(3), agent_id="maya")
    assert await keep(storage, scope, again, second) == 1
    assert await keep(storage, scope, message(3), replace(message(3), id=UUID(int=30))) == 1
    assert await keep(storage, scope) == 0
    async with storage.transaction(scope) as uow:
        assert await gathered(uow.messages.everything(None)) == [first, second, message(3)]


@pytest.mark.parametrize(
    "change",
    [{"content": "other"}, {"speaker": Speaker.ASSISTANT}, {"sent_at": day(5)}, {"user_id": "bob"}, {"channel": "sms"}],
)
async def test_a_repeat_that_differs_is_refused_and_changes_nothing(
    storage: Storage, scope: TenantScope, change: dict[str, Any]
) -> None:
    await keep(storage, scope, message(1))
    with pytest.raises(Conflict) as refused:
        await keep(storage, scope, message(2), message(1, **{"id": UUID(int=9), **change}))
    assert refused.value.code == "message_conflict"
    with pytest.raises(Conflict):
        await keep(storage, scope, message(1, message_id="another, with the id of the first"))
    async with storage.transaction(scope) as uow:
        assert await gathered(uow.messages.everything(None)) == [message(1)]


@pytest.mark.parametrize("stranger", [{"user_id": "nobody"}, {"store_id": "nowhere"}])
async def test_a_message_is_of_somebody_who_is_there(
    storage: Storage, scope: TenantScope, stranger: dict[str, Any]
) -> None:
    with pytest.raises(Conflict):
        await keep(storage, scope, message(1, **stranger))


async def test_the_latest_before_a_message_are_of_its_conversation_and_person(
    storage: Storage, scope: TenantScope
) -> None:
    asked = message(10)
    same_instant = message(9, 10, speaker=Speaker.ASSISTANT)
    others = (message(5, conversation_id="other"), message(6, user_id="bob"), message(11))
    await keep(storage, scope, asked, same_instant, message(3), message(1), message(2), *others)
    async with storage.transaction(scope) as uow:
        assert [kept.id.int for kept in await uow.messages.before(asked, 3)] == [2, 3, 9]
        assert [kept.id.int for kept in await uow.messages.before(asked, 50)] == [1, 2, 3, 9]
        assert [kept.id.int for kept in await uow.messages.get([asked.id, UUID(int=1), UUID(int=3)])] == [1, 3, 10]


async def test_looks_for_nothing_find_nothing(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, message(1))
    async with storage.transaction(scope) as uow:
        assert await uow.messages.get([]) == await uow.messages.find([]) == []
        assert await uow.messages.delete([]) == 0
        assert await uow.messages.find([MessageRef("other", "m1", "web"), MessageRef("talk", "m2", "web")]) == []
        assert await uow.messages.find([MessageRef("talk", "m1", "any")]) == [message(1)]


async def test_everything_is_all_or_one_persons_in_order_of_id(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, message(3, 1), message(1, 2, user_id="bob"), message(2, 3))
    async with storage.transaction(scope) as uow:
        assert [kept.id.int for kept in await gathered(uow.messages.everything(None))] == [1, 2, 3]
        assert [kept.id.int for kept in await gathered(uow.messages.everything("alice"))] == [2, 3]
        assert await gathered(uow.messages.everything("nobody")) == []


async def test_everything_is_more_than_is_held_at_once(storage: Storage, scope: TenantScope) -> None:
    numbers = range(1, 2 * AT_ONCE + 50)
    await keep(storage, scope, *map(message, numbers))
    async with storage.snapshot(scope) as uow:
        assert [kept.id.int for kept in await gathered(uow.messages.everything("alice"))] == list(numbers)


async def test_an_heir_takes_over_messages_and_gives_a_store_to_those_of_none(
    storage: Storage, scope: TenantScope
) -> None:
    await keep(storage, scope, message(1, user_id="bob"), message(2, user_id="bob", store_id="shop2"), message(3))
    async with storage.transaction(scope) as uow:
        await uow.messages.reassign("bob", "carl", "shop1")
    async with storage.transaction(scope) as uow:
        kept = await gathered(uow.messages.everything(None))
        assert [(one.user_id, one.store_id) for one in kept] == [("carl", "shop1"), ("carl", "shop2"), ("alice", None)]


async def test_messages_go_with_their_person_and_store(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, message(1, user_id="bob"), message(2, store_id="shop1"), message(3, store_id="shop2"))
    async with storage.transaction(scope) as uow:
        await uow.people.delete("bob")
        await uow.stores.delete("shop1")
    async with storage.transaction(scope) as uow:
        assert [kept.id.int for kept in await gathered(uow.messages.everything(None))] == [3]


def receipt(number: int, at: float, user_id: str | None = "alice", conversation_id: str | None = "talk") -> Receipt:
    facts = tuple(UUID(int=one) for one in range(number))
    return Receipt(UUID(int=number), ATLAS, facts, day(at), user_id, "somewhere", conversation_id)


async def test_receipts_are_kept_once_and_the_latest_is_known(storage: Storage, scope: TenantScope) -> None:
    served = [
        receipt(1, 2),
        receipt(2, 1),
        receipt(3, 3, "bob"),
        receipt(4, 4, "alice", "other"),
        receipt(5, 5, None, None),
    ]
    async with storage.transaction(scope) as uow:
        await uow.receipts.add(served)
        await uow.receipts.add([receipt(1, 9)])
        await uow.receipts.add([])
    async with storage.transaction(scope) as uow:
        assert [await uow.receipts.get(one.receipt_id) for one in served] == served
        assert await uow.receipts.get(uuid4()) is None
        assert await uow.receipts.latest("alice", "talk") == served[0]
        assert await uow.receipts.latest("nobody", "talk") is None


async def test_receipts_are_forgotten_by_age_and_with_their_person(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.receipts.add([receipt(1, 1), receipt(2, 2), receipt(3, 3, "bob")])
        await uow.receipts.forget_before(day(2))
        await uow.people.delete("bob")
        left = [number for number in (1, 2, 3) if await uow.receipts.get(UUID(int=number))]
    assert left == [2]
