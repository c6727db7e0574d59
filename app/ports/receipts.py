"""Keeping receipts, and what was seen, without slowing the reader down."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from app.domain.receipts import Receipt
from app.domain.tenancy import TenantScope


class ReceiptBook(Protocol):
    """Takes notes at once and writes them soon after, best effort."""

    def note(self, scope: TenantScope, receipt: Receipt) -> None:
        """Keep the receipt; what it served was seen."""
        ...

    def seen(self, scope: TenantScope, fact_ids: Sequence[UUID]) -> None:
        """These facts were read."""
        ...
