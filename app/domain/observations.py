"""Observations: what happened in a session, appended and never changed, and what each of them says of the person."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TypeGuard
from uuid import UUID

from app.domain.notes import summary
from app.domain.sources import MessageRef
from app.domain.values import JsonValue
from app.domain.wording import plain

MAX_NAME = 255
"""Characters of a tool's, an entity's or a domain's name."""
FAILURE_WINDOW = timedelta(days=30)
FAILURE_SESSIONS = 3
"""So many distinct sessions within `FAILURE_WINDOW` in which a tool failed alike are a failure pattern."""
DEFAULT_META_TOOLS = (
    *("search_tools", "list_tools", "find_tools", "load_tool", "load_tools", "describe_tool", "search_catalog"),
    *("think", "plan", "todo_write", "ask_user", "handoff", "delegate", "final_answer", "search_memory", "save_memory"),
)
"""Tools about tools, talk or memory: that they were run says nothing of what a person works with."""
_DAY = "day "


class ObservationType(StrEnum):
    """What kind of thing happened. The names are a promise to callers."""

    TOOL_SUCCESS = "tool_success"
    TOOL_FAILURE = "tool_failure"
    ENTITY_ACCESS = "entity_access"
    QUERY_PATTERN = "query_pattern"
    NOTE = "note"


class FactCategory(StrEnum):
    """What facts observations are consolidated into."""

    TOOL_AFFINITY = "tool_affinity"
    TOOL_AVOIDANCE = "tool_avoidance"
    ENTITY_FREQUENCY = "entity_frequency"
    DOMAIN_PREFERENCE = "domain_preference"
    FAILURE_PATTERN = "failure_pattern"


class ErrorFamily(StrEnum):
    """Why a tool failed, as far as its error tells."""

    TIMEOUT = "timeout"
    AUTH = "auth"
    NOT_FOUND = "not_found"
    RATE_LIMIT = "rate_limit"
    INVALID_INPUT = "invalid_input"
    UNAVAILABLE = "unavailable"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that happened. `session` is the caller's id of the session, or the person's own day: see `day_session`.

    `message` is the user's message that a query pattern was found in. `consolidated_at` is None until a consolidation
    has taken it; a note, which is a fact of its own from the start, is never taken.
    """

    id: UUID
    type: ObservationType
    user_id: str
    agent_id: str
    session: str
    occurred_at: datetime
    recorded_at: datetime
    store_id: str | None = None
    content: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    message: MessageRef | None = None
    consolidated_at: datetime | None = None

    @property
    def session_id(self) -> str | None:
        """The caller's id of the session; None where it named none."""
        return None if self.session.startswith(_DAY) else self.session

    @property
    def summary(self) -> str | None:
        """Of a note: what it says in one line."""
        return summary(self.content or "") if self.type is ObservationType.NOTE else None

    @property
    def quality(self) -> float:
        """How well it went, in [0, 1]: `metadata.quality`, else 1."""
        given = self.metadata.get("quality")
        return float(given) if _is_share(given) else 1.0

    @property
    def error_family(self) -> ErrorFamily | None:
        """Of a tool's failure."""
        failed = self.type is ObservationType.TOOL_FAILURE
        return error_family(self.metadata.get("error")) if failed else None


@dataclass(frozen=True, slots=True)
class Failures:
    """That a tool failed in one way in one session of one pocket, and when it last did."""

    agent_id: str
    tool_name: str
    family: ErrorFamily
    session: str
    last_at: datetime


def day_session(day: date) -> str:
    """The session of what names none: the person's day. A caller's id holds no space, so the two never meet."""
    return f"{_DAY}{day.isoformat()}"


def session_of(observation: Observation) -> str:
    """What counts as one session, in which a fact is reinforced once at most."""
    return observation.session


def fact_key(observation: Observation) -> tuple[FactCategory, str] | None:
    """The behavioural fact that the observation supports, as category and key; None for a note."""
    told = observation.metadata
    match observation.type:
        case ObservationType.TOOL_SUCCESS:
            return FactCategory.TOOL_AFFINITY, f"tool_affinity:{told['toolName']}"
        case ObservationType.TOOL_FAILURE:
            return FactCategory.TOOL_AVOIDANCE, f"tool_avoidance:{told['toolName']}"
        case ObservationType.ENTITY_ACCESS:
            return FactCategory.ENTITY_FREQUENCY, f"entity_frequency:{told['entityType']}:{told['entityId']}"
        case ObservationType.QUERY_PATTERN:
            return FactCategory.DOMAIN_PREFERENCE, f"domain_preference:{told['domain']}"
        case ObservationType.NOTE:
            return None


