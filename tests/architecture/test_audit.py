"""The scope audit: it passes the code as it is, and names each fault that is planted in a copy of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AUDIT = ROOT / "scripts" / "audit-memory-scope"
REPOSITORY = "app/adapters/postgres/jobs.py"
SERVICE = "app/services/planted.py"

FAULTS: list[tuple[str, ...]] = [
    ("SQL is spoken by the Postgres adapter alone", SERVICE, "from sqlalchemy import select"),
    (
        "SQL as text passes the session's filter",
        REPOSITORY,
        "from sqlalchemy import text",
        "from sqlalchemy.sql.expression import text as plain",
        "import sqlalchemy as sa\nQUERY = sa.text('select 1')",
        "import sqlalchemy\nQUERY = sqlalchemy.text('select 1')",
        "def ask(session):\n    return session.connection().exec_driver_sql('select 1')",
    ),
    (
        "an engine's connection knows no tenant",
        REPOSITORY,
        "from sqlalchemy.ext.asyncio import create_async_engine",
        "from sqlalchemy.ext.asyncio import AsyncEngine",
        "def ask(self):\n    return self._engine.connect()",
        "def ask(engine):\n    return engine.begin()",
    ),
    ("a driver's connection knows no tenant", SERVICE, "import asyncpg"),
    (
        "a session without a scope has no locks",
        REPOSITORY,
        "from sqlalchemy.ext.asyncio import AsyncSession",
        "from sqlalchemy.orm import Session",
        "from sqlalchemy import orm\nMAKER = orm.sessionmaker()",
    ),
    (
        "what lies below the session has no locks",
        REPOSITORY,
        "def low(session):\n    session.sync_session",
        "def low(session):\n    session.connection()",
    ),
    ("the locks hang on the session's events", REPOSITORY, "from sqlalchemy import event"),
    (
        "insertions are made by TenantSession.insertion",
        REPOSITORY,
        "from sqlalchemy.dialects.postgresql import insert",
        "from sqlalchemy import insert",
    ),
    ("everything from SQLAlchemy hides what is used", REPOSITORY, "from sqlalchemy import *"),
    ("bulk passes the flush", REPOSITORY, "def write(session, rows):\n    session.bulk_save_objects(rows)"),
    ("a bare table passes the session's filter", REPOSITORY, "TABLE = JobRow.__table__", "ALL = JobRow.metadata"),
    ("the session's own business", REPOSITORY, "from app.adapters.postgres.session import STAMPED"),
    (
        "table classes stay in the adapter",
        SERVICE,
        "from app.adapters.postgres.models import JobRow",
        "import app.adapters.postgres.models.conversations",
        "import app.adapters.postgres as below\nROW = below.models.JobRow",
    ),
    ("cache keys are made from a scope, inside the adapter", SERVICE, "import redis.asyncio as redis"),
    (
        "a scope is made in app/api/deps.py and app/worker.py alone",
        SERVICE,
        "from app.domain.tenancy import TenantScope\nSCOPE = TenantScope('demo', None, None)",
        "from app.domain import tenancy\nSCOPE = tenancy.TenantScope('demo', None, None)",
        "from app.domain.tenancy import TenantScope as Made\nmaker = Made",
        "from app.domain.tenancy import TenantScope\ndef makers() -> object:\n    return [TenantScope]",
    ),
    (
        "a scope is never made over into another",
        SERVICE,
        "from dataclasses import replace\ndef wider(scope):\n    return replace(scope, stores=None)",
        "import dataclasses\ndef other(one):\n    return dataclasses.replace(one, org_id='other')",
    ),
    (
        "a frozen value, a scope first of all, is never changed",
        SERVICE,
        "def move(one):\n    object.__setattr__(one, 'org_id', 'other')",
    ),
    (
        "a tenant's session is opened by the storage alone",
        REPOSITORY,
        "from app.adapters.postgres import session\ndef again(it):\n    return session.TenantSession(None, it)",
    ),
    (
        "a session in the adapter is a TenantSession",
        REPOSITORY,
        "def read(session: object) -> None: ...",
        "def read(session) -> None: ...",
    ),
    (
        "a repository is made from a session and nothing else",
        REPOSITORY,
        "class PostgresThings:\n    def __init__(self, engine: object) -> None: ...",
        "class PostgresThings:\n    session: TenantSession",
    ),
]
"""The audit's words, the file, and lines that it must not let pass there."""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the code, to plant faults in."""
    folder = tmp_path_factory.mktemp("copied")
    part = Path(REPOSITORY).parent
    shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / SERVICE).parent.mkdir()
    return folder


def audit(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, AUDIT, folder], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def plant(folder: Path, path: str, code: str) -> tuple[int, str, int]:
    """The audit's code and words with `code` at the end of the file, and the line where it begins."""
    file = folder / path
    before = file.read_text() if file.exists() else None
    text = before or '"""Planted."""\n'
    file.write_text(f"{text}\n{code}\n")
    try:
        return *audit(folder), len(text.splitlines()) + 2
    finally:
        file.write_text(before) if before is not None else file.unlink()


def test_finds_nothing_in_the_code_as_it_is() -> None:
    assert audit(ROOT) == (0, "")


@pytest.mark.parametrize(
    ("reason", "path", "code"),
    [
        pytest.param(reason, path, code, id=code.rpartition("\n")[2].strip())
        for reason, path, *codes in FAULTS
        for code in codes
    ],
)
def test_names_a_planted_fault(copied: Path, reason: str, path: str, code: str) -> None:
    status, said, line = plant(copied, path, code)
    assert status == 1
    places = range(line, line + len(code.splitlines()))
    assert any(f"{path}:{at}: {reason}" in said.splitlines() for at in places), said


@pytest.mark.parametrize(
    "code",
    [
        "from app.domain.tenancy import TenantScope\ndef serve(scope: TenantScope | None) -> list[TenantScope]: ...",
        "from app.domain import tenancy\ndef ask(it: object) -> bool:\n    return isinstance(it, tenancy.TenantScope)",
        "from dataclasses import replace\ndef limit(wanted, scope):\n    return replace(wanted, stores=scope.stores)",
        "def text(value: str) -> str:\n    return value",
    ],
)
def test_lets_pass_what_only_looks_like_one(copied: Path, code: str) -> None:
    assert plant(copied, SERVICE, code)[:2] == (0, "")
