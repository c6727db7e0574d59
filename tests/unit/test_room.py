"""Room for so many at once."""

import asyncio
from contextlib import suppress

import pytest

from app.domain.errors import TooMany
from app.services.room import Room


def full() -> TooMany:
    return TooMany("full", "There is no room.", 1)


async def test_the_others_have_their_turn_in_their_order() -> None:
    room, order, go_on = Room(2, 5, full), list[int](), asyncio.Event()

    async def stay(number: int) -> None:
        async with room.place("shop"):
            order.append(number)
            await go_on.wait()

    staying = [asyncio.create_task(stay(number)) for number in range(5)]
    await asyncio.sleep(0)
    assert order == [0, 1]
    go_on.set()
    await asyncio.gather(*staying)
    assert order == [0, 1, 2, 3, 4]


async def test_the_many_of_one_do_not_keep_the_few_of_another_from_their_turn() -> None:
    room, order = Room(1, 5, full), list[str]()

    async def stay(org_id: str) -> None:
        async with room.place(org_id):
            order.append(org_id)
            await asyncio.sleep(0)

    async with room.place("many"):
        staying = [asyncio.create_task(stay(org_id)) for org_id in ("many",) * 4 + ("few", "few")]
        await asyncio.sleep(0)
        assert room.waiting == 6
    await asyncio.gather(*staying)
    assert order == ["many", "few", "many", "few", "many", "many"]
    assert room.waiting == 0


async def test_who_waits_too_long_is_refused_and_nobody_loses_a_place() -> None:
    room = Room(1, 0.01, full)
    async with room.place("shop"):
        for _ in range(3):
            with pytest.raises(TooMany):
                async with room.place("shop"):
                    raise AssertionError("there is no room")
    async with room.place("shop"):
        pass


async def test_who_leaves_while_waiting_takes_no_place() -> None:
    room, inside = Room(1, 5, full), asyncio.Event()

    async def stay() -> None:
        async with room.place("shop"):
            inside.set()
            await asyncio.Event().wait()

    staying = asyncio.create_task(stay())
    await inside.wait()
    waiting = [asyncio.create_task(stay()) for _ in range(3)]
    await asyncio.sleep(0)
    for task in (*waiting, staying):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    async with asyncio.timeout(1), room.place("shop"):
        pass


async def test_a_turn_that_comes_to_who_leaves_at_that_moment_is_passed_on() -> None:
    room = Room(1, 5, full)

    async def stay() -> None:
        async with room.place("shop"):
            raise AssertionError("whoever left is not inside")

    async with room.place("shop"):
        leaving = asyncio.create_task(stay())
        await asyncio.sleep(0)
        assert room.waiting == 1
    leaving.cancel()  # its turn has come, and it does not know yet
    with pytest.raises(asyncio.CancelledError):
        await leaving
    async with asyncio.timeout(1), room.place("shop"):
        assert room.waiting == 0
