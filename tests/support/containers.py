"""The tests' servers as containers, where an engine answers and RETENIR_TEST_SERVERS=containers asks for it.

The images are those of docker-compose.yml. Each test worker has servers of its own.
"""

from pathlib import Path
from urllib.parse import quote

from testcontainers.community.postgres import PostgresContainer
from testcontainers.community.redis import RedisContainer

from app.adapters.embedded.files import keep_secret

POSTGRES_IMAGE, VALKEY_IMAGE = "pgvector/pgvector:pg18", "valkey/valkey:9"
_SUPERUSER = "postgres"


class ContainerPostgres:
    """What an embedded Postgres offers the tests, out of a container."""

    def __init__(self, secrets: Path, settings: dict[str, str]) -> None:
        self._password = keep_secret(secrets / "superuser.password")
        self._container = PostgresContainer(POSTGRES_IMAGE, username=_SUPERUSER, password=self._password)
        self._container.with_command(" ".join(f"-c {name}={value}" for name, value in settings.items()))

    def start(self) -> None:
        """The server answers until `stop`."""
        self._container.start()

    def stop(self) -> bool:
        """It is gone, with its data."""
        self._container.stop()
        return True

    def url(
        self, *, driver: str = "", user: str = _SUPERUSER, password: str | None = None, database: str = "postgres"
    ) -> str:
        """The address; with no password given it is the superuser's."""
        scheme = f"postgresql+{driver}" if driver else "postgresql"
        secret = quote(self._password if password is None else password, safe="")
        host, port = self._container.get_container_host_ip(), self._container.get_exposed_port(5432)
        return f"{scheme}://{user}:{secret}@{host}:{port}/{database}"


class ContainerValkey:
    """What an embedded Valkey offers the tests, out of a container."""

    def __init__(self) -> None:
        self._container = RedisContainer(VALKEY_IMAGE)

    def start(self) -> None:
        """The server answers until `stop`."""
        self._container.start()

    def stop(self) -> bool:
        """It is gone."""
        self._container.stop()
        return True

    def url(self) -> str:
        """The address."""
        return f"redis://{self._container.get_container_host_ip()}:{self._container.get_exposed_port(6379)}/0"
