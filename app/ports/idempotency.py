"""Idempotency keys, as kept."""

from typing import Protocol

from app.domain.idempotency import Claim, Kept, Outcome


class Idempotency(Protocol):
    """The keys of the scope's organisation; it need not be there itself, for it may be what the request makes."""

    async def claim(self, claim: Claim) -> Kept | None:
        """Takes the key where nobody holds it, the holder's lease is over or the key is over age, and answers None.

        Otherwise nothing changes, and what is known of it is answered. Of several at once one takes it.
        """
        ...

    async def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """Keeps the outcome; False when somebody else has taken the key over: then nothing of it may be kept."""
        ...

    async def release(self, claim: Claim) -> None:
        """The key is nobody's again, unless it is finished or was taken over."""
        ...
