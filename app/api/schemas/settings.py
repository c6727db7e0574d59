"""The organisation's settings in and out."""

from typing import Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body
from app.api.schemas.domains import Days, Domains, Tools
from app.api.schemas.names import PolicyName, Shared, Spoken, TimeZone
from app.domain.decay import Policy
from app.domain.organisations import Language, ShareMessages

EXAMPLE: dict[str, Any] = {
    "enabled": True,
    "language": "fr",
    "time_zone": "Europe/Paris",
    "share_messages": "person",
    "domains": {"shipping": ["livraison", "colis", "delivery"], "returns": ["retour", "refund"]},
    "meta_tools": ["search_tools"],
    "observation_days": None,
    "behaviour_policy": "exponential",
}


class SettingsIn(Body):
    """What is to change; what is left out, or null, stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"share_messages": "store"}]})

    enabled: bool | None = Field(default=None, description="false: nothing is stored, and every block is empty.")
    language: Spoken | None = Field(default=None, description="In which memory blocks are written.")
    time_zone: TimeZone | None = None
    share_messages: Shared | None = Field(
        default=None,
        description="Who is served an operator's past messages: that person, or the operators of the same store.",
    )
    domains: Domains | None = None
    meta_tools: Tools | None = None
    observation_days: Days | None = None
    behaviour_policy: PolicyName | None = Field(
        default=None,
        description="How what observations show fades: all alike, or the slower the better it went. It holds for a "
        "fact from its next reinforcement on.",
    )


class SettingsOut(Answer):
    """All settings."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    enabled: bool
    language: Language
    time_zone: str
    share_messages: ShareMessages
    domains: dict[str, tuple[str, ...]]
    meta_tools: tuple[str, ...]
    observation_days: int | None = Field(description="null: as long as the deployment keeps them.")
    behaviour_policy: Policy
