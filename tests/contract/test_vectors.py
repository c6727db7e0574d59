"""Vectors: they stand beside the words they were made of, in one space, and are compared within reach alone."""

from dataclasses import replace
from uuid import UUID

import pytest

from app.domain.events import Change, changes
from app.domain.messages import Speaker
from app.domain.past import Moment
from app.domain.search import DocumentKind, Shelf
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage
from app.ports.vectors import Embedded, Nearness, Progress
from tests.contract.embedding import OTHER, SPACE, embed, lacking, nearest, order, say
from tests.contract.finding import BOB, shelf
from tests.contract.test_messages import message
from tests.unit.memories import COMPANY, ME, SHOP, START, day, fact

FACT, MESSAGE, REPLY, OBSERVATION = DocumentKind
X, Y, Z, XY = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0)


async def test_documents_lack_vectors_until_they_are_put_the_newest_first(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, *(message(number) for number in (1, 2, 3)))
    assert [one.id.int for one in await lacking(storage, scope)] == [3, 2, 1]
    assert [one.id.int for one in await lacking(storage, scope, 2)] == [3, 2]
    await embed(storage, scope, {3: [X], 1: [Y]})
    assert [one.id.int for one in await lacking(storage, scope)] == [2]
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.progress(SPACE) == Progress(2, 0, 3)
        assert await uow.vectors.progress(OTHER) == Progress(0, 0, 3)


async def test_the_nearest_come_first_each_by_its_nearest_part(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, *(message(number) for number in (1, 2, 3, 4)))
    await embed(storage, scope, {1: [X], 2: [XY], 3: [Z, XY, Y], 4: []})
    near = (await nearest(storage, scope, Y))[MESSAGE]
    assert [(document.int, round(cosine, 3)) for document, cosine in near.cosines.items()] == [(3, 1), (2, 0.8), (1, 0)]
    assert (round(near.least, 3), round(near.most, 3), near.embedded, near.documents) == (0, 1, 3, 4)
    assert order(await nearest(storage, scope, Y, limit=2)) == [3, 2]
    assert order(await nearest(storage, scope, Z)) == [3, 1, 2]


async def test_each_kind_has_its_own(storage: Storage, scope: TenantScope) -> None:
    said, answered = message(1), message(2, speaker=Speaker.ASSISTANT)
    async with storage.transaction(scope) as uow:
        await uow.messages.add([said, answered])
        await uow.facts.apply(changes([], [fact(3)]), START)
    await embed(storage, scope, {1: [X], 2: [XY], 3: [Y]})
    near = await nearest(storage, scope, X, limit=1)
    assert {kind: order(near, kind) for kind in near} == {MESSAGE: [1], REPLY: [2], FACT: [3]}
    only = await nearest(storage, scope, X, shelf(ME, SHOP, COMPANY, kinds=[REPLY]))
    assert {kind: order(only, kind) for kind in only} == {REPLY: [2]}


async def test_what_nobody_embedded_is_counted_and_has_no_cosine(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1))
    assert await nearest(storage, scope, X) == {MESSAGE: Nearness({}, 0.0, 0.0, 0, 1)}
    assert await nearest(storage, scope, X, shelf(BOB)) == {}
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.nearest(X, SPACE, [], 5) == {}


async def test_vectors_of_another_space_are_not_compared_and_are_replaced(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2))
    await embed(storage, scope, {1: [X, Y], 2: [Y]}, space=OTHER)
    await embed(storage, scope, {1: [Y]})
    near = await nearest(storage, scope, Y)
    assert (order(near), near[MESSAGE].embedded) == ([1], 1)
    assert [one.id.int for one in await lacking(storage, scope)] == []
    assert [one.id.int for one in await lacking(storage, scope, space=SPACE)] == [2]
    assert order(await nearest(storage, scope, Y, space=OTHER)) == [2]
    await embed(storage, scope, {2: [X]})
    assert await lacking(storage, scope, space=SPACE) == []
    assert (await nearest(storage, scope, Y, space=OTHER))[MESSAGE].embedded == 0


async def test_what_lacks_any_comes_before_what_has_others(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, *(message(number) for number in (1, 2, 3, 4)))
    await embed(storage, scope, {4: [X]}, space="z 3")
    await embed(storage, scope, {2: [X]}, space="a 3")
    await embed(storage, scope, {3: [X]})
    assert (await lacking(storage, scope, 1, space=SPACE))[0].id.int == 1
    assert {one.id.int for one in await lacking(storage, scope, space=SPACE)} == {1, 2, 4}
    assert len(await lacking(storage, scope, 2, space=SPACE)) == 2


async def test_words_that_changed_meanwhile_get_no_vector(storage: Storage, scope: TenantScope) -> None:
    before, after = fact(1, content="Offerte"), fact(1, content="Payante", value="Payante")
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, before)], START)
    seen = await lacking(storage, scope)
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(before, after)], START)
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.put(SPACE, {one: Embedded([X]) for one in seen}) == 0
    assert (await nearest(storage, scope, X))[FACT].embedded == 0
    assert [one.id for one in await lacking(storage, scope)] == [after.id]


async def test_words_that_change_later_lose_their_vectors(storage: Storage, scope: TenantScope) -> None:
    before, after = fact(1, content="Offerte"), fact(1, content="Payante", value="Payante")
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, before)], START)
    await embed(storage, scope, {1: [X]})
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(before, after)], START)
    assert (await nearest(storage, scope, X))[FACT].embedded == 0
    assert [one.id for one in await lacking(storage, scope)] == [after.id]


async def test_what_is_gone_meanwhile_gets_no_vector(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2))
    seen = await lacking(storage, scope)
    async with storage.transaction(scope) as uow:
        await uow.messages.delete([UUID(int=1)])
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.put(SPACE, {one: Embedded([X]) for one in seen}) == 1
    assert order(await nearest(storage, scope, X)) == [2]


