"""An organisation's settings, as its row keeps them."""

from collections.abc import Mapping
from typing import Any

from app.domain.budget import BudgetLimits
from app.domain.decay import Policy, Tier
from app.domain.lifecycle import Retention
from app.domain.observations import FactCategory
from app.domain.organisations import ExtractorChoice, Language, OrgSettings, ShareMessages
from app.domain.tiers import TierRule, Tiers


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
