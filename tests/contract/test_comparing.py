"""What nobody has compared with others yet."""

from uuid import UUID

from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage
from tests.contract.test_lifecycle import keep, numbers
from tests.unit.memories import COMPANY, day, fact


async def test_what_was_stated_is_new_until_it_was_compared(storage: Storage, scope: TenantScope) -> None:
    await keep(
        storage, scope, fact(1, "a"), fact(2, "b"), fact(3, "c", archived_at=day(1)), fact(4, "d", about=COMPANY)
    )
    async with storage.transaction(scope) as uow:
        assert numbers(await uow.ageing.uncompared(Scope.STORE, 9)) == [1, 2]
        assert numbers(await uow.ageing.uncompared(Scope.STORE, 1)) == [1]
        assert numbers(await uow.ageing.uncompared(Scope.STORE, 9, UUID(int=1))) == [2]
        await uow.ageing.mark_compared(Scope.STORE, [UUID(int=1), UUID(int=4)], day(2))
    async with storage.transaction(scope) as uow:
        assert numbers(await uow.ageing.uncompared(Scope.STORE, 9)) == [2]
        assert numbers(await uow.ageing.uncompared(Scope.ORG, 9)) == [4]
