"""The tables, columns only. `app.adapters.postgres` alone imports them."""

from app.adapters.postgres.models.audit import EventRow, EventValuesRow
from app.adapters.postgres.models.conversations import JobRow, MessageRow, ReceiptRow
from app.adapters.postgres.models.facts import (
    DecisionRow,
    FactColumns,
    OrgFactRow,
    SourceRow,
    StoreFactRow,
    UserFactRow,
)
from app.adapters.postgres.models.organisations import (
    ApiKeyRow,
    ChannelLinkRow,
    OrganisationRow,
    PersonRow,
    PlatformKeyRow,
    StoreRow,
)

__all__ = [
    "ApiKeyRow",
    "ChannelLinkRow",
    "DecisionRow",
    "EventRow",
    "EventValuesRow",
    "FactColumns",
    "JobRow",
    "MessageRow",
    "OrgFactRow",
    "OrganisationRow",
    "PersonRow",
    "PlatformKeyRow",
    "ReceiptRow",
    "SourceRow",
    "StoreFactRow",
    "StoreRow",
    "UserFactRow",
]
