"""The files that `retenir replay` reads: each kind, small and made up here, and the moving of its times."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.cli.transcripts import beam, locomo
from app.cli.transcripts.files import parse
from app.cli.transcripts.model import (
    Erasure,
    Pin,
    Transcript,
    UnknownShapeError,
    ending_at,
    identifier,
    shortened,
    up_to,
)

LOCOMO = {
    "sample_id": "conv-7",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo Li",
        "session_1_date_time": "12:05 am on 1 March, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I took up rowing."},
            {"speaker": "Bo Li", "dia_id": "D1:2", "text": "I sold the van."},
        ],
        "session_2_date_time": "1:56 pm on 18 May, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "Rowing still.", "img_url": ["x"]}],
        "session_3_date_time": "2:00 pm on 19 May, 2023",
    },
}


def said(role: str, number: int, content: str, **more: str) -> dict[str, Any]:
    return {"role": role, "id": number, "content": content, **more}


BEAM = [
    {
        "batch_number": 1,
        "turns": [
            [
                said("user", 0, "My deadline is in May. ->-> 1,1", time_anchor="March-05-2024"),
                said("assistant", 1, "Noted -> May."),
                said("user", 2, "Is 3 -> 4 right? ->->  3,8"),
                said("assistant", 3, "Yes."),
            ],
            [said("user", 4, "Nobody answers this. ->-> 2,N/A")],
        ],
    },
    {"batch_number": 2, "turns": [[said("user", 5, "A new day.", time_anchor="April-01-2024")]]},
]


def story_turn(user: str, sent_at: str, assistant_sent_at: str) -> dict[str, Any]:
    return {"user": user, "assistant": "Noté.", "sent_at": sent_at, "assistant_sent_at": assistant_sent_at}


def story_session(*turns: dict[str, Any]) -> dict[str, Any]:
    where = {"org_id": "o", "store_id": "s", "user_id": "+331", "agent_id": "maya"}
    return {"channel": "whatsapp", "at": turns[0]["sent_at"], **where, "turns": list(turns)}


def check(after: int | str, at: str) -> dict[str, Any]:
    asker = {"org_id": "o", "user_id": "+331", "store_id": "s", "agent_id": "atlas"}
    return {"after": after, "at": at, "as": asker, "query": "Combien ?"}


STORY = {
    "id": "x01",
    "lang": "fr",
    "people": [{"user_id": "+331", "org_id": "o", "role": None, "name": "Zoé"}],
    "stores": [{"store_id": "s", "org_id": "o", "name": "Chez Zoé"}],
    "sessions": [
        story_session(story_turn("Un.", "2026-03-28T09:00:00+01:00", "2026-03-28T09:00:07+01:00")),
        story_session(
            story_turn("Deux.", "2026-03-30T09:00:00+02:00", "2026-03-30T09:00:07+02:00"),
            story_turn("Trois.", "2026-03-30T09:01:30.5+02:00", "2026-03-30T09:01:40+02:00"),
        ),
    ],
    "actions": [
        {"after": 0, "do": "pin", "any_of": ["un"]},
        {"after": 1, "do": "erase_message", "session": 1, "turn": 0},
    ],
    "checks": [check(0, "2026-03-28T10:00:00+01:00"), check("end", "2026-04-01T10:00:00+02:00")],
}
TURN = {
    "id": "t9",
    "lang": "en",
    "channel": "web",
    "role": "admin",
    "sent_at": "2026-06-01T10:00:20+00:00",
    "user": "Actually, it is 80.",
    "assistant": "80 then.",
    "before": {
        "user": "Shipping?",
        "assistant": "60, I think.",
        "sent_at": "2026-06-01T10:00:00+00:00",
        "assistant_sent_at": "2026-06-01T10:00:07+00:00",
    },
}


def one(document: object) -> Transcript:
    [transcript] = parse(json.dumps(document), name="folder-file")
    return transcript


def times(transcript: Transcript) -> list[datetime]:
    return [m.sent_at for session in transcript.sessions for turn in session.turns for m in turn.messages()]


def test_locomo_is_two_members_of_one_store_who_share_their_messages() -> None:
    transcript = one(LOCOMO)
    assert [(p.id, p.role, p.name) for p in transcript.people] == [
        ("ana", "member", "Ana"),
        ("bo-li", "member", "Bo Li"),
    ]
    assert (transcript.name, len(transcript.stores), transcript.share_messages) == ("conv-7", 1, "store")
    assert [len(session.turns) for session in transcript.sessions] == [2, 1]
    turns = [turn for session in transcript.sessions for turn in session.turns]
    assert [(t.person, t.user.id) for t in turns] == [("ana", "D1:1"), ("bo-li", "D1:2"), ("ana", "D2:1")]
    assert all(turn.assistant is None for turn in turns)


def test_locomo_lines_follow_each_other_from_the_session_s_time() -> None:
    first, second, third = times(one(LOCOMO))
    assert first == datetime(2023, 3, 1, 0, 5, tzinfo=UTC)
    assert second == first + locomo.BETWEEN_LINES
    assert third == datetime(2023, 5, 18, 13, 56, tzinfo=UTC)


def test_beam_is_a_user_with_an_assistant_and_loses_the_numbering_at_the_end() -> None:
    transcript = one(BEAM)
    turns = [turn for session in transcript.sessions for turn in session.turns]
    assert [turn.user.content for turn in turns] == [
        "My deadline is in May.",
        "Is 3 -> 4 right?",
        "Nobody answers this.",
        "A new day.",
    ]
    assert [turn.assistant.content if turn.assistant else None for turn in turns] == [
        "Noted -> May.",
        "Yes.",
        None,
        None,
    ]
    assert [turn.user.id for turn in turns] == ["0", "2", "4", "5"]
    assert transcript.name == "folder-file"


def test_each_beam_batch_begins_on_its_own_day() -> None:
    first, _, second, _, third, later = times(one(BEAM))
    assert first == datetime(2024, 3, 5, 9, tzinfo=UTC)
    assert [second - first, third - second] == [beam.BETWEEN_TURNS] * 2
    assert later == datetime(2024, 4, 1, 9, tzinfo=UTC)


def test_a_story_keeps_its_people_pockets_actions_and_questions() -> None:
    transcript = one(STORY)
    assert [(p.id, p.role) for p in transcript.people] == [("+331", None)]
    assert {(s.agent, s.channel, s.turns[0].person) for s in transcript.sessions} == {("maya", "whatsapp", "+331")}
    assert transcript.actions == (Pin(0, ("un",)), Erasure(1, session=1, turn=0))
    assert [(q.after, q.agent) for q in transcript.questions] == [(0, "atlas"), (1, "atlas")]


def test_a_turn_case_is_said_after_the_turn_before_it_in_one_conversation() -> None:
    transcript = one(TURN)
    [session] = transcript.sessions
    assert [turn.user.content for turn in session.turns] == ["Shipping?", "Actually, it is 80."]
    assert session.turns[1].user.sent_at - session.turns[0].user.sent_at == timedelta(seconds=20)
    assert transcript.people[0].role == "admin"
    assert times(transcript)[-1] == datetime(2026, 6, 1, 10, 0, 25, tzinfo=UTC)
    assert one({**TURN, "before": None}).turn_count == 1


def test_a_file_of_lines_is_a_transcript_a_line() -> None:
    lines = "\n".join(json.dumps({**TURN, "id": f"t{n}"}) for n in range(3)) + "\n"
    assert [transcript.name for transcript in parse(lines, name="turns")] == ["t0", "t1", "t2"]


@pytest.mark.parametrize("document", [LOCOMO, BEAM, STORY, TURN], ids=["locomo", "beam", "story", "turn"])
def test_ids_are_unique_within_their_conversation(document: object) -> None:
    transcript = one(document)
    conversations = [session.id for session in transcript.sessions]
    assert len(conversations) == len(set(conversations))
    for session in transcript.sessions:
        ids = [message.id for turn in session.turns for message in turn.messages()]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("document", [LOCOMO, BEAM, STORY, TURN], ids=["locomo", "beam", "story", "turn"])
def test_moving_ends_it_now_and_changes_no_distance(document: object) -> None:
    transcript, now = one(document), datetime(2031, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    moved = ending_at(transcript, now)
    assert max(times(moved)) == now
    steps = {after - before for before, after in zip(times(transcript), times(moved), strict=True)}
    steps |= {a.at - b.at for b, a in zip(transcript.questions, moved.questions, strict=True)}
    assert steps == {now - transcript.last_said_at}


def test_the_first_turns_keep_what_follows_whole_sessions_only() -> None:
    transcript = shortened(one(STORY), 2)
    assert [len(session.turns) for session in transcript.sessions] == [1, 1]
    assert (transcript.actions, [q.after for q in transcript.questions]) == ((Pin(0, ("un",)),), [0])
    assert shortened(one(STORY), 3) == one(STORY)


def test_up_to_a_question_is_what_had_happened_by_then() -> None:
    story = one(STORY)
    before = up_to(story, story.questions[0])
    assert (len(before.sessions), before.actions, before.questions) == (1, story.actions[:1], ())
    assert len(up_to(story, story.questions[1]).sessions) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "neither a LoCoMo"),
        ("not json", "Expecting value"),
        ("[]", "neither a LoCoMo"),
        (json.dumps({"conversation": {"speaker_a": "A"}}), "'speaker_b' is missing"),
        (json.dumps([{"turns": []}]), "names no day"),
        (json.dumps({**STORY, "actions": [{"after": 0, "do": "sing"}]}), "'sing'"),
        (json.dumps({**STORY, "sessions": [], "actions": [], "checks": []}), "nobody says anything"),
        (json.dumps({**TURN, "sent_at": "yesterday"}), "yesterday"),
    ],
)
def test_another_kind_of_file_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(UnknownShapeError, match=said) as refusal:
        parse(text, name="folder-file")
    assert str(refusal.value).startswith("folder-file: ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Bo Li", "Bo-Li"), ("Zoé", "Zo"), ("..", "x"), ("", "x"), ("+44=/|", "+44=/|"), ("a" * 300, "a" * 100)],
)
def test_an_identifier_is_one_that_the_service_takes(text: str, expected: str) -> None:
    assert identifier(text) == expected
