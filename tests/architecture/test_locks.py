"""The lock files: whole, of one mind, as new as pyproject.toml, and without an address."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ["requirements.lock", "requirements-local.lock", "requirements-dev.lock"]
EXTRAS = {"requirements.lock": [], "requirements-local.lock": ["local"], "requirements-dev.lock": ["local", "dev"]}


def pins(lock: str) -> dict[str, str]:
    """The version of each package the file names."""
    found = re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)", (ROOT / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_hashes_and_nothing_else_stands_there(lock: str) -> None:
    for entry in re.split(r"\n(?=\S)", (ROOT / lock).read_text().strip()):
        first, *hashes = entry.replace("\\\n", "\n").split("\n")
        assert re.fullmatch(r"[\w.-]+(\[[\w,]+\])?==[\w.]+( ; [\w ().<>='!]+)? *", first)
        assert hashes
        assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64} *", line) for line in hashes)


@pytest.mark.parametrize("lock", LOCKS)
def test_holds_what_pyproject_asks_for(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in EXTRAS[lock]:
        wanted += project["project"]["optional-dependencies"][extra]
    locked = pins(lock)
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)])


def test_a_wider_one_only_adds() -> None:
    service, local, dev = (pins(lock).items() for lock in LOCKS)
    assert service <= local <= dev


@pytest.mark.parametrize("path", [*LOCKS, "pyproject.toml", "Dockerfile", "docker-compose.yml"])
def test_names_no_address_and_no_machines_path(path: str) -> None:
    text = (ROOT / path).read_text().replace("http://127.0.0.1", "")
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links|/(home|root|work)/", text)


@pytest.mark.parametrize("folder", ["scripts", ".ci", ".github"])
def test_no_script_names_an_address(folder: str) -> None:
    for path in filter(Path.is_file, (ROOT / folder).rglob("*")):
        if "__pycache__" not in path.parts:
            assert not re.search(r"https?://(?!127\.0\.0\.1|localhost)|--(extra-)?index-url", path.read_text()), path
