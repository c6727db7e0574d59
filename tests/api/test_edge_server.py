"""The edge behind a real server and raw sockets: large, slow and broken senders, and what the process pays for them."""

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.api.edge_app import CANARY

ROOT = Path(__file__).parents[2]
LARGE = 64 * 1024 * 1024
BLOCK = b"x" * 65_536
GET_PERSON = b"GET /orgs/o/people/p HTTP/1.1\r\nhost: edge\r\n"
HEAD = b"POST /memory/notes HTTP/1.1\r\nhost: edge\r\ncontent-type: application/json\r\n"
NOTE = HEAD + b'content-length: 14\r\n\r\n{"text": "ok"}'


@dataclass(frozen=True)
class Served:
    """A running service."""

    port: int
    pid: int
    log: Path

    def peak(self) -> int:
        """The most memory it ever held, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("edge") / "log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.api.edge_app"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ},
        )
    assert process.stdout is not None
    with process.stdout as stdout:
        service = Served(int(stdout.readline()), process.pid, log)
    with connect(service) as line:
        line.sendall(NOTE)
        assert (answer(line)[0], works(line)) == (200, True)
    yield service
    process.terminate()
    process.wait(10)


def connect(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=20)


def answer(line: socket.socket) -> tuple[int, dict[str, str], Any]:
    """Status, headers and document of the next answer on this connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += arrived(line)
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = dict(header.lower().split(": ", 1) for header in rest)
    while len(body) < int(headers["content-length"]):
        body += arrived(line)
    return int(first.split()[1]), headers, json.loads(body)


def arrived(line: socket.socket) -> bytes:
    if not (received := line.recv(65_536)):
        raise EOFError("the connection was closed before the answer was whole")
    return received


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


def works(line: socket.socket) -> bool:
    """Whether the next answer on the connection is a good one, and the one to the next request."""
    name = uuid.uuid4().hex
    line.sendall(GET_PERSON + f"x-request-id: {name}\r\n\r\n".encode())
    status, headers, _ = answer(line)
    return (status, headers["x-request-id"]) == (200, name)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of memory from /proc")
