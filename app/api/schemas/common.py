"""Types that every schema shares. What they refuse is a 422 that names the field and never shows its value."""

import re
from datetime import UTC, datetime, timezone
from typing import Annotated, Any, Final, Self
from uuid import UUID

from fastapi import Header
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

_ISO: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII)
_MOST_FAULTS: Final = 1000
_YEARS: Final = range(1000, 9000)  # adding or taking away any span we compute with stays within datetime's own range


class Body(BaseModel):
    """Base of all that comes in. Nothing is converted ("1" is no number, true is not 1), no unknown field passes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    @model_validator(mode="wrap")
    @classmethod
    def _few_faults(cls, value: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        """A body of 400 KB can be wrong in 50,000 places; listing them would take 60 MB, to show 20."""
        try:
            return validate(value)
        except ValidationError as error:
            if error.error_count() > _MOST_FAULTS:
                raise PydanticCustomError("too_many_faults", "Wrong in more places than are listed") from None
            raise


class Answer(BaseModel):
    """Base of all that goes out. Where it shows one domain value, its fields are the value's, of the same names."""

    model_config = ConfigDict(from_attributes=True, frozen=True)

    @classmethod
    def of(cls, value: Any) -> Self:
        """The value as callers see it."""
        return cls.model_validate(value)


def _no_dot_segment(text: str) -> str:
    if text in (".", ".."):
        raise PydanticCustomError("dot_segment", "An id may not be a dot segment")
    return text


def _iso_text(value: Any) -> Any:
    """Pydantic alone would take 1700000000 and "1700000000" for times as well."""
    if not isinstance(value, str) or not _ISO.match(value):
        raise PydanticCustomError("time_format", "A time is ISO 8601 text with date, T and time")
    return value


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise PydanticCustomError("time_without_zone", "A time needs a zone")
    if moment.year not in _YEARS:
        raise PydanticCustomError("time_out_of_range", "A time lies between the years 1000 and 9000")
    return moment


def _in_utc(moment: datetime) -> datetime:
    return _aware(moment).astimezone(UTC)


def _in_its_offset(value: Any, parse: ValidatorFunctionWrapHandler) -> Any:
    """`Z` says nothing of where the sender is, `+00:00` does: only the former is left as UTC itself."""
    moment: datetime = _aware(parse(_iso_text(value)))
    offset = moment.utcoffset()
    if offset is None or str(value)[-1] in "Zz":
        return moment.astimezone(UTC)
    return moment.replace(tzinfo=timezone(offset, "sender"))


CallerId = Annotated[
    str,
    StringConstraints(strict=True, min_length=1, max_length=255, pattern=r"^[!-~]+$"),
    AfterValidator(_no_dot_segment),
    Field(description="An id of the caller's choosing: 1 to 255 printable ASCII characters without a space."),
]
"""Organisations, stores, people, conversations, messages and agents are named by the caller."""

Instant = Annotated[
    datetime,
    Field(strict=False, description="ISO 8601 with a zone; kept and answered in UTC."),
    BeforeValidator(_iso_text),
    AfterValidator(_in_utc),
]
"""An aware datetime in UTC."""

SentAt = Annotated[
    datetime,
    Field(strict=False, description="ISO 8601 with a zone. The offset is the sender's own; `Z` names none."),
    WrapValidator(_in_its_offset),
]
"""An aware datetime; `tzinfo is UTC` where it was given as `Z`, else the sender's offset."""

UserHeader = Annotated[
    CallerId | None, Header(alias="X-User-Id", description="The person an API key acts for. Not with a token.")
]
OrgHeader = Annotated[
    CallerId | None, Header(alias="X-Org-Id", description="The organisation, where a token does not name it.")
]

AgentId = Annotated[CallerId, Field(description="An agent: `atlas`, the shared pocket, or a specialist's name.")]

RowId = Annotated[UUID, Field(strict=False, description="An id that the service made.")]
"""In a path, what is no UUID is 404, as is a UUID of nothing; in a body it is 422."""


def bytes_at_most(limit: int) -> AfterValidator:
    """A text of at most `limit` bytes in UTF-8."""

    def check(text: str) -> str:
        if len(text.encode()) > limit:
            raise PydanticCustomError("text_too_large", "This text is too large")
        return text

    return AfterValidator(check)
