"""The cache: quick when it is there, and never needed."""

from typing import Protocol, TypeVar

from app.domain.tenancy import TenantScope

T = TypeVar("T")


class Cache(Protocol):
    """Keeps frozen values of one organisation for all replicas, for a while or not at all.

    Nothing here ever raises or takes long: what cannot be told in time is not there.
    """

    async def answers(self) -> bool:
        """Whether it can be used just now."""
        ...

    async def get(self, scope: TenantScope, name: str, kind: type[T]) -> T | None:
        """What `put` kept under this name, of this kind, for the scope's organisation; nothing else ever is."""
        ...

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        """Keep a dataclass for so long, whatever was there before."""
        ...

    async def claim(self, scope: TenantScope, name: str, milliseconds: int) -> bool:
        """Whether it falls to the caller to make what is missing: for so long it is said to nobody else, or until
        `release`. Where that cannot be told it falls to everybody.
        """
        ...

    async def release(self, scope: TenantScope, name: str) -> None:
        """The claim is given up."""
        ...

    async def forget(self, scope: TenantScope) -> int:
        """Drops all that is kept for the scope's organisation, as far as it can be reached; answers how many values.

        Nothing depends on it: what is current is told by names. It is that the words are nowhere any more.
        """
        ...
