"""Logs as a process really writes them, read from its stderr."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CANARY = "canary-4711"
SAY = "import logging, structlog\nlog = structlog.stdlib.get_logger('retenir.test')\n"
FAIL = f"""
def fail():
    secret = "{CANARY}"
    try:
        raise ValueError("row {CANARY}")
    except ValueError as error:
        raise RuntimeError("over {CANARY}") from error
"""


def written(program: str, form: str = "json", level: str = "info") -> str:
    start = f"from app.adapters.logs import configure_logging\nconfigure_logging({form!r}, {level!r})\n"
    done = subprocess.run([sys.executable, "-c", start + SAY + program], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == b""
    return done.stderr.decode()


def events(program: str, level: str = "info") -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(program, level=level).splitlines()]


def test_both_kinds_of_loggers_write_the_same_line() -> None:
    ours, theirs = events("log.info('started', port=8000)\nlogging.getLogger('some.library').warning('told %s', 'you')")
    assert ours["timestamp"] <= theirs["timestamp"]
    assert {**ours, "timestamp": ""} == {
        "event": "started", "port": 8000, "level": "info", "logger": "retenir.test", "timestamp": "",
    }  # fmt: skip
    assert {**theirs, "timestamp": ""} == {
        "event": "told you", "level": "warning", "logger": "some.library", "timestamp": "",
    }  # fmt: skip


@pytest.mark.parametrize("logger", ["log", "logging.getLogger('some.library')"])
@pytest.mark.parametrize("form", ["json", "console"])
def test_an_exception_is_told_by_types_and_places(logger: str, form: str) -> None:
    text = written(f"{FAIL}\ntry:\n    fail()\nexcept RuntimeError:\n    {logger}.exception('broke')", form)
    assert "builtins.RuntimeError < builtins.ValueError" in text
    assert " fail" in text
    assert CANARY not in text


def test_a_forgotten_task_does_not_spell_out_its_exception() -> None:
    forget = f"""
import asyncio, gc
async def fail():
    raise ValueError("{CANARY}")
async def main():
    asyncio.get_running_loop().create_task(fail())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
asyncio.run(main())
"""
    [event] = events(forget)
    assert event["event"] == "Task exception was never retrieved"
    assert event["error"] == "builtins.ValueError"
    assert CANARY not in str(event)


def test_addresses_are_not_logged_and_the_level_holds() -> None:
    quiet = f"""
logging.getLogger('httpx').info('GET http://host/{CANARY}')
logging.getLogger('uvicorn.access').info('GET /{CANARY}')
logging.getLogger('uvicorn.error').info('up')
log.debug('hidden')
"""
    assert [event["event"] for event in events(quiet)] == ["up"]
    assert [event["event"] for event in events(quiet, "debug")] == ["up", "hidden"]


def test_setting_it_up_twice_writes_each_line_once() -> None:
    assert len(events("configure_logging('json')\nlog.info('once')")) == 1
