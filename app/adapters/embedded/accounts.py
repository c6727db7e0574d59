"""Under which account a server runs: Postgres refuses root, so root lends it an account without rights."""

import os
import pwd
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine."""

    user: int
    group: int

    @property
    def is_ours(self) -> bool:
        return self.user == os.geteuid()

    @property
    def process(self) -> Mapping[str, Any]:
        """Arguments that make `subprocess` run a program under the account."""
        return {} if self.is_ours else {"user": self.user, "group": self.group, "extra_groups": []}

    def own(self, *paths: Path) -> None:
        """Make the files the account's."""
        if not self.is_ours:
            for path in paths:
                os.chown(path, self.user, self.group)

    def reaches(self, path: Path) -> bool:
        """The account may pass through the folder and all above it. Access lists are not looked at."""
        return self.is_ours or all(self._passes(folder) for folder in (path, *path.parents))

    def _passes(self, folder: Path) -> bool:
        status = folder.stat()
        owns = status.st_uid == self.user
        return bool(status.st_mode & (stat.S_IXUSR if owns else stat.S_IXOTH))


def server_account() -> Account:
    """Ours, or for root the account `postgres`, else `nobody`. Raises RuntimeError when root has neither."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise RuntimeError("Postgres does not run as root, and there is no account `postgres` or `nobody` to run it under")
