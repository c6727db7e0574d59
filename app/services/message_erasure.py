"""Erasing one message: everything that came of it goes with it."""

from app.domain.erasures import Erasure, ErasureKind, message_thing
from app.domain.errors import Conflict, Forbidden, NotFound
from app.domain.events import EventKind, event
from app.domain.messages import Message
from app.domain.sources import MessageRef
from app.domain.subjects import UserSubject
from app.domain.tenancy import Rank, TenantScope
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork
from app.services.behaviour import forget_found_in
from app.services.erasure_receipts import ErasureReceipts, Found, removed
from app.services.folds import Author, forget_messages

ALIKE = 100
"""Of so many messages of one id it is told that they are several."""


class MessageErasure:
    """Deletes single messages, each in one transaction."""

    def __init__(self, storage: Storage, clock: Clock, cache: Cache) -> None:
        self._storage = storage
        self._clock = clock
        self._receipts = ErasureReceipts(clock, cache)

    async def delete(self, scope: TenantScope, message_id: str, conversation_id: str | None) -> Erasure:
        """Erase the message, what it stated and what was found in it; the folds are as if it had never been said.

        What others said too stays, without its words. A job that has yet to read it is cancelled. Posted again, it
        is refused. Raises NotFound for what is not there for this caller, Conflict `ambiguous`, Forbidden.
        """
        async with self._storage.transaction(scope) as uow:
            uow.erasures.count_vectors()
            message = await _erasable(uow, scope, message_id, conversation_id)
            author = Author(scope.actor, self._clock())
            refs = [message.ref]
            gone = await uow.messages.delete([message.id])  # first: whoever reads it just now is waited for
            if not gone:  # somebody else erased it meanwhile
                raise NotFound
            changed = await forget_messages(uow, refs, author)
            changed += await forget_found_in(uow, refs, author)
            observed = await uow.observations.delete_found_in(refs)
            cancelled = await uow.jobs.cancel([message.id], author.now)  # a turn's job bears its message's id
            await uow.events.flush()
            about = UserSubject(message.user_id)
            await uow.events.append([event(EventKind.ERASED, scope.actor, author.now, subject=about)])
            await uow.ledger.add([message_thing(message.ref)], author.now)
            counts = {"facts": removed(changed), "messages": gone, "observations": observed, "jobs": cancelled}
            found = Found(await _remaining(uow, refs))
            return await self._receipts.write(uow, scope, ErasureKind.MESSAGE, counts, found, message.user_id)


async def _erasable(uow: UnitOfWork, scope: TenantScope, message_id: str, conversation_id: str | None) -> Message:
    """The one message of this id within reach: people erase their own, admins anybody's, without reading it."""
    whose = None if scope.rank >= Rank.ADMIN else scope.person
    if whose is None and scope.rank < Rank.ADMIN:
        raise NotFound
    alike = await uow.messages.named(message_id, conversation_id, whose, ALIKE)
    found = [message for message in alike if scope.reaches_store(message.store_id)]
    found = [message for message in found if scope.reads_pocket(message.agent_id)]
    if not found:
        raise NotFound
    if len(found) > 1:
        raise Conflict("ambiguous", "Several conversations have a message of this id: name one by conversation_id.")
    if not scope.writes_pocket(found[0].agent_id):
        raise Forbidden("limited_key", "This key is limited to other agents.")
    return found[0]


async def _remaining(uow: UnitOfWork, refs: list[MessageRef]) -> int:
    """What a fresh look still finds."""
    messages, keys = await uow.messages.find(refs), await uow.sources.refs_of(refs)
    return len(messages) + len(keys) + len(await uow.observations.found_in(refs))
