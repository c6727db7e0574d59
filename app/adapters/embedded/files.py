"""Private files and folders, and the paths that sockets may have."""

import hashlib
import os
import secrets
import stat
from pathlib import Path

from app.adapters.embedded.accounts import Account

TEMPORARY = Path("/tmp")  # noqa: S108  not TMPDIR, which may differ between two who look for one socket
SOCKET_PATH_LIMIT = 100  # the kernel's is 108 bytes on Linux and 104 on macOS, the end of the text included


def keep_secret(path: Path) -> str:
    """The secret kept in the file, 256 random bits made at the first call. The file is the user's alone (0600).

    Two processes at once get the same one: the file appears whole or not at all.
    """
    if not path.exists():
        write_private(draft := path.with_name(f"{path.name}.{secrets.token_hex(4)}"), secrets.token_urlsafe(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was quicker: its secret holds
        finally:
            draft.unlink()
    return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """The file holds the text and is the user's alone, also when it was there with wider rights."""
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text + "\n")


def socket_folder(folder: Path, name: str) -> Path:
    """Where a socket of that name may lie: in the folder, or, its path too long for that, in the temporary one."""
    if len(os.fsencode(folder / name)) <= SOCKET_PATH_LIMIT:
        return folder
    short = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return TEMPORARY / f"retenir-{os.geteuid()}-{short}"


def private_folder(folder: Path, account: Account) -> None:
    """The folder is there and the account's alone. Raises RuntimeError when it is somebody else's."""
    try:
        folder.mkdir(mode=0o700)
        account.own(folder)
    except FileExistsError:
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != account.user:
            raise RuntimeError(f"{folder} belongs to somebody else") from None
        folder.chmod(0o700)
