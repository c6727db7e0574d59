"""The keys of those who sign tokens."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key, as the verifier takes it, and the algorithms that it may be used with."""

    key: Any
    algorithms: tuple[str, ...]


class SigningKeys(Protocol):
    """The keys that are in force, which the identity provider may change at any time."""

    async def find(self, key_id: str) -> SigningKey | None:
        """The key of this id; None when the provider has none. Raises Unavailable when it cannot be asked."""
        ...
