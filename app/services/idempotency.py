"""One effect for each idempotency key: claimed first, in a transaction of its own; finished in that of the effect."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from app.domain.errors import Conflict, RetenirError
from app.domain.idempotency import Claim, Outcome, digest
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork

RETRY_SECONDS: Final = 1


class OneTransaction:
    """A storage whose transactions are all parts of one that is open already: they are kept with it, or not at all."""

    def __init__(self, whole: UnitOfWork, org_id: str) -> None:
        self._whole = whole
        self._org_id = org_id

    @asynccontextmanager
    async def transaction(self, scope: TenantScope) -> AsyncIterator[UnitOfWork]:
        """A part: undone when the block raises, while the whole goes on."""
        if scope.org_id != self._org_id:
            raise ValueError("a part of a transaction was asked for by another organisation")
        async with self._whole.savepoint():
            yield self._whole

    def snapshot(self, scope: TenantScope) -> AbstractAsyncContextManager[UnitOfWork]:
        """As `transaction`."""
        return self.transaction(scope)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a claimed request does: everything on `storage`, and at last `finish`."""

    storage: Storage
    whole: UnitOfWork
    claim: Claim

    async def finish(self, outcome: Outcome) -> None:
        """The outcome is kept with the effect. Raises Conflict when somebody else has taken the key over."""
        if not await self.whole.idempotency.finish(self.claim, outcome):
            raise _running()


@dataclass(frozen=True, slots=True)
class Idempotency:
    """Claims keys and keeps outcomes. `pepper` is that of the digests: what is kept tells nobody who asked for what."""

    storage: Storage
    clock: Clock
    pepper: bytes

    async def claim(self, scope: TenantScope, key: str, request: bytes) -> Claim | Outcome:
        """The right to do what `request` asks, or how it was answered when it was done.

        A key is its caller's: the API key or token it came with, and the person spoken for. Raises Conflict
        `idempotency_mismatch` when it came with another request, `idempotency_running` while it is worked on.
        """
        caller = (scope.actor.type, scope.key_id or scope.actor.id, scope.person or "")
        claim = Claim(
            key=digest(self.pepper, key.encode(), *(part.encode() for part in caller)),
            request=digest(self.pepper, request),
            attempt=uuid4(),
            at=self.clock(),
        )
        async with self.storage.transaction(scope) as uow:
            kept = await uow.idempotency.claim(claim)
        if kept is None:
            return claim
        if kept.request != claim.request:
            raise Conflict("idempotency_mismatch", "This Idempotency-Key came with another request before.")
        if kept.outcome is None:
            raise _running()
        return kept.outcome

    @asynccontextmanager
    async def effect(self, scope: TenantScope, claim: Claim) -> AsyncIterator[Effect]:
        """One transaction for all that the request does, and for its outcome.

        When it fails nothing of it is kept, and the key is free again. Raises as `Storage.transaction`.
        """
        try:
            async with self.storage.transaction(scope) as uow:
                yield Effect(OneTransaction(uow, scope.org_id), uow, claim)
        except Exception:
            with suppress(RetenirError):  # else its lease will end
                async with self.storage.transaction(scope) as uow:
                    await uow.idempotency.release(claim)
            raise


def _running() -> Conflict:
    detail = "The request with this Idempotency-Key is still being worked on."
    return Conflict("idempotency_running", detail, RETRY_SECONDS)
