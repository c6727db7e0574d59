"""Generations in Postgres."""

from sqlalchemy import ARRAY, Text, func, literal, select

from app.adapters.postgres.session import TenantSession
from app.domain.subjects import OrgSubject, store_of, user_of


async def raise_generations(session: TenantSession) -> None:
    """The generations of all whom the transaction touched are raised: one statement, the last before the commit.

    So the rows are held for no longer than the commit takes, and always taken in the order organisation, store, person.
    """
    if not session.touched:
        return
    stores = [store for subject in session.touched if (store := store_of(subject)) is not None]
    people = [person for subject in session.touched if (person := user_of(subject)) is not None]
    whole = OrgSubject() in session.touched
    told = (literal(names, ARRAY(Text)) for names in (stores, people))
    await session.execute(select(func.raise_generations(session.scope.org_id, whole, *told)))
