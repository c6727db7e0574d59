"""Facts, as callers write and ask for them."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from app.api.cursors import PageQuery
from app.api.schemas.common import AgentId, Body, CallerId, Instant, RowId, bytes_at_most
from app.api.schemas.past import AsOf, KnownAt
from app.domain.decay import Tier
from app.domain.past import Moment
from app.domain.sources import Audience
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS
from app.ports.facts import FactFilter

KEY_PATTERN = r"^[a-z0-9_.]{1,80}$"
VALUE_BYTES = 4096
CONTENT_BYTES = 4096
EXAMPLE: dict[str, Any] = {
    "key": "shipping.free_threshold",
    "value": "80 €",
    "content": "Livraison offerte dès 80 €.",
}


def _value(value: JsonValue) -> JsonValue:
    if value is None:
        raise PydanticCustomError("value_missing", "A fact has a value")
    if len(json.dumps(value, ensure_ascii=False).encode()) > VALUE_BYTES:
        raise PydanticCustomError("value_too_large", "A value has at most 4 KB")
    return value


Key = Annotated[str, StringConstraints(pattern=KEY_PATTERN), Field(description="Dotted lower case: `shipping.delay`.")]
Value = Annotated[JsonValue, AfterValidator(_value), Field(description="Any JSON but null, at most 4 KB.")]
Content = Annotated[str, StringConstraints(min_length=1), bytes_at_most(CONTENT_BYTES)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Tags = Annotated[list[Tag], Field(max_length=8)]
Category = Annotated[str, StringConstraints(min_length=1, max_length=40)]
HalfLife = Annotated[float, Field(gt=0, le=36_500, description="Days; overrides the tier's own.")]
Confidence = Annotated[float, Field(gt=0, le=1)]
TierName = Annotated[Tier, Field(strict=False)]
AudienceName = Annotated[Audience, Field(strict=False, description="`everyone` is also served to customers.")]


class FactTraits(Body):
    """What may be changed in place; what is not given stays, or takes its default."""

    category: Category | None = None
    tags: Tags | None = None
    tier: TierName | None = None
    half_life_days: HalfLife | None = None
    confidence: Confidence | None = None
    many: bool | None = Field(default=None, description="Whether the key holds several values at once.")
    audience: AudienceName | None = None

    def traits(self) -> dict[str, Any]:
        """The given ones, by field name."""
        given = self.model_dump(include=set(FactTraits.model_fields), exclude_none=True)
        return {name: value.value if isinstance(value, Tier | Audience) else value for name, value in given.items()}


class FactIn(FactTraits):
    """A fact written by hand."""

    model_config = ConfigDict(json_schema_extra={"example": EXAMPLE})

    key: Key
    value: Value
    content: Content | None = Field(default=None, description="The sentence shown; the value itself where left out.")
    agent_id: AgentId = ATLAS
    valid_from: Instant | None = None

    def sentence(self) -> str:
        """The content, or the value as text."""
        return self.content or as_text(self.value)


class StoreFactIn(FactIn):
    """A fact about a store, written by hand."""

    model_config = ConfigDict(json_schema_extra={"example": {**EXAMPLE, "store_id": "shop1"}})

    store_id: CallerId


class UserFactIn(FactIn):
    """A fact about a person, written by hand."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"key": "prefers.address", "value": "vouvoiement", "user_id": "alice"}}
    )

    user_id: CallerId | None = Field(default=None, description="The person it is about; else the one who asks.")


class FactPatch(FactTraits):
    """A new value or content makes a successor; the rest changes in place."""

    model_config = ConfigDict(json_schema_extra={"example": {"value": "90 €"}})

    value: Value | None = None
    content: Content | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "FactPatch":
        if not self.model_fields_set:
            raise PydanticCustomError("nothing_to_change", "Nothing is to be changed")
        return self

    def stated(self) -> dict[str, Any]:
        """The new value and content, as far as given."""
        return self.model_dump(include={"value", "content"}, exclude_none=True)


class MergeIn(Body):
    """The fact that is to count for this one too."""

    model_config = ConfigDict(json_schema_extra={"example": {"into": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a002"}})

    into: RowId


class FactQuery(PageQuery):
    """Filters of a list. Without `archived` only what is believed is listed; as of another time all mean that time."""

    category: str | None = None
    agent: AgentId | None = None
    tag: str | None = None
    key_prefix: Annotated[str, StringConstraints(max_length=80)] | None = None
    min_score: float | None = Field(default=None, ge=0, le=1)
    archived: bool = False
    pinned: bool | None = None
    contradicted: bool | None = None
    audience: Audience | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=400)] | None = None
    as_of: AsOf = None
    known_at: KnownAt = None

    @property
    def moment(self) -> Moment:
        """When the facts are read."""
        return Moment(self.as_of, self.known_at)

    def wanted(self, kind: Scope, now: datetime) -> FactFilter:
        """The filter, which says nothing of whom the facts are about."""
        return FactFilter(
            scope=kind,
            now=now,
            category=self.category,
            agent_id=self.agent,
            tag=self.tag,
            key_prefix=self.key_prefix,
            min_score=self.min_score,
            archived=self.archived,
            pinned=self.pinned,
            contradicted=self.contradicted,
            audience=self.audience,
            text=self.text,
        )


class StoreFactQuery(FactQuery):
    store_id: CallerId | None = None


class UserFactQuery(FactQuery):
    user_id: CallerId | None = None


OrgQuery = Annotated[FactQuery, Query()]
StoreQuery = Annotated[StoreFactQuery, Query()]
UserQuery = Annotated[UserFactQuery, Query()]


def as_text(value: JsonValue) -> str:
    """A value as a sentence shows it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
