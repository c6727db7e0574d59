"""A spool: what is written comes out again, to a reader who may be ahead of the writer or far behind."""

import asyncio
import resource
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Unavailable
from app.services.spool import CHUNK, IN_MEMORY, Spool

sizes = st.lists(st.sampled_from([0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, IN_MEMORY, IN_MEMORY + 1]), max_size=8)


async def written(spool: Spool, pieces: Sequence[bytes]) -> None:
    for piece in pieces:
        await spool.write(piece)
        await asyncio.sleep(0)
    await spool.end()


async def read(spool: Spool) -> bytes:
    whole = b""
    while chunk := await spool.read():
        assert len(chunk) <= CHUNK
        whole += chunk
    assert spool.read_out
    return whole


@given(sizes, st.booleans())
async def test_what_is_written_is_read(sizes: list[int], beside: bool) -> None:
    pieces = [bytes([65 + number]) * size for number, size in enumerate(sizes)]
    whole = b"".join(pieces)
    with Spool() as spool:
        writing = asyncio.create_task(written(spool, pieces))
        if not beside:
            await writing
        length = await spool.begun()
        assert length in ((len(whole),) if len(whole) <= IN_MEMORY else (None,))
        assert await read(spool) == whole
        assert await spool.read() == b""
        await writing


async def test_the_last_piece_waits_for_the_end() -> None:
    with Spool() as spool:
        for piece in (b"a" * IN_MEMORY, b"b" * CHUNK, b"manifest"):
            await spool.write(piece)
        assert await spool.begun() is None
        assert b"".join([await spool.read() for _ in range(IN_MEMORY // CHUNK + 1)]) == b"a" * IN_MEMORY + b"b" * CHUNK
        reading = asyncio.create_task(spool.read())
        await asyncio.sleep(0)
        assert not reading.done()
        assert not spool.read_out
        await spool.end()
        assert await reading == b"manifest"
        assert spool.read_out


async def test_the_reader_is_told_what_the_writer_failed_of() -> None:
    with Spool() as spool:
        await spool.write(b"a" * 2 * IN_MEMORY)
        waiting = asyncio.create_task(spool.begun())
        await asyncio.sleep(0)
        assert not waiting.done()
        spool.fail(Unavailable())
        with pytest.raises(Unavailable):
            await waiting
        with pytest.raises(Unavailable):
            await spool.read()


async def test_a_file_that_takes_no_more_is_told_as_no_fault_of_the_writer() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Spool() as spool:
        await spool.write(b"a" * 2 * IN_MEMORY)
        resource.setrlimit(resource.RLIMIT_FSIZE, (IN_MEMORY, most))
        try:
            with pytest.raises(Unavailable):
                await spool.end()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, most))
