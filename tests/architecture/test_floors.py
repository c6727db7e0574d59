"""The import contracts of pyproject.toml: they hold, and each breaks on the fault it is there for."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINTER = Path(sys.executable).with_name("lint-imports")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's code and contracts, to plant a fault in."""
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(folder: Path) -> tuple[int, str]:
    done = subprocess.run([LINTER, "--no-cache", "--no-logo"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stdout.split())


def test_the_contracts_hold(copy: Path) -> None:
    code, said = lint(copy)
    assert code == 0, said
    assert "0 broken" in said


@pytest.mark.parametrize(
    ("path", "line", "broken"),
    [
        ("app/services/__init__.py", "import app.api", "The floors: each may import those below it"),
        ("app/services/__init__.py", "import app.adapters", "The floors: each may import those below it"),
        ("app/ports/__init__.py", "import app.services", "The floors: each may import those below it"),
        ("app/settings.py", "import app.domain", "The floors: each may import those below it"),
        ("app/domain/__init__.py", "import pydantic", "The domain is plain Python"),
        ("app/services/__init__.py", "import sqlalchemy", "Services and ports know no technology"),
        ("app/ports/__init__.py", "import httpx", "Services and ports know no technology"),
        ("app/api/__init__.py", "import app.adapters.postgres", "The container alone names adapters"),
        ("app/main.py", "import app.adapters.postgres", "The container alone names adapters"),
        ("app/container.py", "import app.adapters.postgres.models", "Table classes stay inside the Postgres adapter"),
    ],
)
def test_a_planted_import_breaks_its_contract(copy: Path, path: str, line: str, broken: str) -> None:
    with (copy / path).open("a") as file:
        file.write(f"\n{line}\n")
    code, said = lint(copy)
    assert code == 1
    assert f"{broken} BROKEN" in said


def test_a_new_room_has_to_find_its_floor(copy: Path) -> None:
    (copy / "app" / "utils.py").write_text('"""Anything."""\n')
    code, said = lint(copy)
    assert code == 1
    assert "app.utils" in said


@pytest.mark.parametrize("path", sorted((ROOT / "app" / "domain").rglob("*.py")), ids=lambda path: path.name)
def test_the_domain_imports_the_standard_library_alone(path: Path) -> None:
    """Any other package, that is, not only those the contract names."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            assert name.startswith("app.domain") or name.partition(".")[0] in sys.stdlib_module_names
