"""Idempotency keys in memory."""

from app.adapters.doubles.state import Claimed, State
from app.domain.idempotency import KEEP, Claim, Kept, Outcome


class InMemoryIdempotency:
    """The keys of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def claim(self, claim: Claim) -> Kept | None:
        held = self._state.claims.get(claim.key)
        if held is None or _is_free(held, claim):
            self._state.claims[claim.key] = Claimed(claim)
            return None
        return Kept(held.claim.request, held.outcome)

    async def finish(self, claim: Claim, outcome: Outcome) -> bool:
        if not self._holds(claim):
            return False
        self._state.claims[claim.key] = Claimed(claim, outcome)
        return True

    async def release(self, claim: Claim) -> None:
        if self._holds(claim):
            del self._state.claims[claim.key]

    def _holds(self, claim: Claim) -> bool:
        return self._state.claims.get(claim.key) == Claimed(claim)


def _is_free(held: Claimed, claim: Claim) -> bool:
    left = held.outcome is None and held.claim.lease_until <= claim.at
    return left or held.claim.at <= claim.at - KEEP
