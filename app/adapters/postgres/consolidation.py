"""Consolidation of people in Postgres."""

from datetime import datetime
from hashlib import sha256

from sqlalchemy import DateTime, Text, bindparam, exists, func, or_, select

from app.adapters.postgres.behaviour import faded_at
from app.adapters.postgres.models import CheckpointRow, ObservationRow, OrganisationRow, PersonRow, UserFactRow
from app.adapters.postgres.session import TenantSession
from app.domain.consolidation import Checkpoint
from app.ports.consolidation import Progress

_user_id = bindparam("user_id", type_=Text)
_waiting = exists().where(ObservationRow.user_id == _user_id, ObservationRow.consolidated_at.is_(None))
_fading = exists().where(UserFactRow.user_id == _user_id, *faded_at(bindparam("now", type_=DateTime(timezone=True))))
_remembered = PersonRow.remember & OrganisationRow.settings["enabled"].as_boolean()
_PROGRESS = (
    select(_remembered, or_(_waiting, _fading), CheckpointRow)
    .select_from(PersonRow)
    .join(OrganisationRow, OrganisationRow.org_id == PersonRow.org_id)
    .outerjoin(CheckpointRow, CheckpointRow.user_id == PersonRow.user_id)
    .where(PersonRow.user_id == _user_id)
)


class PostgresConsolidations:
    """The consolidations of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def hold(self, user_id: str) -> None:
        name = repr(("consolidation", self._session.scope.org_id, user_id)).encode()
        number = int.from_bytes(sha256(name).digest()[:8], signed=True)
        await self._session.execute(select(func.pg_advisory_xact_lock(number)))

    async def progress(self, user_id: str, now: datetime) -> Progress:
        row = (await self._session.execute(_PROGRESS, {"user_id": user_id, "now": now})).one_or_none()
        return Progress(row[0], row[1], _checkpoint(row[2])) if row else Progress(remembered=False)

    async def save(self, user_id: str, checkpoint: Checkpoint) -> None:
        row = {
            "user_id": user_id,
            "consolidated_at": checkpoint.consolidated_at,
            "latest_at": checkpoint.latest_at,
            "session_id": checkpoint.session_id,
        }
        statement = self._session.insertion(CheckpointRow, [row])
        new = statement.excluded
        moved = {
            "consolidated_at": new.consolidated_at,
            "latest_at": func.greatest(CheckpointRow.latest_at, new.latest_at),
            "session_id": func.coalesce(new.session_id, CheckpointRow.session_id),
        }
        keys = ("org_id", "user_id")
        await self._session.execute(statement.on_conflict_do_update(index_elements=keys, set_=moved))


def _checkpoint(row: CheckpointRow | None) -> Checkpoint | None:
    return Checkpoint(row.consolidated_at, row.latest_at, row.session_id) if row is not None else None
