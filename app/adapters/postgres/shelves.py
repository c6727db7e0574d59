"""Pairs of pocket and kind, each of which a query looks into by index."""

from collections.abc import Sequence

from sqlalchemy import TableValuedAlias, Text, column, func, literal
from sqlalchemy.dialects.postgresql import ARRAY


def pairs(kind: str, of: Sequence[tuple[str, str]]) -> TableValuedAlias:
    """Rows of `agent_id` and `kind`. Two arrays, not VALUES: a query that holds those is compiled for each request."""
    columns = (literal([pair[place] for pair in of], ARRAY(Text())) for place in (0, 1))
    rows = func.unnest(*columns).table_valued(column("agent_id", Text), column(kind, Text), name="shelves")
    return rows.render_derived()
