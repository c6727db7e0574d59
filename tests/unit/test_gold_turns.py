"""The rules against labelled turns that lie outside the project (`RETENIR_DATA`, else `../shared/data`)."""

import importlib
import json
import logging
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.adapters.extractors.rules.extractor import RulesExtractor
from app.domain.corrections import opens_correction
from app.domain.drafts import ExtractionRequest, check_all
from app.domain.noremember import is_noremember

DATA = Path(os.environ.get("RETENIR_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
MERCHANT = DATA / "merchant"
LEAST_PLAIN_RECALL, MOST_BAD_FACTS = 0.8, 0.02


async def test_labelled_turns_are_read_well_and_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = MERCHANT / "turns.jsonl"
    if not turns.exists():
        logging.getLogger(__name__).warning("no labelled turns at %s: nothing was measured", turns)
        return
    monkeypatch.syspath_prepend(str(MERCHANT / "tools"))
    scorer = importlib.import_module("score")
    cases = [json.loads(line) for line in turns.read_text(encoding="utf-8").splitlines()]
    scores = scorer.score_turns(cases, {case["id"]: await answered(case) for case in cases})
    logging.getLogger(__name__).warning("labelled turns: %s", scores)
    assert scores["recall_plain"] >= LEAST_PLAIN_RECALL
    assert scores["fact_precision"] >= 1 - MOST_BAD_FACTS
    assert scores["forbidden_leak"] == 0
    assert scores["skipped_accuracy"] == 1


async def answered(case: dict[str, Any]) -> dict[str, Any]:
    """What is learnt of one labelled turn, in the scorer's shape."""
    if is_noremember(case["user"]):
        return {"facts": [], "correction": False, "skipped": True}
    before, sent_at = case["before"] or {}, datetime.fromisoformat(case["sent_at"])
    since = sent_at - datetime.fromisoformat(before["assistant_sent_at"]) if before else None
    correction = opens_correction(case["user"], since, before.get("assistant"))
    request = ExtractionRequest(
        user_text=case["user"],
        assistant_text=case["assistant"],
        previous_assistant=before.get("assistant"),
        sent_at=sent_at,
        language=case["lang"],
        contact=case["role"] is None,
        correction=correction,
    )
    drafts, _ = check_all((await RulesExtractor().extract(request)).drafts, request)
    facts = [
        {
            "key": draft.key,
            "value": draft.value,
            "content": draft.content,
            "tags": list(draft.tags),
            "valid_from": draft.valid_from.isoformat() if draft.valid_from else None,
        }
        for draft in drafts
    ]
    return {"facts": facts, "correction": correction, "skipped": False}