async def test_vectors_leave_with_their_document(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2))
    await embed(storage, scope, {1: [X], 2: [Y]})
    async with storage.transaction(scope) as uow:
        await uow.messages.delete([UUID(int=1)])
    near = await nearest(storage, scope, X)
    assert (order(near), near[MESSAGE].documents) == ([2], 1)
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.progress(SPACE) == Progress(1, 0, 1)


async def test_what_failed_is_not_lacking_until_it_is_forgiven(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2))
    await embed(storage, scope, {1: [X]}, space=OTHER)
    seen = await lacking(storage, scope, space=SPACE)
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.put(SPACE, {}, seen) == 0
    assert await lacking(storage, scope, space=SPACE) == []
    assert (await nearest(storage, scope, X, space=OTHER))[MESSAGE].embedded == 0
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.progress(SPACE) == Progress(0, 2, 2)
        assert await uow.vectors.forgive() == 2
    assert [one.id.int for one in await lacking(storage, scope)] == [2, 1]


async def test_what_moves_takes_its_vectors_along(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1))
    await embed(storage, scope, {1: [X]})
    async with storage.transaction(scope) as uow:
        await uow.messages.reassign("alice", "bob", None)
    assert order(await nearest(storage, scope, X, shelf(BOB))) == [1]
    assert await nearest(storage, scope, X, shelf(ME)) == {}


async def test_shelves_bound_what_is_compared(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2, user_id="bob"), message(3, store_id="shop1"))
    async with storage.transaction(scope) as uow:
        await uow.facts.apply(changes([], [fact(4, about=SHOP)]), START)
    await embed(storage, scope, {1: [Y], 2: [X], 3: [XY], 4: [X]})
    mine = await nearest(storage, scope, X, shelf(ME))
    assert {kind: (order(mine, kind), mine[kind].documents) for kind in mine} == {MESSAGE: ([3, 1], 2)}
    assert round(mine[MESSAGE].most, 3) == 0.6
    assert order(await nearest(storage, scope, X, shelf(ME, stores=frozenset({None})))) == [1]
    assert await nearest(storage, scope, X, shelf(SHOP, public_only=True)) == {}
    assert await nearest(storage, scope, X, Shelf((ME,), frozenset(DocumentKind), ("another",))) == {}


async def test_times_bound_what_is_compared(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, *(message(number, sent_at=day(number), recorded_at=day(number)) for number in (1, 2, 3)))
    await embed(storage, scope, {1: [X], 2: [XY], 3: [Y]})
    late = await nearest(storage, scope, X, since=day(2))
    assert (order(late), round(late[MESSAGE].most, 3)) == ([2, 3], 1)
    assert order(await nearest(storage, scope, X, moment=Moment(as_of=day(2)))) == [1, 2]
    assert order(await nearest(storage, scope, X, moment=Moment(known_at=day(1)))) == [1]


async def test_cosines_of_some_documents(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2), message(3))
    await embed(storage, scope, {1: [X], 2: [Y, XY]})
    ids = [UUID(int=number) for number in (1, 2, 3, 4)]
    async with storage.transaction(scope) as uow:
        told = await uow.vectors.cosines(X, SPACE, [MESSAGE, FACT], ids)
        assert {each: round(cosine, 3) for each, cosine in told.items()} == {ids[0]: 1, ids[1]: 0.6}
        assert await uow.vectors.cosines(X, SPACE, [FACT], ids) == {}
        assert await uow.vectors.cosines(X, OTHER, [MESSAGE], ids) == {}
        assert await uow.vectors.cosines(X, SPACE, [MESSAGE], []) == {}


async def test_vectors_of_several_dimensions_stand_side_by_side(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, message(1), message(2))
    await embed(storage, scope, {1: [(1.0, 0.0)]}, space="small 2")
    await embed(storage, scope, {2: [X]})
    assert order(await nearest(storage, scope, X)) == [2]
    assert order(await nearest(storage, scope, (1.0, 0.0), space="small 2")) == [1]


@pytest.mark.parametrize("dimension", [1, 384, 1536, 4000])
async def test_a_vector_is_kept_to_three_digits(storage: Storage, scope: TenantScope, dimension: int) -> None:
    vector = [((number * 37) % 101 - 50) / 1e3 for number in range(dimension)]
    length = sum(each * each for each in vector) ** 0.5
    vector = [each / length for each in vector]
    await say(storage, scope, message(1))
    await embed(storage, scope, {1: [vector]}, space="long")
    near = await nearest(storage, scope, vector, space="long")
    assert near[MESSAGE].most == pytest.approx(1, abs=1e-3)
    assert near[MESSAGE].cosines == {UUID(int=1): near[MESSAGE].most}


async def test_a_repeated_message_keeps_its_vectors(storage: Storage, scope: TenantScope) -> None:
    said = message(1)
    await say(storage, scope, said)
    await embed(storage, scope, {1: [X]})
    await say(storage, scope, replace(said, id=UUID(int=9)))
    assert order(await nearest(storage, scope, X)) == [1]


async def test_documents_of_many_parts_leave_room_for_others(storage: Storage, scope: TenantScope) -> None:
    await say(storage, scope, *(message(number) for number in range(1, 6)))
    await embed(storage, scope, {1: [X] * 40, 2: [X] * 40, 3: [XY], 4: [XY, Y], 5: [Y]})
    assert order(await nearest(storage, scope, X, limit=2)) == [1, 2]
    assert order(await nearest(storage, scope, X, limit=4)) == [1, 2, 3, 4]
    assert order(await nearest(storage, scope, X, limit=5)) == [1, 2, 3, 4, 5]
