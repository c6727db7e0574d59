"""ETags: a thing's version, by which a change can say what it was made for."""

import re
from typing import Annotated, Final

from fastapi import Depends, Header

from app.domain.versions import ANY, Expected

_VERSION: Final = re.compile(r'"([0-9]{1,18})"', re.ASCII)


def etag(version: int) -> str:
    """The strong ETag of a version."""
    return f'"{version}"'


async def expected(
    if_match: Annotated[
        str | None, Header(alias="If-Match", description="An ETag, several, or `*`. When it moved since: 412.")
    ] = None,
) -> Expected:
    """The versions that If-Match names. Weak ETags and what is none name no version, so that nothing matches them."""
    if if_match is None or if_match.strip() == "*":
        return ANY
    tags = [_VERSION.fullmatch(tag.strip()) for tag in if_match.split(",")]
    return Expected(frozenset(int(tag[1]) for tag in tags if tag))


IfMatch = Annotated[Expected, Depends(expected)]
"""The versions that the caller's change is meant for; a service holds the row to them."""
