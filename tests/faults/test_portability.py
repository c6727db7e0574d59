"""`retenir export` and `retenir import` over HTTP: the same memory lands elsewhere, whoever is killed on the way."""

import asyncio
import re
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from app.cli import main
from tests.faults.programs import Service, running
from tests.faults.stand import Stand, Tenant
from tests.support.talk import FREE_FROM_60, tell, write
from tests.support.trips import export, require_same

FACTS, KILLS = 120, 4


async def retenir(service: Service, *command: str) -> Result:
    """The command's outcome, given the address of the service."""
    return await asyncio.to_thread(CliRunner().invoke, main, [*command, "--url", service.address])


@pytest.fixture
async def remembering(client: httpx.AsyncClient, tenant: Tenant) -> Tenant:
    await tell(client, FREE_FROM_60, store_id=None, answer="Je note 60 €.")
    for number in range(FACTS):
        await write(client, "org", f"shipping.n{number}", f"{number} €", tags=["a"])
    await settled(client)
    return tenant


async def settled(client: httpx.AsyncClient) -> None:
    """No job is under way any more."""
    patience = time.monotonic() + 60
    while time.monotonic() < patience:
        jobs = (await client.get("/memory/jobs")).json()["items"]
        if all(job["status"] in ("done", "dead") for job in jobs):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("jobs do not end")


async def test_out_and_in_again_by_two_commands(
    stand: Stand, service: Service, remembering: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    """With a key made for the purpose, and with one that is given."""
    file = tmp_path / "memory.ndjson"
    before = await export(client)
    made = await retenir(service, "export", remembering.org_id, "-o", str(file), "--platform-key", stand.platform_key)
    assert made.exit_code == 0, made.output
    there = await stand.organisation(service)
    landed = await retenir(service, "import", there.org_id, str(file), "--key", there.key)
    assert landed.exit_code == 0, landed.output
    assert "done: " in landed.stdout
    async with there.client(service) as beyond:
        after = await export(beyond)
    require_facts(before, after)
    again = await retenir(service, "import", there.org_id, str(file), "--key", there.key)
    assert again.exit_code == 0, again.output
    assert "stored: 0" in again.stdout


def require_facts(before: bytes, after: bytes) -> None:
    """The export in the middle left its own lines in the trail, keys were made, a worker may have compared facts."""
    before, after = (re.sub(rb'"compared_at":"[^"]*"', b'"compared_at":null', file) for file in (before, after))
    require_same(before, after, but=("events", "people"))


async def test_what_is_refused_is_said_and_ends_with_1(service: Service, tenant: Tenant, tmp_path: Path) -> None:
    file = tmp_path / "memory.ndjson"
    file.write_text('{"type":"organisation","record":{"org_id":"a","name":"b"}}\n{"type":"store"}\n')
    answer = await retenir(service, "import", tenant.org_id, str(file), "--key", tenant.key)
    assert answer.exit_code == 1
    assert "/lines/2/record" in answer.output
    other = await retenir(service, "import", "another", str(file), "--key", tenant.key)
    assert (other.exit_code, "404" in other.output) == (1, True)


async def test_killed_again_and_again_it_lands_once(
    stand: Stand, service: Service, remembering: Tenant, client: httpx.AsyncClient
) -> None:
    """The service takes the file in; workers that bring it in are killed one after the other."""
    asked = await client.post("/memory/consolidations", json={"all": True})  # else the day's would find something there
    assert asked.status_code == 202, asked.text
    await settled(client)
    before = await export(client, lines=True)
    taking = stand.service(RETENIR_WORKER_IN_PROCESS="false")
    service.kill()
    with running(taking):
        there = await stand.organisation(taking)
        async with there.client(taking, None) as owner:
            sent = await owner.post("/memory/import", content=before, headers={"Content-Type": "application/x-ndjson"})
            assert sent.status_code == 202, sent.text
            path = f"/memory/jobs/{sent.json()['id']}"
            for pause in range(KILLS):
                worker = stand.worker()
                with running(worker):
                    await asyncio.sleep(0.3 * pause)
            with running(stand.worker()):
                await settled(owner)
            job = (await owner.get(path)).json()
            assert (job["status"], job["result"]["done"]) == ("done", job["result"]["total"])
            require_facts(before, await export(owner))
    service.start()


LINES = b'{"type":"fact","record":{}}\n'
MANIFEST = b'{"type":"manifest","record":{}}\n'


def chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (chunk(LINES) + chunk(MANIFEST) + chunk(b""), 0),
        (chunk(LINES) + chunk(b""), 1),
        (chunk(LINES), 1),
        (chunk(LINES + MANIFEST), 1),
    ],
    ids=["whole", "without its manifest", "cut", "cut behind its manifest"],
)
async def test_a_file_of_unknown_length_is_whole_or_said_not_to_be(answer: bytes, code: int, tmp_path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n" + answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        asked = ["export", "shop", "-o", str(tmp_path / "memory.ndjson"), "--key", "rtn_key", "--url", url]
        told = await asyncio.to_thread(CliRunner().invoke, main, asked)
    assert (told.exit_code, "not whole" in told.output) == (code, bool(code)), told.output
    assert (tmp_path / "memory.ndjson").read_bytes().startswith(LINES)
