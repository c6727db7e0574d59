"""The organisation itself: the platform makes and renames it."""

from dataclasses import dataclass, replace

from app.domain.errors import NotFound
from app.domain.organisations import Language, Organisation
from app.domain.tenancy import TenantScope
from app.domain.usage import TOKENS_USED_UP, TURNS_USED_UP, Quotas
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork
from app.services.settings import keep_settings


@dataclass(frozen=True, slots=True)
class Organisations:
    """Each call is about the scope's own organisation."""

    storage: Storage
    clock: Clock

    async def put(
        self,
        scope: TenantScope,
        name: str,
        language: Language | None,
        time_zone: str | None,
        quotas: Quotas | None = None,
    ) -> tuple[Organisation, bool]:
        """Make it, or rename it. Answers it, and whether it is new.

        A language or time zone that is not given stays as it is, and is the usual one where the organisation is new;
        so do quotas. Where they change, turns that wait for the next day are looked at again at once. What is otherwise
        than before leaves an event.
        """
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            known = await uow.organisations.get(for_update=True)
            before = known or Organisation(scope.org_id, name, now, quotas=quotas or Quotas())
            if known is None:
                await uow.organisations.save(before)
            elif quotas not in (None, before.quotas):
                await uow.jobs.resume((TURNS_USED_UP, TOKENS_USED_UP), now)
            settings = replace(
                before.settings,
                language=language or before.settings.language,
                time_zone=time_zone or before.settings.time_zone,
            )
            wanted = replace(before, name=name, settings=settings, quotas=quotas or before.quotas)
            after = await keep_settings(uow, scope, before, wanted, now)
        return after, known is None

    async def get(self, scope: TenantScope) -> Organisation:
        """Raises NotFound where it is not there."""
        async with self.storage.transaction(scope) as uow:
            return await standing(uow)


async def standing(uow: UnitOfWork) -> Organisation:
    """The scope's organisation. Raises NotFound where it is not there: the platform may name one that is not."""
    organisation = await uow.organisations.get()
    if organisation is None:
        raise NotFound
    return organisation
