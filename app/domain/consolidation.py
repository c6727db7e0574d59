"""Consolidation: from a person's observations to the sources of behavioural facts, one for each key and session."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.behaviour import CONFIDENCE, Observed
from app.domain.decay import Policy
from app.domain.identifiers import uuid7
from app.domain.observations import (
    FAILURE_SESSIONS,
    ErrorFamily,
    FactCategory,
    Failures,
    Observation,
    fact_key,
    failure_pattern_key,
    session_of,
)
from app.domain.organisations import Language
from app.domain.sources import Origin, Relation, Source, Traits, Trust, extended
from app.domain.subjects import KeyRef, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.domain.values import JsonValue, normalise

_SENTENCES = {
    Language.FRENCH: {
        FactCategory.TOOL_AFFINITY: "L'outil {tool} lui réussit",
        FactCategory.TOOL_AVOIDANCE: "L'outil {tool} échoue souvent",
        FactCategory.ENTITY_FREQUENCY: "{type} {name}",
        FactCategory.DOMAIN_PREFERENCE: "Demande souvent : {domain}",
        FactCategory.FAILURE_PATTERN: "L'outil {tool} échoue de façon répétée : {error}",
    },
    Language.ENGLISH: {
        FactCategory.TOOL_AFFINITY: "The tool {tool} works well",
        FactCategory.TOOL_AVOIDANCE: "The tool {tool} tends to fail",
        FactCategory.ENTITY_FREQUENCY: "{type} {name}",
        FactCategory.DOMAIN_PREFERENCE: "Often asks about: {domain}",
        FactCategory.FAILURE_PATTERN: "The tool {tool} keeps failing: {error}",
    },
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """When a person was last consolidated. For information: what was taken is marked on each observation itself.

    `latest_at` is the time of the latest observation taken so far, `session_id` what the caller named.
    """

    consolidated_at: datetime
    latest_at: datetime | None = None
    session_id: str | None = None


@dataclass(slots=True)
class Sightings:
    """What observations show of one person, as sources by the key that each stands for.

    `recorded_at` is now; `trust` the person's standing; kinds that `policies` does not name fade by `policy`. What is
    shown of a key in one session is one source.
    """

    user_id: str
    policy: Policy
    language: Language
    trust: Trust
    recorded_at: datetime
    policies: Mapping[FactCategory, Policy] = field(default_factory=dict)
    sources: dict[KeyRef, dict[str, Source]] = field(default_factory=dict)

    def see(self, observations: Iterable[Observation]) -> None:
        """Take in each observation that shows something; in any order, and any number of times."""
        for observation in observations:
            named = fact_key(observation)
            if named is not None:
                category, key = named
                told, session = _told(category, observation.metadata), session_of(observation)
                observed = Observed(session, observation.quality, self._policy(category), (observation.id,))
                self._add(observation.agent_id, key, category, told, observation.occurred_at, observed)

    def see_failures(self, failures: Iterable[Failures]) -> None:
        """Take in the tools that failed alike in enough sessions, of which these are all that count."""
        alike: dict[tuple[str, str, ErrorFamily], list[Failures]] = {}
        for failure in failures:
            alike.setdefault((failure.agent_id, failure.tool_name, failure.family), []).append(failure)
        for (agent_id, tool, family), sessions in alike.items():
            if len({failure.session for failure in sessions}) >= FAILURE_SESSIONS:
                key, told = failure_pattern_key(tool, family), {"tool": tool, "error": str(family)}
                for failure in sessions:
                    observed = Observed(failure.session, 1.0, self._policy(FactCategory.FAILURE_PATTERN))
                    self._add(agent_id, key, FactCategory.FAILURE_PATTERN, told, failure.last_at, observed)

    def _policy(self, category: FactCategory) -> Policy:
        return self.policies.get(category, self.policy)

    def _add(
        self,
        agent_id: str,
        key: str,
        category: FactCategory,
        told: Mapping[str, str],
        at: datetime,
        observed: Observed,
    ) -> None:
        value: JsonValue = {name: text for name, text in told.items() if name != "name"}
        source = Source(
            id=uuid7(),
            at=at,
            recorded_at=self.recorded_at,
            origin=Origin.OBSERVATION,
            relation=Relation.STATEMENT,
            author=Actor(ActorType.PERSON, self.user_id),
            trust=self.trust,
            value=value,
            normal=normalise(value),
            content=_SENTENCES[self.language][category].format(**told),
            language=self.language,
            valid_from=at,
            traits=Traits(category=category, confidence=CONFIDENCE),
            observed=observed,
        )
        sessions = self.sources.setdefault(KeyRef(UserSubject(self.user_id), agent_id, key), {})
        known = sessions.get(observed.session)
        sessions[observed.session] = extended(known, source) if known else source


def _told(category: FactCategory, metadata: Mapping[str, JsonValue]) -> dict[str, str]:
    """What the fact is about; `name` is how an entity is shown, and no part of its value."""
    match category:
        case FactCategory.ENTITY_FREQUENCY:
            entity = str(metadata["entityId"])
            named = metadata.get("entityName")
            shown = f"{named} ({entity})" if isinstance(named, str) and named.strip() else entity
            return {"type": str(metadata["entityType"]), "id": entity, "name": shown}
        case FactCategory.DOMAIN_PREFERENCE:
            return {"domain": str(metadata["domain"])}
        case _:
            return {"tool": str(metadata["toolName"])}
