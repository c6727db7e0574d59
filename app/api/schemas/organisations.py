"""Organisations in and out."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import ConfigDict

from app.api.schemas.common import Answer, Body
from app.api.schemas.names import Name, Spoken, TimeZone
from app.domain.organisations import Language, Organisation

EXAMPLE: dict[str, Any] = {"name": "Maison Lune", "language": "fr", "time_zone": "Europe/Paris"}


class OrganisationIn(Body):
    """What is left out of `language` and `time_zone` stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    language: Spoken | None = None
    time_zone: TimeZone | None = None


class OrganisationOut(Answer):
    """A tenant."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"org_id": "maison-lune", **EXAMPLE, "created_at": "2026-03-02T09:00:00Z"}]}
    )

    org_id: str
    name: str
    language: Language
    time_zone: str
    created_at: datetime


def organisation_out(organisation: Organisation) -> OrganisationOut:
    """With what every reader of an organisation wants of its settings."""
    return OrganisationOut.of({**asdict(organisation), **asdict(organisation.settings)})
