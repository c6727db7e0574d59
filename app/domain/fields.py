"""Reading a record that came from outside, field by field: each is what it must be, and none is left unread."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar
from uuid import UUID
from zoneinfo import available_timezones

from app.domain.values import JsonValue

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
Read = Callable[[Any], T]

MAX_TEXT = 64 * 1024
MAX_NAME = 255
MAX_KEY = 800
MAX_LIST = 10_000
_INT32 = 2**31
_YEARS = range(1000, 9000)


class Unfit(ValueError):
    """A value is not what it must be. `kind` says how, in snake_case; `pointer` where (RFC 6901)."""

    def __init__(self, kind: str, pointer: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.pointer = pointer


class Fields:
    """The fields of one record. `end` it: a field that nobody asked for is not overlooked."""

    def __init__(self, told: object) -> None:
        if not isinstance(told, dict):
            raise Unfit("object_expected")
        self._left: dict[str, Any] = dict(told)

    def of(self, name: str, read: Read[T]) -> T:
        """The field, which must be there. Raises Unfit with its place."""
        if name not in self._left:
            raise Unfit("missing", f"/{name}")
        try:
            return read(self._left.pop(name))
        except Unfit as unfit:
            raise Unfit(unfit.kind, f"/{name}{unfit.pointer}") from None

    def maybe(self, name: str, read: Read[T]) -> T | None:
        """The field, or None where it is null."""
        if name in self._left and self._left[name] is None:
            del self._left[name]
            return None
        return self.of(name, read)

    def younger(self, name: str, read: Read[T]) -> T | None:
        """As `maybe`, also where it is not there: whoever wrote the record may not have known the field yet."""
        return self.maybe(name, read) if name in self._left else None

    def end(self) -> None:
        """Raises Unfit where a field was not read."""
        for name in self._left:
            raise Unfit("unknown_field", f"/{name}")

    def rest(self) -> Mapping[str, JsonValue]:
        """What was not read, which is read now."""
        left, self._left = self._left, {}
        return left


def text(value: Any, most: int = MAX_TEXT) -> str:
    """Any text of at most `most` characters."""
    if not isinstance(value, str):
        raise Unfit("text_expected")
    if len(value) > most:
        raise Unfit("too_long")
    return value


def name(value: Any) -> str:
    """A text of 1 to 255 characters."""
    if not text(value, MAX_NAME):
        raise Unfit("too_short")
    return str(value)


def key(value: Any) -> str:
    """A fact's key."""
    if not text(value, MAX_KEY):
        raise Unfit("too_short")
    return str(value)


def identifier(value: Any) -> str:
    """A caller's id: 1 to 255 printable ASCII characters without space, and no dot segment."""
    told = name(value)
    if not all("!" <= character <= "~" for character in told) or told in (".", ".."):
        raise Unfit("id_expected")
    return told


def unique(value: Any) -> UUID:
    """A UUID in its usual form."""
    try:
        made = UUID(text(value, 36))
    except ValueError:
        raise Unfit("uuid_expected") from None
    if str(made) != value:
        raise Unfit("uuid_expected")
    return made


def instant(value: Any) -> datetime:
    """A time with its zone, in UTC."""
    try:
        told = datetime.fromisoformat(text(value, 40))
    except ValueError:
        raise Unfit("time_expected") from None
    if told.tzinfo is None:
        raise Unfit("time_without_zone")
    if told.year not in _YEARS:
        raise Unfit("time_out_of_range")
    return told.astimezone(UTC)


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Unfit("flag_expected")
    return value


def whole(least: int = 0, most: int = _INT32 - 1) -> Read[int]:
    """A whole number within these."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Unfit("whole_number_expected")
        if not least <= value <= most:
            raise Unfit("out_of_range")
        return value

    return read


def number(above: float, most: float) -> Read[float]:
    """A number greater than the one, and not than the other."""

    def read(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Unfit("number_expected")
        if not above < value <= most:
            raise Unfit("out_of_range")
        return float(value)

    return read


def one_of(kinds: type[E]) -> Read[E]:
    """One of these names."""

    def read(value: Any) -> E:
        try:
            return kinds(text(value))
        except ValueError:
            raise Unfit("unknown_value") from None

    return read


def listed(read: Read[T], most: int = MAX_LIST) -> Read[tuple[T, ...]]:
    """A list of such."""

    def read_all(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise Unfit("list_expected")
        if len(value) > most:
            raise Unfit("too_long")
        return tuple(map(read, value))

    return read_all


def anything(value: Any) -> JsonValue:
    """Any value; what reads JSON has refused what is none."""
    told: JsonValue = value
    return told


def mapping(value: Any) -> Mapping[str, JsonValue]:
    """Any object."""
    if not isinstance(value, dict):
        raise Unfit("object_expected")
    return value


def time_zone(value: Any) -> str:
    """A name of the IANA database."""
    if text(value, 64) not in _zones():
        raise Unfit("unknown_time_zone")
    return str(value)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
