"""The files that install, ship and check the service, read as the tools that run them would: no engine runs here."""

import re
import stat
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.cli import main
from app.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
OURS = ("api", "worker", "migrate")
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
IMAGE = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
EXAMPLE = (ROOT / ".env.example").read_text()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
VARIABLE = re.compile(r"\$\{(\w+)(:[-?][^}]*)\}")
SAMPLE = "q8Zr2Lx0Vb7Nw5Kd3Jt9Ym4Hc6Gf1Pa8" * 2


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RETENIR_{name.upper()}", raising=False)


def image_environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", IMAGE[IMAGE.index("ENV ") : IMAGE.index("\nUSER")]))


def settings_in(service: str) -> Settings:
    """As the container reads them, with every secret that has to be given set to a sample."""
    environment = image_environment()
    for name, value in SERVICES[service]["environment"].items():
        environment[name] = VARIABLE.sub(lambda found: SAMPLE if found[2] == ":?" else found[2][2:], value)
    named = {name.removeprefix("RETENIR_").lower(): value for name, value in environment.items() if value}
    return Settings(**{name: value for name, value in named.items() if name in Settings.model_fields})  # type: ignore[arg-type]


# ── .env.example


def test_the_example_names_every_setting_and_no_other() -> None:
    named = {name.lower() for name in re.findall(r"RETENIR_(\w+)=", EXAMPLE)}
    assert named == set(Settings.model_fields)


def test_the_example_shows_the_defaults_and_gives_no_secret() -> None:
    shown = dict(re.findall(r"^# RETENIR_(\w+)=(.*)$", EXAMPLE, re.MULTILINE))
    assert not re.search(r"^[^#\n]", EXAMPLE, re.MULTILINE)
    for name, value in shown.items():
        default = getattr(Settings(), name.lower())
        if default is None:
            assert value == "" or "…" in value or name == "REDIS_URL"
        else:
            assert value == (str(default).lower() if isinstance(default, bool) else str(default))


# ── Dockerfile


def test_the_image_runs_as_nobody_in_particular_and_knows_its_health() -> None:
    assert re.search(r"^USER 10001$", IMAGE, re.MULTILINE)
    health = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", IMAGE, re.MULTILINE)
    assert health
    program, flag, code = yaml.safe_load(health[1])
    assert (program, flag) == ("python", "-c")
    compile(code, "HEALTHCHECK", "exec")
    assert "/healthz" in code
    assert settings_in("api").port == 8000
    assert yaml.safe_load(IMAGE[IMAGE.rindex("CMD ") + 4 :]) == ["retenir", "serve"]


def test_what_the_image_copies_is_there_and_let_in() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    ]
    assert {"app", "alembic", "alembic.ini", "requirements.lock", "pyproject.toml"} <= set(copied)
    for name in copied:
        assert (ROOT / name).exists()
        assert any(fnmatch(name, pattern) for pattern in allowed)


# ── docker-compose.yml


def test_no_secret_of_the_compose_file_has_a_default_and_each_is_explained() -> None:
    for name, fallback in VARIABLE.findall(COMPOSE):
        assert fallback in (":?", ":-") or name == "RETENIR_PORT"
        assert f"# {name}=" in EXAMPLE
    assert {name for name, fallback in VARIABLE.findall(COMPOSE) if fallback == ":?"} == {
        "RETENIR_SECRET", "POSTGRES_PASSWORD", "OWNER_PASSWORD", "SERVING_PASSWORD",
    }  # fmt: skip


@pytest.mark.parametrize("service", OURS)
def test_the_service_would_start_with_these_settings(service: str) -> None:
    settings = settings_in(service)
    assert settings.embedded is False
    assert settings.worker_in_process is False
    assert settings.database_url == f"postgresql+asyncpg://retenir_app:{SAMPLE}@postgres:5432/retenir"
    assert (settings.owner_database_url is not None) == (service in ("migrate", "worker"))
    assert set(re.findall(r"@(\w+):|//(\w+):", f"{settings.redis_url}")[0]) - {""} <= set(SERVICES)


@pytest.mark.parametrize("service", OURS)
def test_the_service_runs_a_command_there_is_with_no_right_it_does_not_need(service: str) -> None:
    command = SERVICES[service].get("command", ["retenir", "serve"])
    assert command[0] == "retenir"
    assert command[1] in main.commands
    assert SERVICES[service]["read_only"] is True
    assert SERVICES[service]["cap_drop"] == ["ALL"]


def test_the_order_of_starting() -> None:
    for service in ("api", "worker"):
        conditions = {name: need["condition"] for name, need in SERVICES[service]["depends_on"].items()}
        assert conditions["migrate"] == "service_completed_successfully"
        assert conditions["postgres"] == "service_healthy"
    assert SERVICES["migrate"]["restart"] == "no"
    assert all("test" in SERVICES[server]["healthcheck"] for server in ("postgres", "valkey"))


def test_only_the_api_is_reached_from_outside_and_only_from_this_machine() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert list(published) == ["api"]
    assert all(port.startswith("127.0.0.1:") for port in published["api"])


def test_images_are_of_a_named_version_and_mounted_files_exist() -> None:
    for service in SERVICES.values():
        assert service.get("build") == "." or re.search(r":\D*\d+$", service["image"])
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in yaml.safe_load(COMPOSE)["volumes"]


# ── Scripts and CI


@pytest.mark.parametrize("name", ["serve", "test", "check", "lock", "_env", "postgres-roles.sh", "../.ci/run"])
def test_a_script_can_be_run(name: str) -> None:
    path = ROOT / "scripts" / name
    assert path.read_text().startswith("#!/")
    assert path.stat().st_mode & stat.S_IXUSR


def test_ci_runs_what_people_run() -> None:
    assert "./scripts/test" in (ROOT / ".ci" / "run").read_text()
    assert any("./scripts/check" in workflow.read_text() for workflow in WORKFLOWS)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_uses_actions_by_commit_and_may_only_read(workflow: Path) -> None:
    text = workflow.read_text()
    uses = re.findall(r"uses: (\S+)", text)
    assert uses
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) for action in uses)
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
