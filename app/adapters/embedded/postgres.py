"""An embedded PostgreSQL: one server for all processes that name its folder, ended by the last of them."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, urlencode

from app.adapters.embedded import homes
from app.adapters.embedded.accounts import Account, server_account
from app.adapters.embedded.cluster import SUPERUSER, Cluster
from app.adapters.embedded.locks import Sharing


class EmbeddedPostgres:
    """A server with its files below `root`, reached by a unix socket only, with passwords.

    It survives the death of whoever started it: the next `start` on that folder takes it over.
    `settings` are those of postgresql.conf; a server that already runs keeps its own.
    """

    def __init__(self, root: Path, settings: Mapping[str, str] | None = None) -> None:
        self._root = root
        self._settings = settings or {}

    def start(self) -> None:
        """The server answers until `stop`. Raises RuntimeError, with the end of its log, when it cannot."""
        self._sharing.join()

    def stop(self) -> bool:
        """Use it no longer. True if nobody else did, and the server has ended."""
        return self._sharing.leave()

    def url(
        self, *, driver: str = "", user: str = SUPERUSER, password: str | None = None, database: str = "postgres"
    ) -> str:
        """The address, for a driver of SQLAlchemy or for none. With no password given it is the superuser's."""
        scheme = f"postgresql+{driver}" if driver else "postgresql"
        secret = self._cluster.password if password is None else password
        where = urlencode({"host": str(self._cluster.socket_folder)}, quote_via=quote)
        return f"{scheme}://{user}:{quote(secret, safe='')}@/{database}?{where}"

    @cached_property
    def _account(self) -> Account:
        return server_account()

    @cached_property
    def _home(self) -> Path:
        return homes.settle(self._root.absolute(), self._account)

    @cached_property
    def _sharing(self) -> Sharing:
        return Sharing(
            self._home, lambda: self._cluster.ensure_running(self._settings), lambda: self._cluster.shut_down()
        )

    @cached_property
    def _cluster(self) -> Cluster:
        return Cluster(self._home, homes.postgres_programs(self._home, self._account), self._account)
