"""The organisation and what belongs to it: its settings, stores, people, channel links and keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from app.domain.budget import BudgetLimits
from app.domain.decay import Policy, Tier
from app.domain.lifecycle import Retention
from app.domain.observations import DEFAULT_META_TOOLS, FactCategory
from app.domain.query_patterns import DEFAULT_DOMAINS, WordLists
from app.domain.tenancy import Role
from app.domain.tiers import TIERS, TierRule, Tiers, retuned
from app.domain.usage import Quotas


class Language(StrEnum):
    """Languages in which a memory block is written."""

    FRENCH = "fr"
    ENGLISH = "en"


class ShareMessages(StrEnum):
    """Who is served an operator's past messages: that person alone, or the operators of the same store."""

    PERSON = "person"
    STORE = "store"


class ExtractorChoice(StrEnum):
    """What reads turns: what the deployment has, or nothing."""

    DEFAULT = "default"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class OrgSettings:
    """What an organisation may choose. `time_zone` is an IANA name, used where nothing nearer names one.

    `language` is that of blocks and one of `languages`, in which turns are read. `domains` are the word lists of query
    patterns; of the runs of `meta_tools` no observation is kept. `observation_days` shortens how long observations
    live, None leaves it to the deployment. `behaviour_policy` is how what they show fades, but for the kinds that
    `policies` names; it holds for a fact from its next reinforcement on. `holdout_share`, in [0, 1], is how much of the
    conversations goes without a block.
    """

    enabled: bool = True
    language: Language = Language.FRENCH
    time_zone: str = "Europe/Paris"
    share_messages: ShareMessages = ShareMessages.PERSON
    domains: WordLists = field(default_factory=lambda: DEFAULT_DOMAINS)
    meta_tools: tuple[str, ...] = DEFAULT_META_TOOLS
    observation_days: int | None = None
    behaviour_policy: Policy = Policy.EXPONENTIAL
    languages: tuple[Language, ...] = tuple(Language)
    policies: Mapping[FactCategory, Policy] = field(default_factory=dict)
    tiers: Tiers = field(default_factory=lambda: TIERS)
    budgets: BudgetLimits = field(default_factory=BudgetLimits)
    retention: Retention = field(default_factory=Retention)
    extractor: ExtractorChoice = ExtractorChoice.DEFAULT
    holdout_share: float = 0.0

    def changed(self, changes: Mapping[str, Any]) -> "OrgSettings":
        """These with the named ones changed; of tiers, budgets and retention only the numbers that are named."""
        merged = dict(changes)
        if "tiers" in changes:
            merged["tiers"] = retuned(self.tiers, changes["tiers"])
        if "budgets" in changes:
            merged["budgets"] = replace(self.budgets, **changes["budgets"])
        if "retention" in changes:
            merged["retention"] = replace(self.retention, **changes["retention"])
        return replace(self, **merged)


@dataclass(frozen=True, slots=True)
class Organisation:
    """A tenant. `version` counts the changes of its settings; `quotas` are the platform's to set."""

    org_id: str
    name: str
    created_at: datetime
    settings: OrgSettings = field(default_factory=OrgSettings)
    version: int = 1
    quotas: Quotas = field(default_factory=Quotas)


@dataclass(frozen=True, slots=True)
class Store:
    """A shop of the organisation."""

    store_id: str
    name: str
    created_at: datetime
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the organisation: an operator with a role, or a contact without. `remember` is the person's wish."""

    user_id: str
    created_at: datetime
    role: Role | None = None
    display_name: str | None = None
    remember: bool = True
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class ChannelLink:
    """An address on a channel (a WhatsApp number) as an alias of a person and, where known, a store."""

    channel: str
    address: str
    user_id: str
    created_at: datetime
    store_id: str | None = None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as the organisation sees it afterwards; the key itself is shown once and stored hashed."""

    id: UUID
    name: str
    role: Role
    act_for_people: bool
    created_at: datetime
    created_by: str
    store_ids: tuple[str, ...] | None = None
    agent_ids: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


def settings_of(kept: Mapping[str, Any]) -> OrgSettings:
    """The settings as kept; one that is younger than the row has its default."""
    usual = OrgSettings()
    domains = kept.get("domains", usual.domains)
    policies = kept.get("policies", usual.policies)
    return OrgSettings(
        enabled=kept["enabled"],
        language=Language(kept["language"]),
        languages=tuple(map(Language, kept.get("languages", usual.languages))),
        time_zone=kept["time_zone"],
        share_messages=ShareMessages(kept["share_messages"]),
        domains={domain: tuple(words) for domain, words in domains.items()},
        meta_tools=tuple(kept.get("meta_tools", usual.meta_tools)),
        observation_days=kept.get("observation_days"),
        behaviour_policy=Policy(kept.get("behaviour_policy", usual.behaviour_policy)),
        policies={FactCategory(kind): Policy(policy) for kind, policy in policies.items()},
        tiers=_tiers(kept["tiers"]) if "tiers" in kept else usual.tiers,
        budgets=BudgetLimits(**kept["budgets"]) if "budgets" in kept else usual.budgets,
        retention=Retention(**kept["retention"]) if "retention" in kept else usual.retention,
        extractor=ExtractorChoice(kept.get("extractor", usual.extractor)),
        holdout_share=kept.get("holdout_share", usual.holdout_share),
    )


def _tiers(kept: Mapping[str, Mapping[str, Any]]) -> Tiers:
    return {Tier(tier): TierRule(**rule) for tier, rule in kept.items()}
