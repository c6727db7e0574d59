"""Figures as a table."""

import math
import statistics
from collections.abc import Sequence

import click

WIDE = 34


def heading(*columns: str) -> None:
    """The first line of a table."""
    click.echo(f"{'':{WIDE}}" + "".join(f"{name:>12}" for name in columns))


def line(name: str, *figures: str | float) -> None:
    """One more line of it."""
    shown = (f"{figure:.2f}" if isinstance(figure, float) else figure for figure in figures)
    click.echo(f"{name:{WIDE}}" + "".join(f"{figure:>12}" for figure in shown))


def percentiles(times: Sequence[float]) -> tuple[float, float, float]:
    """p50, p95 and p99, in the unit of the times; of fewer than two they are no numbers."""
    if len(times) < 2:
        return math.nan, math.nan, math.nan
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return cuts[49], cuts[94], cuts[98]
