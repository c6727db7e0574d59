"""Types that the schemas of an organisation and its parts share."""

from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.domain.decay import Policy
from app.domain.organisations import ExtractorChoice, Language, ShareMessages
from app.domain.tenancy import Role


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"Factory", "localtime"}  # whatever the machine is set to


def _known_time_zone(name: str) -> str:
    if name not in _time_zones():
        raise PydanticCustomError("unknown_time_zone", "A time zone is a name of the IANA database")
    return name


Name = Annotated[
    str,
    StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=255),
    Field(description="A name for people, 1 to 255 characters."),
]

TimeZone = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(_known_time_zone),
    Field(description="A name of the IANA database, such as Europe/Paris."),
]

# JSON has no enums: a strict body takes their values as text.
Spoken = Annotated[Language, Field(strict=False)]
Shared = Annotated[ShareMessages, Field(strict=False)]
PolicyName = Annotated[Policy, Field(strict=False)]
Reader = Annotated[ExtractorChoice, Field(strict=False)]
AnyRole = Annotated[Role, Field(strict=False)]
