"""A JSON document in a file, taken apart into its members and the records of their lists, without being built whole."""

import json
import re
from collections.abc import Iterator
from mmap import mmap
from typing import Final, NamedTuple

from app.domain.errors import BadRequest

# Possessive: one pass over any input. A byte of another character is never one of these.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{},"]', re.DOTALL)
_BLANK: Final = re.compile(rb"[ \t\r\n]*+")
_NAME: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"[ \t\r\n]*+:', re.DOTALL)


class Piece(NamedTuple):
    """A member, or one record of a list; `number` is None for a member. `comma` is where the comma before the member
    stands.
    """

    name: str
    number: int | None
    text: bytes
    comma: int


def pieces(body: bytes | mmap, most: int) -> Iterator[Piece]:
    """The pieces of the one object in `body`, front to back; each may be `most` bytes.

    What a piece holds is not looked at. Raises BadRequest where this is no JSON object of such.
    """
    at = _expect(body, 0, b"{")
    comma = at
    if _peek(body, at) != b"}":
        while True:
            name, at = _name(body, at)
            if _peek(body, at) == b"[":
                for piece, end in _records(body, at, name, comma, most):
                    at = end
                    if piece is not None:
                        yield piece
            else:
                end = _end(body, at, most)
                yield Piece(name, None, body[at:end], comma)
                at = end
            comma = _skip(body, at)
            if _peek(body, at) == b"}":
                break
            at = _expect(body, at, b",")
    at = _skip(body, _expect(body, at, b"}"))
    if at != len(body):
        raise _not_json()


def _records(body: bytes | mmap, at: int, name: str, comma: int, most: int) -> Iterator[tuple[Piece | None, int]]:
    """Each record of the list that begins here, and where it ends; at last where the list does."""
    at, index = _expect(body, at, b"["), 0
    if _peek(body, at) == b"]":
        yield None, _expect(body, at, b"]")
        return
    while True:
        end = _end(body, at, most)
        yield Piece(name, index, body[at:end], comma), end
        at, index = end, index + 1
        if _peek(body, at) == b"]":
            yield None, _expect(body, at, b"]")
            return
        at = _expect(body, at, b",")


def _name(body: bytes | mmap, at: int) -> tuple[str, int]:
    found = _NAME.match(body, _skip(body, at))
    if found is None or len(found[0]) > 100:
        raise _not_json()
    try:
        return str(json.loads(found[0][:-1])), found.end()
    except ValueError:
        raise _not_json() from None


def _end(body: bytes | mmap, at: int, most: int) -> int:
    """Where the value that begins at `at` ends."""
    depth = 0
    for token in _TOKEN.finditer(body, at):
        if token.start() - at > most:
            raise BadRequest("record_too_large", f"A record may be {most} bytes.")
        kind = token[0][:1]
        if kind == b'"':
            if len(token[0]) == 1:
                break
        elif kind in b"[{":
            depth += 1
        elif depth == 0:
            return token.start()
        elif kind != b",":
            depth -= 1
    raise _not_json()


def _expect(body: bytes | mmap, at: int, character: bytes) -> int:
    if _peek(body, at) != character:
        raise _not_json()
    return _skip(body, at) + 1


def _peek(body: bytes | mmap, at: int) -> bytes:
    at = _skip(body, at)
    return body[at : at + 1]


def _skip(body: bytes | mmap, at: int) -> int:
    found = _BLANK.match(body, at)
    return found.end() if found else at


def _not_json() -> BadRequest:
    return BadRequest("body_not_json", "The body must be one JSON document.")
