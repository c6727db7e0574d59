"""The memory block: asked for, and answered."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.etags import etag
from app.api.schemas.common import AgentId, Answer, Body, CallerId, Instant, bytes_at_most
from app.api.schemas.facts import Tags
from app.api.schemas.past import AsOf, KnownAt
from app.domain.block import BlockTier
from app.domain.experiment import Arm
from app.domain.messages import Speaker
from app.domain.past import Moment
from app.domain.precedence import Wanted
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS
from app.services.context import QuotedMessage, Served, ServedFact, ServedRules
from app.services.recall import ContextIn, Silence

QUERY_BYTES = 4096


class ContextBody(Body):
    """For whom and for which prompt. The person is `user_id`, or whom `channel_address` stands for, or X-User-Id."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"user_id": "alice", "store_id": "shop1", "conversation_id": "c2"}}
    )

    user_id: CallerId | None = None
    channel: CallerId | None = None
    channel_address: CallerId | None = Field(default=None, description="Needs `channel`.")
    store_id: CallerId | None = None
    agent_id: AgentId = ATLAS
    conversation_id: CallerId | None = None
    query: Annotated[str, bytes_at_most(QUERY_BYTES)] | None = Field(default=None, description="The user's turn.")
    tags: Tags = Field(default_factory=list, description="Facts that carry one of these; none: all.")
    scopes: Annotated[list[Annotated[Scope, Field(strict=False)]], Field(min_length=1)] | None = None
    min_score: float = Field(default=0.0, ge=0, le=1)
    since: Instant | None = Field(default=None, description="Nothing is brought up by `query` that was said earlier.")
    as_of: AsOf = None
    known_at: KnownAt = None
    budget_tokens: int | None = Field(
        default=None, ge=0, le=100_000, description="At most the organisation's are used."
    )
    deadline_ms: int = Field(default=250, ge=1, le=10_000)

    @model_validator(mode="after")
    def _one_name(self) -> "ContextBody":
        if self.user_id is not None and self.channel_address is not None:
            raise PydanticCustomError("two_people", "Give user_id or channel_address, not both")
        if self.channel_address is not None and self.channel is None:
            raise PydanticCustomError("channel_missing", "An address needs its channel")
        return self

    def asked(self, linked_store: str | None) -> ContextIn:
        """The question; the store that it names itself comes before the linked one."""
        scopes = frozenset(self.scopes) if self.scopes is not None else None
        return ContextIn(
            agent_id=self.agent_id,
            store_id=self.store_id or linked_store,
            conversation_id=self.conversation_id,
            query=self.query or "",
            since=self.since,
            wanted=Wanted(self.min_score, scopes, frozenset(self.tags)),
            budget_tokens=self.budget_tokens,
            deadline_ms=self.deadline_ms,
            moment=Moment(self.as_of, self.known_at),
        )


class TokensOut(Answer):
    """What each tier costs in the text as sent."""

    core: int
    working: int
    archival: int
    total: int


class ServedOut(Answer):
    """A fact that stands in the block."""

    id: UUID
    scope: Scope
    key: str
    content: str
    score: float
    tier: BlockTier

    @classmethod
    def of(cls, fact: ServedFact) -> "ServedOut":
        """As callers read it."""
        return cls(id=fact.id, scope=fact.scope, key=fact.key, content=fact.content, score=fact.score, tier=fact.tier)


class QuotedOut(Answer):
    """A message that the block quotes: `content` is what is quoted of it, `score` how near it is to the query."""

    id: str
    conversation_id: str
    channel: str
    role: Speaker
    content: str
    sent_at: datetime
    score: float

    @classmethod
    def of(cls, message: QuotedMessage) -> "QuotedOut":
        """As callers read it."""
        return cls(
            id=message.id,
            conversation_id=message.conversation_id,
            channel=message.channel,
            role=message.speaker,
            content=message.content,
            sent_at=message.sent_at,
            score=message.score,
        )


class StandingRules(Answer):
    """The organisation's rules, to the byte as they were written; empty where none are. Their ETag moves with them."""

    markdown: str
    etag: str

    @classmethod
    def of(cls, rules: ServedRules) -> "StandingRules":
        """As callers read them."""
        return cls(markdown=rules.markdown, etag=etag(rules.version))


class ContextOut(Answer):
    """`block` goes after the cached prefix of the prompt, and `rules` into it: they are what the operator tells the
    agent, also where it speaks with a contact, and not for showing. `degraded` names what was not ready in time, and
    `vectors` or `vectors_off` where what is near the user's turn was looked for by its words alone.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "receipt_id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3c001",
                "block": "<memory>\n# Mémoire\n## Boutique\n- shipping.free_threshold: "
                '"Livraison offerte dès 80 €."\n</memory>\n…',
                "tokens": {"core": 62, "working": 0, "archival": 27, "total": 89},
                "facts": [
                    {
                        "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
                        "scope": "store",
                        "key": "shipping.free_threshold",
                        "content": "Livraison offerte dès 80 €.",
                        "score": 0.95,
                        "tier": "core",
                    }
                ],
                "messages": [
                    {
                        "id": "m7",
                        "conversation_id": "c1",
                        "channel": "whatsapp",
                        "role": "user",
                        "content": "Le transporteur passe vers 16 h.",
                        "sent_at": "2026-03-02T10:00:00Z",
                        "score": 0.38,
                    }
                ],
                "tool_affinities": {"get_order": 0.58},
                "rules": {"markdown": "# Règles\n- Vouvoie les clients.\n", "etag": '"2"'},
                "degraded": [],
                "arm": "memory",
                "reason": None,
            }
        }
    )

    receipt_id: UUID
    block: str
    tokens: TokensOut
    facts: list[ServedOut]
    messages: list[QuotedOut]
    tool_affinities: dict[str, float] = Field(description="By tool, in [-1, 1]: twice of it is added to its score.")
    rules: StandingRules | None = Field(description="null where they were not ready in time: `degraded` names them.")
    degraded: list[str]
    arm: Arm | None = Field(
        description="`control`: held out by `holdout_share`, so that the block is empty; the rest is not. null: too "
        "late to be told."
    )
    reason: Silence | None

    @classmethod
    def of(cls, served: Served) -> "ContextOut":
        """As callers read it."""
        context, tokens = served.context, served.context.tokens
        return cls(
            receipt_id=served.receipt_id,
            block=context.block,
            tokens=TokensOut(core=tokens.core, working=tokens.working, archival=tokens.archival, total=tokens.total),
            facts=[ServedOut.of(fact) for fact in context.facts],
            messages=[QuotedOut.of(message) for message in context.messages],
            tool_affinities=dict(context.tool_affinities),
            rules=StandingRules.of(context.rules) if context.rules else None,
            degraded=list(context.degraded),
            arm=context.arm,
            reason=context.reason,
        )
