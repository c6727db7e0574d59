"""Searches: asked for, and answered."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import AgentId, Answer, Body, CallerId, Instant, bytes_at_most
from app.api.schemas.context import QUERY_BYTES
from app.api.schemas.facts import Tags
from app.api.schemas.past import AsOf, KnownAt
from app.domain.hits import HitKind
from app.domain.past import Moment
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS
from app.services.search import Results, SearchIn

EXAMPLE: dict[str, Any] = {
    "kind": "fact",
    "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
    "content": "Livraison offerte dès 80 €.",
    "score": 0.41,
    "superseded": False,
    "sent_at": None,
    "conversation_id": None,
    "why": {"lexical": 0.34, "vector": 0.25, "strength": 0.95},
}


class SearchBody(Body):
    """What is searched for, and for whom: `user_id` or X-User-Id; without a person, what is shared is found."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"query": "livraison offerte", "user_id": "alice", "store_id": "shop1"}}
    )

    query: Annotated[str, bytes_at_most(QUERY_BYTES)]
    user_id: CallerId | None = None
    store_id: CallerId | None = None
    agent_id: AgentId = ATLAS
    limit: int = Field(default=10, ge=1, le=50)
    kinds: Annotated[list[Annotated[HitKind, Field(strict=False)]], Field(min_length=1)] | None = None
    tags: Tags = Field(default_factory=list, description="What carries one of these; none: all. Messages carry none.")
    scopes: Annotated[list[Annotated[Scope, Field(strict=False)]], Field(min_length=1)] | None = Field(
        default=None, description="Messages are of scope `user`."
    )
    min_score: float = Field(default=0.0, ge=0, le=1)
    since: Instant | None = Field(default=None, description="Nothing that was said, or last confirmed, earlier.")
    as_of: AsOf = None
    known_at: KnownAt = None

    def asked(self) -> SearchIn:
        """The question."""
        return SearchIn(
            query=self.query,
            agent_id=self.agent_id,
            store_id=self.store_id,
            limit=self.limit,
            kinds=frozenset(self.kinds or HitKind),
            tags=frozenset(self.tags),
            scopes=frozenset(self.scopes or Scope),
            min_score=self.min_score,
            since=self.since,
            moment=Moment(self.as_of, self.known_at),
        )


class WhyOut(Answer):
    """What the score is made of, each in [0, 1]: how well the words fit, how near the meaning is (null where that was
    not compared), and how strong a fact still is. A message's score also counts what stands around it.
    """

    lexical: float
    vector: float | None
    strength: float | None


class HitOut(Answer):
    """Something found. `id` is that of a fact, or the caller's own of a message in its conversation."""

    kind: HitKind
    id: str
    content: str
    score: float
    superseded: bool
    sent_at: datetime | None
    conversation_id: str | None
    why: WhyOut


class SearchOut(Answer):
    """The hits, best first."""

    model_config = ConfigDict(json_schema_extra={"example": {"items": [EXAMPLE], "degraded": []}})

    items: list[HitOut]
    degraded: list[str]

    @classmethod
    def of_results(cls, results: Results) -> "SearchOut":
        """As callers read them."""
        return cls(items=[HitOut.of(hit) for hit in results.hits], degraded=list(results.degraded))
