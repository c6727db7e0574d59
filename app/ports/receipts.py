"""Keeping receipts without slowing the reader down."""

from typing import Protocol

from app.domain.receipts import Receipt
from app.domain.tenancy import TenantScope


class ReceiptBook(Protocol):
    """Takes receipts at once and writes them soon after, best effort."""

    def note(self, scope: TenantScope, receipt: Receipt) -> None: ...
