"""Lists as arrays: a query that held each of their values would be made, prepared and planned anew for each length."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Select, TableValuedAlias, Text, any_, bindparam, column, func, literal


def one_of(row: Any, values: Iterable[Any]) -> ColumnElement[bool]:
    """That a column is one of the values."""
    return _one_of(row, literal(list(values), ARRAY(row.type)))


def one_of_bound(row: Any, name: str) -> ColumnElement[bool]:
    """That a column is one of the values that are bound by that name."""
    return _one_of(row, bindparam(name, type_=ARRAY(row.type)))


def one_of_found(row: Any, query: Select[Any]) -> ColumnElement[bool]:
    """That a column is one of what a query finds, which is read once, whatever the planner thinks of its length."""
    return _one_of(row, func.array(query.scalar_subquery(), type_=ARRAY(row.type)))


def pairs(kind: str, of: Sequence[tuple[str, str]]) -> TableValuedAlias:
    """Rows of `agent_id` and `kind`."""
    columns = (literal([pair[place] for pair in of], ARRAY(Text())) for place in (0, 1))
    rows = func.unnest(*columns).table_valued(column("agent_id", Text), column(kind, Text), name="shelves")
    return rows.render_derived()


def _one_of(row: Any, values: ColumnElement[Any]) -> ColumnElement[bool]:
    found: ColumnElement[bool] = row == any_(values)
    return found
