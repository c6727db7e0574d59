"""Lock 1: a repository takes a tenant's session, and the type checker refuses anything less."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.storage import PostgresStorage, PostgresUnitOfWork
from app.domain.tenancy import TenantScope


def repositories(engine: AsyncEngine, scope: TenantScope) -> None:
    PostgresUnitOfWork(TenantSession(engine, scope))
    PostgresUnitOfWork(AsyncSession(engine))
    PostgresStorage(engine, b"pepper").transaction("demo")
    TenantSession(engine)
"""

REFUSED = [
    ("PostgresUnitOfWork(AsyncSession(engine))", "arg-type"),
    ('PostgresStorage(engine, b"pepper").transaction("demo")', "arg-type"),
    ("TenantSession(engine)", "call-arg"),
]


def test_a_plain_session_or_a_mere_id_is_a_type_error(tmp_path: Path) -> None:
    program = tmp_path / "planted.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--cache-dir", ".mypy_cache/planted", str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    refused = re.findall(r"planted\.py:(\d+): error: .*\[(.*)\]", done.stdout)
    assert refused == [(number_of(line), code) for line, code in REFUSED], done.stdout


def number_of(line: str) -> str:
    return str(PROGRAM.splitlines().index(f"    {line}") + 1)