def failure_pattern_key(tool_name: str, family: ErrorFamily) -> str:
    """The key of the fact that a tool keeps failing in this way."""
    return f"failure_pattern:{tool_name}:{family}"


_NAMES = {
    ObservationType.TOOL_SUCCESS: ("toolName",),
    ObservationType.TOOL_FAILURE: ("toolName",),
    ObservationType.ENTITY_ACCESS: ("entityType", "entityId"),
    ObservationType.QUERY_PATTERN: ("domain",),
    ObservationType.NOTE: (),
}


def faults(kind: ObservationType, content: str | None, metadata: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """What keeps this from being an observation of that type: (JSON pointer, kind of fault). Empty where it is one."""
    if kind is ObservationType.NOTE and not (content and content.strip()):
        yield "/content", "missing"
    for name in _NAMES[kind]:
        given = metadata.get(name)
        if given is None:
            yield f"/metadata/{name}", "missing"
        elif not isinstance(given, str) or not given.strip():
            yield f"/metadata/{name}", "name_expected"
        elif len(given) > MAX_NAME:
            yield f"/metadata/{name}", "name_too_long"
    if metadata.get("quality") is not None and not _is_share(metadata["quality"]):
        yield "/metadata/quality", "out_of_range"
    if metadata.get("durationMs") is not None and not _is_amount(metadata["durationMs"]):
        yield "/metadata/durationMs", "out_of_range"


def error_family(error: JsonValue) -> ErrorFamily:
    """What sort of failure an error tells of, by its words, in French or English, and its status codes."""
    text = plain(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))
    return next((family for family, told in _FAMILIES.items() if told.search(text)), ErrorFamily.OTHER)


def _telling(*words: str) -> re.Pattern[str]:
    return re.compile(r"(?<![^\W_])(?:" + "|".join(words) + r")(?![^\W_])")


# The first that fits: "403 quota exceeded" is a matter of the quota, "invalid API key" of the key.
_FAMILIES = {
    ErrorFamily.RATE_LIMIT: _telling(
        "429", r"rate.?limit\w*", r"too.?many.?(?:requests|calls)", r"throttl\w+", r"quotas?", r"trop de requetes"
    ),
    ErrorFamily.TIMEOUT: _telling(
        "408", "504", r"e?time[sd]?.?out\w*", r"deadline\w*", r"timeout\w*", r"delai\w* depasse\w*", r"took too long"
    ),
    ErrorFamily.AUTH: _telling(
        *(
            "401",
            "403",
            "forbidden",
            r"(?:un)?auth(?:enticat\w+|ori[sz]\w+|.?error|.?failed)?",
            r"permissions?",
            r"credentials?",
        ),
        *(r"access.?denied", r"not.?allowed", r"(?:api|access).?(?:key|token)s?", r"token \w*\s?expired"),
        *(r"acces refuse", r"non autorise\w*", r"interdit\w*"),
    ),
    ErrorFamily.NOT_FOUND: _telling(
        *("404", "410", r"not.?found", r"notfound\w*", r"no such", r"enoent", r"(?:does|do) ?n[o']t exist"),
        *(r"unknown", r"introuvables?", r"n'existe(?:nt)? pas", r"inconnue?s?"),
    ),
    ErrorFamily.UNAVAILABLE: _telling(
        *("502", "503", r"\w*unavailable", r"connection.?(?:refused|reset|closed|error)", r"econn\w+", r"ehostunreach"),
        *(r"enotfound", r"(?:un)reachable", r"bad.?gateway", r"network", r"offline", r"maintenance", r"socket hang up"),
        *(r"indisponibles?", r"injoignables?", r"hors ligne", r"service down", r"overloaded"),
    ),
    ErrorFamily.INVALID_INPUT: _telling(
        *("400", "422", r"(?:in)?valid\w*", r"bad.?request", r"malformed", r"missing", r"required", r"unexpected"),
        *(r"pars(?:e|ing)\w*", r"schema\w*", r"\w*type.?error", r"manquante?s?", r"obligatoires?", r"incorrecte?s?"),
    ),
}


def _is_amount(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_share(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
