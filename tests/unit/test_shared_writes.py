"""Writers who share a transaction: together where it works, alone where it does not, and never for long."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from app.domain.errors import Conflict, Unavailable
from app.domain.tenancy import TenantScope
from app.services.shared_writes import MOST_TOGETHER, MOST_WAITING, SharedWrites
from tests.contract.scopes import scope_of

PATIENCE = 30.0
US, THEM = scope_of("us"), scope_of("them")
BAD = "bad"


@dataclass
class Book:
    """What was written, transaction by transaction. It opens when the test says so; a bad word spoils a page."""

    opened: asyncio.Event = field(default_factory=asyncio.Event)
    begun: int = 0
    pages: list[list[str]] = field(default_factory=list)
    rolled_back: list[list[str]] = field(default_factory=list)

    async def write(self, asked: Sequence[tuple[TenantScope, str]]) -> list[str]:
        words = [word for _, word in asked]
        self.begun += 1
        try:
            await self.opened.wait()
            if BAD in words:
                raise Conflict("conflict", "A bad word.")
        except BaseException:
            self.rolled_back.append(words)
            raise
        self.pages.append(words)
        return [f"{scope.org_id}: {word}" for scope, word in asked]


@pytest.fixture
def book() -> Book:
    return Book()


async def begun(book: Book, transactions: int) -> None:
    while book.begun < transactions:
        await asyncio.sleep(0)


async def asked(writes: SharedWrites[str, str], *words: str, rows: int = 1) -> list[asyncio.Task[str]]:
    """Writers who have come in this order, the first one well before the others."""
    tasks = []
    for word in words:
        tasks.append(asyncio.create_task(writes.ask(US, word, rows)))
        for _ in range(5):
            await asyncio.sleep(0)
    return tasks


async def test_a_lone_writer_waits_for_nobody(book: Book) -> None:
    book.opened.set()
    assert await SharedWrites(book.write, PATIENCE).ask(US, "a", 1) == "us: a"
    assert book.pages == [["a"]]


async def test_those_who_come_at_once_share_the_first_transaction(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    book.opened.set()
    assert await asyncio.gather(*(writes.ask(US, word, 1) for word in "ab")) == ["us: a", "us: b"]
    assert book.pages == [["a", "b"]]


async def test_those_who_come_meanwhile_share_the_next_transaction(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    writers = await asked(writes, "a", "b", "c")
    assert book.begun == 1
    book.opened.set()
    assert await asyncio.gather(*writers) == ["us: a", "us: b", "us: c"]
    assert book.pages == [["a"], ["b", "c"]]


async def test_organisations_neither_share_nor_wait(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    both = [asyncio.create_task(writes.ask(scope, "a", 1)) for scope in (US, THEM)]
    await begun(book, 2)
    book.opened.set()
    assert await asyncio.gather(*both) == ["us: a", "them: a"]


async def test_where_the_shared_one_fails_each_runs_alone(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    writers = await asked(writes, "a", "b", BAD, "c")
    book.opened.set()
    answers = await asyncio.gather(*writers, return_exceptions=True)
    assert [str(answer) for answer in (answers[0], answers[1], answers[3])] == ["us: a", "us: b", "us: c"]
    assert isinstance(answers[2], Conflict)
    assert sorted(book.pages) == [["a"], ["b"], ["c"]]
    assert book.rolled_back == [["b", BAD, "c"], [BAD]]


async def test_a_transaction_takes_so_many_rows(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    writers = await asked(writes, *"abcde", rows=MOST_TOGETHER // 2)
    book.opened.set()
    await asyncio.gather(*writers)
    assert book.pages == [["a"], ["b", "c"], ["d", "e"]]


async def test_who_brings_more_than_fits_goes_by_themself(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    first = await asked(writes, "a")
    second = await asked(writes, "b", "c", rows=MOST_TOGETHER)
    book.opened.set()
    await asyncio.gather(*first, *second)
    assert book.pages == [["a"], ["b"], ["c"]]


async def test_a_full_queue_sends_away_at_once_and_only_there(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    held = await asked(writes, "a")
    waiting = await asked(writes, *"bcdefghijk", rows=MOST_WAITING // 10)
    with pytest.raises(Unavailable) as refused:
        await writes.ask(US, "l", 1)
    assert (refused.value.code, refused.value.retry_after) == ("too_many_waiting", 1)
    other = asyncio.create_task(writes.ask(THEM, "a", 1))
    book.opened.set()
    await asyncio.gather(*held, *waiting, other)
    assert await writes.ask(US, "l", 1) == "us: l"


async def test_who_is_not_served_in_time_is_told_and_nothing_is_kept(book: Book) -> None:
    writes = SharedWrites(book.write, patience=0.02)
    writers = await asked(writes, "a", "b")
    refused = await asyncio.gather(*writers, return_exceptions=True)
    assert [str(getattr(error, "code", error)) for error in refused] == ["database_unavailable"] * 2
    book.opened.set()
    assert await writes.ask(US, "c", 1) == "us: c"
    assert book.pages == [["c"]]
    assert ["a"] in book.rolled_back


async def test_one_who_gives_up_takes_nobody_along(book: Book) -> None:
    """`late` has more patience than `soon`, with whom it shares a transaction that hangs: it then runs alone."""
    book.opened.set()
    hanging = Book()

    async def write(them: Sequence[tuple[TenantScope, str]]) -> list[str]:
        return await (hanging if len(them) > 1 else book).write(them)

    writes = SharedWrites(write, patience=0.05)
    answers = await asyncio.gather(writes.ask(US, "soon", 1), writes.ask(US, "late", 900), return_exceptions=True)
    assert isinstance(answers[0], Unavailable)
    assert answers[1] == "us: late"
    assert (hanging.rolled_back, book.pages) == ([["soon", "late"]], [["late"]])


async def test_a_client_who_leaves_does_not_stop_the_others(book: Book) -> None:
    writes = SharedWrites(book.write, PATIENCE)
    writers = await asked(writes, "a", "b", "c")
    writers[1].cancel()
    book.opened.set()
    answers = await asyncio.gather(*writers, return_exceptions=True)
    assert isinstance(answers[1], asyncio.CancelledError)
    assert (answers[0], answers[2]) == ("us: a", "us: c")
