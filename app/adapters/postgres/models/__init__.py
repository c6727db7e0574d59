"""The tables, columns only. `app.adapters.postgres` alone imports them."""

from app.adapters.postgres.models.audit import EventRow, EventValuesRow, SealRow
from app.adapters.postgres.models.consolidation import CheckpointRow
from app.adapters.postgres.models.contradictions import ContradictionRow
from app.adapters.postgres.models.conversations import JobRow, MessageRow, ReceiptRow
from app.adapters.postgres.models.erasures import ErasedRow, ErasureRow, PlatformErasureRow
from app.adapters.postgres.models.facts import (
    DecisionRow,
    FactColumns,
    OrgFactRow,
    SourceRow,
    StoreFactRow,
    UserFactRow,
)
from app.adapters.postgres.models.generations import GenerationRow
from app.adapters.postgres.models.idempotency import IdempotencyRow
from app.adapters.postgres.models.imports import ImportRecordRow
from app.adapters.postgres.models.observations import ObservationRow
from app.adapters.postgres.models.organisations import (
    ApiKeyRow,
    ChannelLinkRow,
    OrganisationRow,
    PersonRow,
    PlatformKeyRow,
    StoreRow,
)
from app.adapters.postgres.models.rules import RulesRow
from app.adapters.postgres.models.search import DocumentRow, PostingRow
from app.adapters.postgres.models.usage import UsageRow
from app.adapters.postgres.models.vectors import VectorRow

__all__ = [
    "ApiKeyRow",
    "ChannelLinkRow",
    "CheckpointRow",
    "ContradictionRow",
    "DecisionRow",
    "DocumentRow",
    "ErasedRow",
    "ErasureRow",
    "EventRow",
    "EventValuesRow",
    "FactColumns",
    "GenerationRow",
    "IdempotencyRow",
    "ImportRecordRow",
    "JobRow",
    "MessageRow",
    "ObservationRow",
    "OrgFactRow",
    "OrganisationRow",
    "PersonRow",
    "PlatformErasureRow",
    "PlatformKeyRow",
    "PostingRow",
    "ReceiptRow",
    "RulesRow",
    "SealRow",
    "SourceRow",
    "StoreFactRow",
    "StoreRow",
    "UsageRow",
    "UserFactRow",
    "VectorRow",
]
