"""What a request asks of the database: statements and transactions, counted on the wire."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import CacheStats
from sqlalchemy.pool import Pool


@dataclass
class Count:
    """What was asked by whoever runs in the context in which it is counted, tasks that they start included."""

    statements: list[str] = field(default_factory=list)
    compiled: list[str] = field(default_factory=list)
    """Those of the statements that can only be compiled anew each time."""
    begun: int = 0
    """Transactions; a ping is one too."""

    @property
    def figures(self) -> tuple[int, int]:
        """How many statements, in how many transactions."""
        return len(self.statements), self.begun


_counting: ContextVar[Count | None] = ContextVar("counting", default=None)


@contextmanager
def counted() -> Iterator[Count]:
    """Counts what this task asks for in the block. Needs `listening`."""
    count = Count()
    token = _counting.set(count)
    try:
        yield count
    finally:
        _counting.reset(token)


@contextmanager
def listening() -> Iterator[None]:
    """Every engine's statements are heard for the block, also on connections that are open already."""
    hooks: tuple[tuple[Any, str, Any], ...] = (
        (Engine, "before_cursor_execute", _heard),
        (Engine, "after_cursor_execute", _told),
        (Pool, "checkout", _listen_to),
    )
    for target, name, hook in hooks:
        event.listen(target, name, hook)
    try:
        yield
    finally:
        for target, name, hook in hooks:
            event.remove(target, name, hook)


def _heard(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
    if (count := _counting.get()) is not None:
        count.statements.append(statement)


def _told(_connection: Any, _cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool) -> None:
    if (count := _counting.get()) is not None and context.cache_hit is CacheStats.NO_CACHE_KEY:
        count.compiled.append(statement)


def _listen_to(connection: Any, *_more: Any) -> None:
    """SQLAlchemy's own statements are prepared, which asyncpg does not log; BEGIN, COMMIT and pings it does."""
    connection.driver_connection.add_query_logger(_begun)


def _begun(query: Any) -> None:
    if (count := _counting.get()) is not None and query.query.startswith("BEGIN"):
        count.begun += 1
