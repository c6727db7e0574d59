"""`retenir replay` against a real HTTP server of the test's own: what it sends, when, and what it makes of answers."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from app.cli.client import RefusedError, Service, UnreachableError, retry_after
from app.cli.player import MESSAGE_BYTES
from app.cli.replay import replay
from tests.unit.replay_server import Recorder, recording_server

CHAT = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I took up rowing."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "I sold the van."},
        ],
    },
}


@pytest.fixture
def server() -> Iterator[Recorder]:
    with recording_server() as recorder:
        yield recorder


def run(server: Recorder, folder: Path, *options: str, chat: object = CHAT) -> Result:
    (folder / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    arguments = [str(folder / "chat.json"), "--url", server.url, *options]
    if "--key" not in options:
        arguments += ["--platform-key", "rtp_test"]
    return CliRunner().invoke(replay, arguments, catch_exceptions=False)


def sent_times(server: Recorder) -> list[datetime]:
    return [datetime.fromisoformat(turn.body["user_message"]["sent_at"]) for turn in server.turns()]


def test_each_line_is_said_by_its_speaker_to_an_organisation_made_for_it(server: Recorder, tmp_path: Path) -> None:
    result = run(server, tmp_path, "--org", "mine")
    assert result.exit_code == 0, result.output
    assert [(turn.person, turn.key) for turn in server.turns()] == [("ana", "rtn_made"), ("bo", "rtn_made")]
    assert all("assistant_message" not in turn.body for turn in server.turns())
    made = {(a.method, a.path): a for a in server.asked}
    assert made["PUT", "/orgs/mine-conv-1"].key == "rtp_test"
    assert made["PUT", "/orgs/mine-conv-1/people/bo"].body == {"role": "member", "display_name": "Bo"}
    assert made["PATCH", "/memory/settings"].body == {"share_messages": "store"}
    assert "messages stored: 2" in result.output
    assert "jobs: 2 done" in result.output
    assert "facts: 2 user, 1 org, 1 store" in result.output


def test_times_end_now_and_keep_their_distance(server: Recorder, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    run(server, tmp_path)
    first, last = sent_times(server)
    assert before <= last <= datetime.now(UTC)
    assert last - first == timedelta(seconds=20)


def test_keep_dates_leaves_them(server: Recorder, tmp_path: Path) -> None:
    run(server, tmp_path, "--keep-dates")
    assert sent_times(server)[0] == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_limit_stops_after_that_many_turns(server: Recorder, tmp_path: Path) -> None:
    assert "turns: 1 in" in run(server, tmp_path, "--limit", "1").output
    assert [turn.person for turn in server.turns()] == ["ana"]


def test_an_own_key_replays_into_its_own_organisation(server: Recorder, tmp_path: Path) -> None:
    assert run(server, tmp_path, "--key", "rtn_own", "--org", "shop").exit_code == 0
    assert {asked.key for asked in server.asked} == {"rtn_own"}
    assert "/orgs/shop/people/ana" in [asked.path for asked in server.asked]
    assert ("PUT", "/orgs/shop") not in [(asked.method, asked.path) for asked in server.asked]
    assert run(server, tmp_path, "--key", "rtn_own").exit_code == 2


def test_a_429_is_said_again_when_retry_after_has_passed(server: Recorder, tmp_path: Path) -> None:
    server.planned["/memory/turns"] = [(429, {"Retry-After": "1"})]
    assert run(server, tmp_path, "--limit", "1").exit_code == 0
    first, second = server.turns()
    assert second.body == first.body
    assert second.at - first.at >= 1


def test_a_connection_that_breaks_is_tried_again(server: Recorder, tmp_path: Path) -> None:
    server.planned["/memory/turns"] = [None, (503, {})]
    assert run(server, tmp_path, "--limit", "1").exit_code == 0
    assert len(server.turns()) == 3


def test_a_refused_turn_is_named_and_the_rest_goes_on(server: Recorder, tmp_path: Path) -> None:
    server.planned["/memory/turns"] = [(422, {})]
    result = run(server, tmp_path)
    assert result.exit_code == 1
    assert "turns: 1 in" in result.output
    assert "POST /memory/turns: 422 planned" in result.output


def test_a_job_that_is_not_done_is_a_failure(server: Recorder, tmp_path: Path) -> None:
    server.job_status = "dead"
    result = run(server, tmp_path)
    assert result.exit_code == 1
    assert "jobs: 2 dead" in result.output


def test_a_message_longer_than_the_service_takes_is_cut_and_counted(server: Recorder, tmp_path: Path) -> None:
    line = {"speaker": "Ana", "dia_id": "D1:1", "text": "é" * MESSAGE_BYTES}
    chat = {**CHAT, "conversation": {**CHAT["conversation"], "session_1": [line]}}  # type: ignore[dict-item]
    result = run(server, tmp_path, chat=chat)
    assert server.turns()[0].body["user_message"]["content"] == "é" * (MESSAGE_BYTES // 2)
    assert "messages cut to what the service takes: 1" in result.output


def test_another_kind_of_file_sends_nothing(server: Recorder, tmp_path: Path) -> None:
    result = run(server, tmp_path, chat={"hello": 1})
    assert result.exit_code == 1
    assert "neither a LoCoMo" in result.output
    assert server.asked == []


def test_patience_ends(server: Recorder) -> None:
    server.planned["/a"] = [(503, {"Retry-After": "0"})] * 3
    server.planned["/b"] = [(503, {"Retry-After": "3600"})]
    server.planned["/c"] = [None] * 2
    with Service(server.url, tries=2) as service:
        with pytest.raises(RefusedError, match="503 planned"):
            service.call("GET", "/a")
        with pytest.raises(RefusedError, match="503 planned"):
            service.call("GET", "/b")
        with pytest.raises(UnreachableError, match="no answer"):
            service.call("GET", "/c")
    assert [asked.path for asked in server.asked] == ["/a", "/a", "/b", "/c", "/c"]


NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
        ("soon", 0.5),
        ("-3", 0.5),
        ("", 0.5),
    ],
)
def test_retry_after_is_seconds_or_a_date(said: str, seconds: float) -> None:
    assert retry_after(httpx.Response(429, headers={"Retry-After": said}), now=NOW, otherwise=0.5) == seconds
