"""The platform's own keys, as kept: they belong to no organisation."""

from datetime import datetime
from typing import Protocol


class PlatformKeys(Protocol):
    async def add(self, name: str, digest: bytes, now: datetime) -> None:
        """Keeps a new key; it opens from then on."""
        ...
