"""Why one item of several was refused."""

from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError

from app.api.errors import refusal_of
from app.api.schemas.common import Answer
from app.domain.errors import RetenirError


class Refusal(Answer):
    """Why an item was refused, as a problem would say it."""

    status: int
    code: str
    detail: str
    errors: list[dict[str, str]] = Field(default_factory=list)

    @classmethod
    def for_error(cls, error: RetenirError | ValidationError) -> "Refusal":
        """What the error says to the caller; places are those within the item."""
        told: Exception = error
        if isinstance(error, ValidationError):
            told = RequestValidationError([{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()])
        refusal = refusal_of(told)
        errors = [dict(fault) for fault in refusal.faults]
        return cls(status=refusal.status, code=refusal.code, detail=refusal.detail, errors=errors)
