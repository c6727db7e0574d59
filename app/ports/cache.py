"""The cache: quick when it is there, and never needed."""

from typing import Protocol


class Cache(Protocol):
    async def answers(self) -> bool:
        """Whether it can be used just now. Never raises and never takes long."""
        ...
