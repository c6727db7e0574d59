"""What one memory block served: kept for a while, so that a correction knows what it corrects."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Receipt:
    """The facts that one block served to one reader; ids only."""

    receipt_id: UUID
    agent_id: str
    fact_ids: tuple[UUID, ...]
    created_at: datetime
    user_id: str | None = None
    store_id: str | None = None
    conversation_id: str | None = None
