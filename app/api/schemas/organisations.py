"""Organisations in and out."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body
from app.api.schemas.names import Name, Spoken, TimeZone
from app.domain.organisations import Language, Organisation
from app.domain.usage import Quotas

EXAMPLE: dict[str, Any] = {
    "name": "Maison Lune",
    "language": "fr",
    "time_zone": "Europe/Paris",
    "quotas": {"turns_per_day": 5000, "model_tokens_per_day": 2_000_000},
}
Most = Annotated[int, Field(ge=1, le=10**15)]


class QuotasIn(Body):
    """What the organisation may use in a day of UTC; over it turns wait for the next day, and none is lost.

    What is left out, or null, has no limit.
    """

    turns_per_day: Most | None = None
    model_tokens_per_day: Most | None = None


class QuotasOut(Answer):
    """What the organisation may use in a day of UTC; null: as much as it likes."""

    turns_per_day: int | None
    model_tokens_per_day: int | None


class OrganisationIn(Body):
    """What is left out of `language`, `time_zone` and `quotas` stays as it is; quotas that are given replace all."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    language: Spoken | None = None
    time_zone: TimeZone | None = None
    quotas: QuotasIn | None = None

    def wanted_quotas(self) -> Quotas | None:
        """None where they stay as they are."""
        return None if self.quotas is None else Quotas(**self.quotas.model_dump())


class OrganisationOut(Answer):
    """A tenant."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"org_id": "maison-lune", **EXAMPLE, "created_at": "2026-03-02T09:00:00Z"}]}
    )

    org_id: str
    name: str
    language: Language
    time_zone: str
    quotas: QuotasOut
    created_at: datetime


def organisation_out(organisation: Organisation) -> OrganisationOut:
    """With what every reader of an organisation wants of its settings."""
    return OrganisationOut.of({**asdict(organisation), **asdict(organisation.settings)})
