"""The French recall set agrees with itself: who speaks, when, what is asked, and which messages answer."""

import json
import re
from collections import Counter
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.cli.transcripts.model import Message, Transcript, UnknownShapeError
from scripts.benchmarks.french import ASSISTANT, CATEGORIES, FOLDER, agreement, files, load
from scripts.benchmarks.questions import Question

LEAST_CONVERSATIONS, LEAST_MESSAGES, LEAST_QUESTIONS = 6, 100, 150
LEAST_OF = {"simple": 30, "multi": 25, "temps": 25, "qui": 20, "mise_a_jour": 20, "contradiction": 10}
LEAST_OF |= {"paraphrase": 25, "court": 10}
MOST_EVIDENCE = 4

each = pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)


def messages(transcript: Transcript) -> list[Message]:
    return [said for session in transcript.sessions for turn in session.turns for said in turn.messages()]


def everything() -> list[tuple[Transcript, list[Question]]]:
    return [load(path) for path in files()]


def test_there_is_enough_of_it() -> None:
    loaded = everything()
    assert len(loaded) >= LEAST_CONVERSATIONS
    assert all(len(messages(transcript)) >= LEAST_MESSAGES for transcript, _ in loaded)
    of = Counter(asked.category for _, questions in loaded for asked in questions)
    assert of.total() >= LEAST_QUESTIONS
    assert of.keys() == set(CATEGORIES)
    assert {name: of[name] for name in LEAST_OF if of[name] < LEAST_OF[name]} == {}


def test_two_people_talk_in_some_and_an_assistant_answers_in_others() -> None:
    loaded = everything()
    assert sum(len(transcript.people) == 2 for transcript, _ in loaded) >= 3
    answered = [
        any(turn.assistant for session in transcript.sessions for turn in session.turns) for transcript, _ in loaded
    ]
    assert sum(answered) >= 3
    assert not all(answered)


def test_no_id_and_no_words_are_there_twice() -> None:
    loaded = everything()
    said = [message for transcript, _ in loaded for message in messages(transcript)]
    asked = [question for _, questions in loaded for question in questions]
    for ids in ([message.id for message in said], [question.id for question in asked]):
        assert [name for name, count in Counter(ids).items() if count > 1] == []
    texts = Counter(message.content for message in said if len(message.content) > 20)
    assert [text for text, count in texts.items() if count > 1] == []
    assert [text for text, count in Counter(question.text for question in asked).items() if count > 1] == []


@each
def test_is_said_in_order_by_people_who_are_named(path: Path) -> None:
    transcript, _ = load(path)
    times = [message.sent_at for message in messages(transcript)]
    assert all(time.utcoffset() is not None for time in times)
    assert all(before < after for before, after in pairwise(times))
    assert (times[-1] - times[0]).days >= 120
    assert 8 <= len(transcript.sessions) <= 14
    speakers = {turn.person for session in transcript.sessions for turn in session.turns}
    assert speakers == {person.id for person in transcript.people}


@each
def test_no_message_is_lost_on_the_way_to_turns(path: Path) -> None:
    written = [said for session in document(path)["sessions"] for said in session["messages"]]
    read = messages(load(path)[0])
    assert [(message.id, message.content) for message in read] == [(said["id"], said["text"]) for said in written]
    answers = {turn.assistant.id for s in load(path)[0].sessions for turn in s.turns if turn.assistant}
    assert answers == {said["id"] for said in written if said["from"] == ASSISTANT}


@each
def test_every_question_is_answered_by_messages_of_its_conversation(path: Path) -> None:
    transcript, questions = load(path)
    known = {message.id for message in messages(transcript)}
    for asked in questions:
        assert asked.category in CATEGORIES, asked.id
        assert 1 <= len(asked.evidence) <= MOST_EVIDENCE, asked.id
        assert asked.evidence <= known, asked.id
    for labelled in document(path)["questions"]:
        assert set(labelled["first"]) | set(labelled["second"]) <= known, labelled["id"]
        assert labelled["first"], labelled["id"]
        assert labelled["second"], labelled["id"]


@each
def test_a_newer_value_is_said_after_the_older_one(path: Path) -> None:
    transcript, questions = load(path)
    when: dict[str, datetime] = {message.id: message.sent_at for message in messages(transcript)}
    for asked in questions:
        assert bool(asked.newer) == bool(asked.older) == (asked.category == "mise_a_jour"), asked.id
        if asked.newer:
            assert asked.newer | asked.older == asked.evidence, asked.id
            assert max(map(when.__getitem__, asked.older)) < min(map(when.__getitem__, asked.newer)), asked.id


@each
def test_a_contradiction_has_two_sides(path: Path) -> None:
    for asked in load(path)[1]:
        assert len(asked.sides) == (2 if asked.category == "contradiction" else 0), asked.id
        if asked.sides:
            assert all(asked.sides), asked.id
            assert frozenset.union(*asked.sides) == asked.evidence, asked.id


def test_the_readme_states_the_counts_and_the_agreement() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    stated = " ".join(readme.split())
    of = Counter(asked.category for _, questions in everything() for asked in questions)
    found = agreement(files())
    assert f"the same for {found.same} of {of.total()} questions" in stated
    assert f"Jaccard index is {found.jaccard:.3f}" in stated
    assert f"kappa is {found.kappa:.3f}" in stated
    for category, count in of.items():
        assert f"| `{category}` | {count} |" in stated
    for path in files():
        transcript, questions = load(path)
        counts = f"| {len(transcript.sessions)} | {len(messages(transcript))} | {len(questions)} |"
        assert re.search(rf"\| `{path.stem}` \|[^|]+\|[^|]+{re.escape(counts)}", stated), path.stem


@pytest.mark.parametrize("speakers", [["assistant", "a"], ["a", "assistant", "assistant"]])
def test_an_assistant_only_answers(tmp_path: Path, speakers: list[str]) -> None:
    said = [
        {"id": f"m{number}", "from": speaker, "at": f"2026-01-05T09:0{number}:00+01:00", "text": "Oui."}
        for number, speaker in enumerate(speakers)
    ]
    path = tmp_path / "x.json"
    session = {"id": "s", "channel": "web", "messages": said}
    head = {"name": "x", "language": "fr", "store": "X", "people": [{"id": "a", "role": "owner", "name": "A"}]}
    path.write_text(json.dumps({**head, "sessions": [session], "questions": []}), encoding="utf-8")
    with pytest.raises(UnknownShapeError):
        load(path)


def document(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
