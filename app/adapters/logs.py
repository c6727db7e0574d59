"""Logs: one line per event on stderr, for people or for machines, that repeat nothing anybody said.

An exception's text may quote a row, a message or a query, and a traceback may print variables. So of an exception only
its type, its causes' types and the places in the code are written, for our own lines and for every library's.
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import Final, Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_FRAMES: Final = 30
_CAUSES: Final = 5
_QUIET: Final = ("httpx", "httpcore")  # they log whole addresses at INFO


def configure_logging(form: Literal["json", "console"], level: str = "info") -> None:
    """From here on all logging of this process, structlog's and the standard library's, leaves in `form`.

    uvicorn's access log is off: it prints paths and queries. Calling it again replaces what the last call set.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _places_only,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if form == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _first_line],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level.upper())
    _tame_libraries()


def _tame_libraries() -> None:
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").disabled = True
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _places_only(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """`exc_info` becomes `error` (types, outermost first) and `at` (places, innermost last)."""
    exc_info = event.pop("exc_info", None)
    error = sys.exc_info()[1] if exc_info is True else exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if isinstance(error, BaseException):
        event["error"] = " < ".join(islice(_types(error), _CAUSES))
        event["at"] = _places(error.__traceback__)
    return event


def _types(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield f"{type(error).__module__}.{type(error).__qualname__}"
        error = error.__cause__ or error.__context__


def _places(trace: TracebackType | None) -> list[str]:
    frames = [f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}" for frame, line in traceback.walk_tb(trace)]
    return frames[-_FRAMES:]


def _first_line(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Of a library's message the first line: asyncio puts an exception's text into the second."""
    event["event"] = str(event["event"]).partition("\n")[0]
    return event