@pytest.mark.parametrize("form", ["length", "chunks"])
def test_64_megabytes_are_refused_and_cost_nothing(served: Served, form: str) -> None:
    before = served.peak()
    with connect(served) as line:
        if form == "length":
            line.sendall(HEAD + b"content-length: %d\r\n\r\n" % LARGE)
            for _ in range(LARGE // len(BLOCK)):
                line.sendall(BLOCK)
        else:
            line.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
            for _ in range(LARGE // len(BLOCK)):
                line.sendall(chunk(BLOCK))
            line.sendall(b"0\r\n\r\n")
        status, _, problem = answer(line)
        assert (status, problem["code"]) == (413, "body_too_large")
        assert works(line)
    assert served.peak() - before < 20 * 1024 * 1024


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (
            HEAD.replace(b"application/json", b"text/plain") + b"content-length: 5\r\n\r\nhello",
            415,
            "unsupported_media_type",
        ),
        (HEAD + b"content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello", 415, "unsupported_content_encoding"),
        (HEAD + b"content-length: 5\r\n\r\n[NaN]", 400, "number_not_finite"),
        (HEAD + b"content-length: 100000\r\n\r\n" + b"[" * 100_000, 400, "body_too_many_values"),
        (
            HEAD + b"transfer-encoding: chunked\r\n\r\n" + chunk(b'{"text"') + chunk(b"\xff") + b"0\r\n\r\n",
            400,
            "body_not_utf8",
        ),
        (HEAD + b"content-length: 2\r\n\r\n{}", 422, "invalid_request"),
        (
            GET_PERSON + b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
            400,
            "body_not_expected",
        ),
        (b"GET /orgs/o/people/%00 HTTP/1.1\r\nhost: e\r\n\r\n", 400, "bad_path"),
        (
            GET_PERSON + b"authorization: a\r\nauthorization: b\r\n\r\n",
            400,
            "repeated_header",
        ),
        (b"GET /orgs/o/refusals/accident HTTP/1.1\r\nhost: e\r\n\r\n", 500, "internal"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_next_request_on_the_connection_works(served: Served, request_: bytes, status: int, code: str) -> None:
    with connect(served) as line:
        line.sendall(request_)
        answered, headers, problem = answer(line)
        assert (answered, problem["code"]) == (status, code)
        assert headers["x-request-id"] == problem["request_id"]
        assert works(line)


def test_a_refused_body_that_follows_the_answer_is_no_request(served: Served) -> None:
    """The body of a refused request holds another request; it must be thrown away, not served."""
    with connect(served) as line:
        line.sendall(HEAD + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(NOTE))
        assert answer(line)[0] == 415
        line.sendall(NOTE)
        assert works(line)


def test_an_id_with_a_slash_arrives_whole(served: Served) -> None:
    with connect(served) as line:
        line.sendall(b"DELETE /orgs/o/people/a%2Fb%3D%3D HTTP/1.1\r\nhost: e\r\n\r\n")
        status, _, document = answer(line)
        assert (status, document) == (200, ["o", "a/b=="])


def test_a_body_that_stalls_is_given_up_and_the_connection_closed(served: Served) -> None:
    with connect(served) as line:
        began = time.monotonic()
        line.sendall(HEAD + b'content-length: 14\r\n\r\n{"text"')
        status, headers, problem = answer(line)
        assert (status, problem["code"], headers["connection"]) == (408, "body_timeout", "close")
        assert 0.4 < time.monotonic() - began < 5
        assert line.recv(1) == b""


def test_a_body_that_drips_is_given_up_too(served: Served) -> None:
    with connect(served) as line:
        line.sendall(HEAD + b"content-length: 1000\r\n\r\n")
        line.settimeout(0.05)
        dripped = 0
        while dripped < 100:
            line.sendall(b" ")
            dripped += 1
            try:
                if line.recv(1, socket.MSG_PEEK):
                    break
            except TimeoutError:
                continue
        line.settimeout(20)
        assert answer(line)[0] == 408
        assert dripped < 100


def test_a_sender_that_waits_for_100_is_refused_before_it_sends(served: Served) -> None:
    with connect(served) as line:
        line.sendall(HEAD + b"content-length: %d\r\nexpect: 100-continue\r\n\r\n" % LARGE)
        status, headers, _ = answer(line)
        assert (status, headers["connection"]) == (413, "close")
        assert line.recv(1) == b""


def test_half_an_answer_shows_that_it_is_not_whole(served: Served) -> None:
    with connect(served) as line:
        line.sendall(b"GET /orgs/o/halves HTTP/1.1\r\nhost: e\r\n\r\n")
        received = b""
        while piece := line.recv(65_536):
            received += piece
    assert b"first half" in received
    assert not received.endswith(b"0\r\n\r\n")


def test_the_log_holds_one_json_line_per_event_and_nothing_anybody_said(served: Served) -> None:
    with connect(served) as line:
        line.sendall(f"GET /orgs/{CANARY}/people/p?q={CANARY} HTTP/1.1\r\nhost: {CANARY}\r\n\r\n".encode())
        answer(line)
        body = b'{"count": "%b"}' % CANARY.encode()
        line.sendall(HEAD + b"content-length: %d\r\n\r\n%b" % (len(body), body))
        answer(line)
        line.sendall(b"GET /orgs/o/refusals/accident HTTP/1.1\r\nhost: e\r\n\r\n")
        request_id = answer(line)[1]["x-request-id"]
        line.sendall(b"GET /orgs/o/halves HTTP/1.1\r\nhost: e\r\n\r\n")
        while line.recv(65_536):
            pass
    text = served.log.read_text()
    events = [json.loads(each) for each in text.splitlines()]
    accident = next(each for each in events if each["event"] == "unexpected" and each.get("request_id") == request_id)
    assert accident["error"] == "builtins.KeyError"
    assert accident["at"][-1].endswith(" refuse")
    assert CANARY not in text
    assert any(each["event"].startswith("Exception in ASGI") for each in events)
