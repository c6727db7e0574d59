"""What stands in the tables, told apart by organisation and person, as one whom no lock holds back sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

# The platform's receipts are counts and keyed hashes; any deletion of an organisation adds one.
_TABLES = """
select t.table_name, bool_or(c.column_name = 'org_id'), bool_or(c.column_name = 'user_id')
from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
  and t.table_name not in ('alembic_version', 'platform_erasures')
group by t.table_name order by t.table_name
"""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The rows of one table, of one organisation, about one person; "" where the table knows none of these."""

    table: str
    org_id: str
    person: str


Prints = dict[Place, str]


class Fingerprints:
    """Takes prints of a whole database; two are equal when no row came, went or changed between them.

    That a fact was seen, or compared with others, is no change of it.
    """

    def __init__(self, superuser_url: str) -> None:
        self._engine = create_async_engine(superuser_url, poolclass=NullPool)
        self._query = ""

    async def take(self, org_ids: Sequence[str] | None = None) -> Prints:
        """The prints of these organisations, or of all, and of what belongs to none. Tables are those there are now."""
        async with self._engine.connect() as connection:
            if not self._query:
                tables = (await connection.execute(text(_TABLES))).all()
                self._query = " union all ".join(_print_of(*row) for row in tables)
            rows = await connection.execute(text(self._query), {"orgs": None if org_ids is None else list(org_ids)})
            return {Place(table, org_id, person): digest for table, org_id, person, digest in rows}

    async def bury_jobs(self, org_ids: Sequence[str]) -> None:
        """All jobs of these organisations that are done are dead now, so that there is something to try again."""
        async with self._engine.begin() as connection:
            dead = text("update jobs set status = 'dead', error = 'test' where status = 'done' and org_id = any(:orgs)")
            await connection.execute(dead, {"orgs": list(org_ids)})


def changed(before: Prints, after: Prints) -> set[Place]:
    """Where rows came, went or changed."""
    return {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}


def _print_of(table: str, has_org: bool, has_person: bool) -> str:
    org_id = "org_id" if has_org else "''"
    person = "coalesce(user_id, '')" if has_person else "''"
    row = "(to_jsonb(t) - 'last_seen_at' - 'compared_at')::text"
    chosen = "where cast(:orgs as text[]) is null or org_id = any(cast(:orgs as text[]))" if has_org else ""
    return (
        f"select '{table}', {org_id}, {person}, count(*) || ' ' || md5(string_agg(md5({row}), '' order by {row})) "
        f'from "{table}" t {chosen} group by 2, 3'
    )
