"""Rows by the thousand: each a copy of one that the service wrote, under an id of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg


@dataclass(frozen=True)
class Copies:
    """The copies of one row of an organisation, by the column that tells them apart."""

    connection: asyncpg.Connection
    """Of one whom nothing holds back."""
    org_id: str
    table: str
    column: str

    async def add(self, ids: Sequence[Any]) -> None:
        """As many copies, in one transaction."""
        columns = await self._columns()
        taken = ", ".join("made.id" if name == self.column else f'row."{name}"' for name in columns)
        named = ", ".join(f'"{name}"' for name in columns)
        await self.connection.execute(
            f"insert into {self.table} ({named}) select {taken}"
            f" from (select * from {self.table} where org_id = $1 limit 1) as row, unnest($2::{columns[self.column]}[])"
            " as made (id)",
            self.org_id,
            ids,
        )

    async def remove(self, ids: Sequence[Any]) -> None:
        """They are gone."""
        await self.connection.execute(
            f"delete from {self.table} where org_id = $1 and {self.column} = any($2)", self.org_id, ids
        )

    async def _columns(self) -> dict[str, str]:
        """The columns that are ours to fill, with their types."""
        rows = await self.connection.fetch(
            "select attname, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass"
            " and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''",
            self.table,
        )
        return {row["attname"]: row["type"] for row in rows}
