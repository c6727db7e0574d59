"""API keys in Postgres."""

from dataclasses import asdict
from uuid import UUID

from sqlalchemy import select

from app.adapters.postgres.models import ApiKeyRow
from app.adapters.postgres.organisations import held
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.session import TenantSession
from app.domain.organisations import ApiKey
from app.domain.tenancy import Role
from app.ports.paging import Page, PageRequest


class PostgresApiKeys:
    """The keys of the scope's organisation, without what makes them usable."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, key: ApiKey, digest: bytes) -> None:
        await self._session.execute(self._session.insertion(ApiKeyRow, [{**asdict(key), "digest": digest}]))

    async def get(self, key_id: UUID, *, hold: bool = False) -> ApiKey | None:
        query = held(select(ApiKeyRow).where(ApiKeyRow.id == key_id), hold)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _key(row) if row else None

    async def page(self, request: PageRequest) -> Page[ApiKey]:
        return await keyset_page(self._session, select(ApiKeyRow), [ApiKeyRow.id], request, _key, newest_first=True)

    async def revoke(self, key: ApiKey) -> None:
        row = (await self._session.execute(select(ApiKeyRow).where(ApiKeyRow.id == key.id))).scalar_one()
        row.revoked_at = key.revoked_at
        await self._session.flush()


def _key(row: ApiKeyRow) -> ApiKey:
    return ApiKey(
        id=row.id,
        name=row.name,
        role=Role(row.role),
        act_for_people=row.act_for_people,
        created_at=row.created_at,
        created_by=row.created_by,
        store_ids=None if row.store_ids is None else tuple(row.store_ids),
        agent_ids=None if row.agent_ids is None else tuple(row.agent_ids),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )
