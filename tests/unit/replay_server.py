"""A little HTTP server that answers as the service promises, and remembers what it was asked."""

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Asked:
    method: str
    path: str
    person: str | None
    key: str | None
    body: Any
    at: float  # seconds of a clock that only goes forward


@dataclass
class Recorder:
    """`planned` answers of a path are given first, in order: a status and headers, or None to hang up."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    planned: dict[str, list[tuple[int, dict[str, str]] | None]] = field(default_factory=lambda: defaultdict(list))
    job_status: str = "done"

    def turns(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path == "/memory/turns"]

    def answer(self, asked: Asked) -> Any:
        match asked.method, asked.path.partition("?")[0].strip("/").split("/"):
            case "POST", ["memory", "turns"]:
                number = len(self.turns())
                stored = 2 if "assistant_message" in asked.body else 1
                return {"job_id": f"job{number}", "stored": stored, "extraction": "scheduled", "correction": False}
            case "GET", ["memory", "jobs", job_id]:
                return {"id": job_id, "status": self.job_status, "error": None}
            case "GET", ["memory", "facts", scope]:
                return {"items": [{"id": "f1", "scope": scope}], "next_cursor": None}
            case "POST", ["orgs", _, "api-keys"]:
                return {"id": "k1", "key": "rtn_made"}
        return {}


@contextmanager
def recording_server() -> Iterator[Recorder]:
    """The server, on a free port of this machine, for the block."""
    recorder = Recorder()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            key = (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None
            asked = Asked(self.command, self.path, self.headers.get("X-User-Id"), key, body, time.monotonic())
            recorder.asked.append(asked)
            plan = recorder.planned[self.path]
            status, headers = 200, dict[str, str]()
            if plan:
                if (planned := plan.pop(0)) is None:
                    self.close_connection = True
                    return
                status, headers = planned
            content = json.dumps(recorder.answer(asked) if status < 400 else {"code": "planned"}).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = handle_one  # noqa: N815  the names that http.server calls

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        recorder.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield recorder
        server.shutdown()
        thread.join()
