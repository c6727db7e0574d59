"""The organisation's settings in and out."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body
from app.api.schemas.domains import Days, Domains, Tools
from app.api.schemas.names import PolicyName, Reader, Shared, Spoken, TimeZone
from app.api.schemas.numbers import BudgetsIn, BudgetsOut, RetentionIn, RetentionOut, TierOut, TiersIn
from app.domain.decay import Policy, Tier
from app.domain.observations import FactCategory
from app.domain.organisations import ExtractorChoice, Language, ShareMessages

EXAMPLE: dict[str, Any] = {
    "enabled": True,
    "language": "fr",
    "languages": ["fr", "en"],
    "time_zone": "Europe/Paris",
    "share_messages": "person",
    "domains": {"shipping": ["livraison", "colis", "delivery"], "returns": ["retour", "refund"]},
    "meta_tools": ["search_tools"],
    "observation_days": None,
    "behaviour_policy": "exponential",
    "policies": {"tool_avoidance": "adaptive"},
    "tiers": {
        "identity": {"half_life_days": None, "archive_below": 0.2, "hard_delete_days": None},
        "stable": {"half_life_days": 365, "archive_below": 0.2, "hard_delete_days": 1825},
        "standard": {"half_life_days": 90, "archive_below": 0.2, "hard_delete_days": 730},
        "watch": {"half_life_days": 60, "archive_below": 0.2, "hard_delete_days": 365},
        "volatile": {"half_life_days": 14, "archive_below": 0.2, "hard_delete_days": 90},
        "session": {"half_life_days": 1, "archive_below": 0.2, "hard_delete_days": 7},
    },
    "budgets": {"core": 400, "working": 600, "behavioural": 300, "archival": 400, "total": 1400},
    "retention": {"message_days": 730, "receipt_days": 30, "job_days": 30},
    "extractor": "default",
    "holdout_share": 0.0,
}

# JSON has no tuples and no enums as keys: a strict body takes them as lists and as text.
Languages = Annotated[
    tuple[Spoken, ...],
    Field(
        strict=False,
        min_length=1,
        max_length=len(Language),
        description="In which turns are read: what is said in another one makes no facts. `language` is one of them.",
    ),
]
Kind = Annotated[FactCategory, Field(strict=False)]
Policies = Annotated[
    dict[Kind, PolicyName],
    Field(
        description="Kinds of behaviour that fade otherwise than `behaviour_policy` says. The whole map is replaced."
    ),
]
Share = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        description="How much of the conversations (outside of any: of the people) is the control arm, whose block is "
        "empty; always the same ones, and more of them when it is raised.",
    ),
]


class SettingsIn(Body):
    """What is to change; what is left out, or null, stays. Of tiers, budgets and retention, single numbers may."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"share_messages": "store", "tiers": {"volatile": {"half_life_days": 7}}}]}
    )

    enabled: bool | None = Field(default=None, description="false: nothing is stored, and every block is empty.")
    language: Spoken | None = Field(default=None, description="In which memory blocks are written.")
    languages: Languages | None = None
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
    policies: Policies | None = None
    tiers: TiersIn | None = Field(
        default=None,
        description="How facts of a tier fade, and when they go. Changed numbers hold for a fact from its next change "
        "on, and for all others once the job is done that the change queues; a half-life of a fact's own goes before "
        "its tier's. What was archived by then stays archived until something is said of it.",
    )
    budgets: BudgetsIn | None = Field(
        default=None,
        description="Tokens of a block; what one tier leaves goes to the next, and where they make more than `total`, "
        "the last is cut first.",
    )
    retention: RetentionIn | None = Field(default=None, description="How long things are kept. It can be shortened.")
    extractor: Reader | None = Field(
        default=None,
        description="`off`: turns are stored and found again, and no facts come of them; query patterns still do.",
    )
    holdout_share: Share | None = None


class SettingsOut(Answer):
    """All settings."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    enabled: bool
    language: Language
    languages: tuple[Language, ...]
    time_zone: str
    share_messages: ShareMessages
    domains: dict[str, tuple[str, ...]]
    meta_tools: tuple[str, ...]
    observation_days: int | None = Field(description="null: as long as the deployment keeps them.")
    behaviour_policy: Policy
    policies: dict[FactCategory, Policy]
    tiers: dict[Tier, TierOut]
    budgets: BudgetsOut
    retention: RetentionOut
    extractor: ExtractorChoice
    holdout_share: float
