"""The file of an import, read as it arrives: each record is guarded and looked at for itself, and none is kept before
the last one was found to fit.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import Any, Final

from fastapi import Request
from pydantic import ValidationError
from starlette.requests import ClientDisconnect

from app.api import strict_json
from app.api.errors import BodyTooLarge, BodyTooSlow
from app.api.guard import MAX_BODY, check_media, length_of
from app.api.members import Piece, pieces
from app.api.routing import CLOSING, DIGEST
from app.api.schemas.settings import SettingsIn
from app.domain.decay import Tier
from app.domain.errors import BadRequest, Invalid
from app.domain.export import LINES, Section
from app.domain.fields import Fields, Unfit, anything, text
from app.services.intake import Intake

MAX_JSON: Final = 16 * 1024 * 1024
STALLED_SECONDS: Final = 30.0
"""A sender of whom nothing comes for so long is given up."""
INTAKE: Final = "retenir.intake"
_BREATH: Final = 50
_BY_RECORD: Final = {section.record: section for section in Section}


async def receive(request: Request) -> Intake:
    """What the request's body is. Raises UnsupportedMedia, BodyTooLarge, BodyTooSlow; BadRequest for what is no JSON
    within the limits of a body, which hold for each record; Invalid `unfit_file`, with the place of what does not fit.

    Asked again for the same request, it is the same.
    """
    if INTAKE not in request.scope:
        media = check_media(request.headers, LINES)
        announced = length_of(request.headers.get("content-length", "0"))
        intake = Intake(_check_settings)
        request.scope[CLOSING].callback(intake.close)
        if media == LINES:
            await _Lines(intake).read(_chunks(request))
        elif announced > MAX_JSON:
            raise _too_large()
        else:
            await _read_document(intake, _chunks(request))
        request.scope[DIGEST] = intake.digest.digest()
        request.scope[INTAKE] = intake
    found: Intake = request.scope[INTAKE]
    return found


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    stream = aiter(request.stream())
    while True:
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise BodyTooSlow("body_timeout", f"Nothing came for {STALLED_SECONDS:g} seconds.") from None
        except ClientDisconnect:
            raise BadRequest("body_cut", "The body ended before its end.") from None
        if chunk is None:
            return
        yield chunk


class _Lines:
    """One record on a line."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._number = 0
        self._checksum = ""

    async def read(self, chunks: AsyncIterator[bytes]) -> None:
        rest = b""
        async for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                await self._line(line + b"\n")
            if len(rest) > MAX_BODY:
                raise self._too_long()
        if rest:
            await self._line(rest)
        await _finish(self._intake, self._checksum)

    async def _line(self, line: bytes) -> None:
        self._number += 1
        if len(line) > MAX_BODY:
            raise self._too_long()
        place = f"/lines/{self._number}"
        told = _loads(line, f"Line {self._number}")
        with _placed(place):
            at = Fields(told)
            section = at.of("type", _section)
        with _placed(f"{place}/record"):
            record = at.of("record", anything)
            at.end()
            if section is Section.MANIFEST:
                self._checksum = f"sha256:{self._intake.digest.hexdigest()}"
            await self._intake.take(section, record)
        self._intake.digest.update(line)
        if self._number % _BREATH == 0:
            await asyncio.sleep(0)

    def _too_long(self) -> BodyTooLarge:
        return BodyTooLarge("line_too_long", f"Line {max(self._number, 1)}: a line may be {MAX_BODY} bytes.")


async def _read_document(intake: Intake, chunks: AsyncIterator[bytes]) -> None:
    """One JSON object. It lies in a file meanwhile, so that only a record at a time is in memory."""
    with TemporaryFile() as file:
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            if size > MAX_JSON:
                raise _too_large()
            intake.digest.update(chunk)
            file.write(chunk)
        if not size:
            raise BadRequest("body_not_json", "The body must be one JSON document.")
        file.flush()
        with mmap(file.fileno(), 0, access=ACCESS_READ) as body:
            await _read_members(intake, body)


async def _read_members(intake: Intake, body: mmap) -> None:
    checksum, last, names = "", (-1, ""), set[str]()
    for number, piece in enumerate(pieces(body, MAX_BODY)):
        if (piece.comma, piece.name) != last:
            if piece.name in names:
                raise BadRequest("duplicate_key", "An object in the body has the same key twice.")
            names.add(piece.name)
            last = piece.comma, piece.name
        place = f"/{piece.name[:40]}" if piece.number is None else f"/{piece.name[:40]}/{piece.number}"
        record = _loads(piece.text, place)
        with _placed(place):
            section = _member(piece)
            if section is Section.MANIFEST:
                with memoryview(body) as whole, whole[: piece.comma] as before:
                    checksum = f"sha256:{sha256(before).hexdigest()}"
            await intake.take(section, record)
        if number % _BREATH == 0:
            await asyncio.sleep(0)
    await _finish(intake, checksum)


async def _finish(intake: Intake, checksum: str) -> None:
    with _placed("/manifest"):
        await intake.finish(checksum)
    if stray := intake.stray():
        number, pointer = stray
        with _placed(f"/records/{number}"):
            raise Unfit("not_in_file", pointer)


def _member(piece: Piece) -> Section:
    try:
        section = Section(piece.name)
    except ValueError:
        raise Unfit("unknown_member") from None
    if section.listed == (piece.number is None):
        raise Unfit("list_expected" if section.listed else "object_expected")
    return section


def _section(told: Any) -> Section:
    section = _BY_RECORD.get(text(told, 40))
    if section is None:
        raise Unfit("unknown_type")
    return section


def _loads(piece: bytes, where: str) -> Any:
    try:
        return strict_json.loads(piece)
    except BadRequest as error:
        raise BadRequest(error.code, f"{where}: {error.detail}") from None


@contextmanager
def _placed(place: str) -> Iterator[None]:
    """What does not fit is told with its place."""
    try:
        yield
    except Unfit as unfit:
        detail = f"The file is not what an export writes, at {place}: {unfit.kind}. Nothing was imported."
        raise Invalid("unfit_file", detail, ((f"{place}{unfit.pointer}", unfit.kind),)) from None


_MAY_BE_NONE = frozenset({"observation_days", "half_life_days", "hard_delete_days"})


def _check_settings(told: Any) -> None:
    """They must be such as the organisation could choose."""
    if nothing := next(_nulls(told), None):
        raise Unfit("unfit_settings", nothing)
    tiers = told.get("tiers")
    chosen = {name: rule for name, rule in tiers.items() if name != Tier.IDENTITY} if isinstance(tiers, dict) else tiers
    try:
        SettingsIn.model_validate({**told, "tiers": chosen})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise Unfit("unfit_settings", "".join(f"/{part}" for part in first["loc"][:1])) from None


def _nulls(told: Any, at: str = "") -> Iterator[str]:
    """Where nothing is told of what is never nothing: in a change null leaves things as they are, in a file it would be
    what is kept.
    """
    for name, value in told.items() if isinstance(told, dict) else ():
        if value is None and name not in _MAY_BE_NONE:
            yield f"{at}/{name}"
        yield from _nulls(value, f"{at}/{name}")


def _too_large() -> BodyTooLarge:
    detail = f"A JSON document may be {MAX_JSON} bytes; send {LINES}, which may be of any size."
    return BodyTooLarge("body_too_large", detail)
