"""The first three minutes of a newcomer: start the service, paste what it prints, see it remember; start it again."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.test_serve import SECONDS, serving

SHELLS = [shell for shell in ("bash", "zsh") if shutil.which(shell)]


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


def printed(process: subprocess.Popen[str]) -> str:
    """What the service says after it listens, to the last line."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "All routes" in line:
            break
    return "".join(lines)


def pasted(shell: str, command: str) -> Any:
    """The answer to a command as printed, in a shell."""
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, timeout=SECONDS, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curls_work_as_printed_and_the_keys_stay(folder: Path) -> None:
    with serving(folder) as (process, _):
        first = printed(process)
        say, look, ask = [block for block in first.split("\n\n") if block.startswith("curl")]
        for shell in SHELLS:
            assert pasted(shell, say)["extraction"] == "scheduled"
        while not (facts := pasted(SHELLS[0], look)["items"]):
            assert process.poll() is None
        assert [fact["value"] for fact in facts] == ["60 €"]
        for shell in SHELLS:
            assert "dès 60 €" in pasted(shell, ask)["block"]
        process.terminate()
        assert process.wait(SECONDS) == 0
    with serving(folder) as (process, _):
        again = printed(process)
        assert [line for line in again.splitlines() if "key" in line and "rt" in line] == [
            line for line in first.splitlines() if "key" in line and "rt" in line
        ]
        process.terminate()
        assert process.wait(SECONDS) == 0
