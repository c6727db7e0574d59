"""What can be found: documents made of facts, messages and observations, on the shelf of whom they are about."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from app.domain.facts import Fact
from app.domain.marks import marks_of
from app.domain.messages import Message, Speaker
from app.domain.observations import Observation, ObservationType
from app.domain.prose import prose_first
from app.domain.sources import Audience
from app.domain.subjects import Subject, UserSubject, store_of
from app.domain.terms import MOST_TERMS, Stems, label_terms, terms
from app.domain.values import JsonValue


class DocumentKind(StrEnum):
    """What a document is. What the assistant said is a kind of its own: it is found, and never quoted."""

    FACT = "fact"
    MESSAGE = "message"
    REPLY = "reply"
    OBSERVATION = "observation"


SPOKEN: Final = (DocumentKind.MESSAGE, DocumentKind.REPLY)
"""The kinds of what was said in a conversation."""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found by `text`, and by `label`: a fact's key.

    `store_id` is the store where it belongs, None for none. `public`: contacts may be shown it, too, where it is about
    a store or the organisation. `at` is when it was said, `recorded_at` when that became known; None where
    that says nothing of it. `conversation_id` is where it was said, if it was; `marks` are bits that its words set.
    """

    kind: DocumentKind
    id: UUID
    subject: Subject
    agent_id: str
    text: str
    label: str = ""
    store_id: str | None = None
    public: bool = False
    at: datetime | None = None
    recorded_at: datetime | None = None
    conversation_id: str | None = None
    marks: int = 0

    @property
    def place(self) -> tuple[DocumentKind, UUID]:
        """What names it."""
        return self.kind, self.id


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents within reach: about one of `subjects`, in one of `agents`' pockets, of one of `kinds`.

    `stores` are those where they belong, among them None for what belongs to none; None allows any. `public_only`
    leaves out what contacts may not be shown.
    """

    subjects: tuple[Subject, ...]
    kinds: frozenset[DocumentKind]
    agents: tuple[str, ...]
    stores: frozenset[str | None] | None = None
    public_only: bool = False

    def holds(self, document: Document) -> bool:
        """Whether the document stands here."""
        return (
            document.subject in self.subjects
            and document.kind in self.kinds
            and document.agent_id in self.agents
            and (self.stores is None or document.store_id in self.stores)
            and (document.public or not self.public_only)
        )


def fact_document(fact: Fact) -> Document:
    """A fact is found by its sentence, its value where the sentence does not hold it, and its key."""
    value = _told(fact.value)
    return Document(
        kind=DocumentKind.FACT,
        id=fact.id,
        subject=fact.ref.subject,
        agent_id=fact.ref.agent_id,
        text=fact.content if value in fact.content else f"{fact.content}\n{value}",
        label=fact.ref.key,
        store_id=store_of(fact.ref.subject),
        public=fact.traits.audience is Audience.EVERYONE,
    )


def message_document(message: Message) -> Document:
    """A message is found by its words, by those who may read what its person said."""
    return Document(
        kind=DocumentKind.MESSAGE if message.speaker is Speaker.USER else DocumentKind.REPLY,
        id=message.id,
        subject=UserSubject(message.user_id),
        agent_id=message.agent_id,
        text=message.content,
        store_id=message.store_id,
        at=message.sent_at,
        recorded_at=message.recorded_at,
        conversation_id=message.conversation_id,
        marks=marks_of(message.content),
    )


def observation_document(observation: Observation) -> Document | None:
    """An observation is found by what it tells. None where that is nothing, for a note, which is found as a fact, and
    for a query pattern that was seen in a message, which is found itself.
    """
    text = told_by(observation)
    seen_in = observation.message if observation.type is ObservationType.QUERY_PATTERN else None
    if not text or seen_in is not None or observation.type is ObservationType.NOTE:
        return None
    return Document(
        kind=DocumentKind.OBSERVATION,
        id=observation.id,
        subject=UserSubject(observation.user_id),
        agent_id=observation.agent_id,
        text=text,
        store_id=observation.store_id,
        at=observation.occurred_at,
        recorded_at=observation.recorded_at,
    )


def told_by(observation: Observation) -> str:
    """What an observation tells in words: its content, and the words of its metadata, by name."""
    words = (value for _, value in sorted(observation.metadata.items()) if isinstance(value, str))
    return "\n".join(filter(None, (observation.content, *words)))


def terms_of(document: Document, stems: Stems) -> list[str]:
    """The terms by which a document is found, in their order; of what a person said, those of code last."""
    text = prose_first(document.text) if document.kind is DocumentKind.MESSAGE else document.text
    return [*label_terms(document.label, stems), *terms(text, stems)][:MOST_TERMS]


def _told(value: JsonValue) -> str:
    """The words of a value, without its field names."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    parts: Iterable[JsonValue] = value if isinstance(value, list) else value.values()
    return " ".join(filter(None, map(_told, parts)))
