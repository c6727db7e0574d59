"""Files and functions stay short enough to be read at once."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE_LINES = 250
FUNCTION_LINES = 40


def sources() -> Iterator[Path]:
    """Every Python file of ours, with or without an ending."""
    for folder in ("app", "alembic", "scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" or (path.is_file() and path.suffix == "" and "python" in first_line(path)):
                yield path


def first_line(path: Path) -> str:
    with path.open() as file:
        return file.readline()


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: str(path.relative_to(ROOT)))
def test_is_short(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= FILE_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < FUNCTION_LINES, node.name
