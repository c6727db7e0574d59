"""The merchant gold cases, pushed through a running service one by one."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from app.cli.client import Service
from app.cli.player import Player, Tally
from app.cli.tenants import fresh_tenants
from app.cli.transcripts import merchant
from app.cli.transcripts.model import Question, Transcript, moved, up_to

CONSOLIDATIONS = "/memory/consolidations"
CONTRADICTIONS = "/memory/contradictions"


class Bench:
    """The service under measurement, and the tally of everything said to it.

    Each case and each check gets an organisation of its own: nothing is remembered from one to the next.
    """

    def __init__(self, service: Service, platform_key: str) -> None:
        self.tally = Tally()
        self._service = service
        self._platform_key = platform_key
        self._prefix = f"bench-{datetime.now(UTC):%Y%m%dT%H%M%S}"
        self._organisations = 0

    def turn(self, case: dict[str, Any]) -> dict[str, Any]:
        """What the scorer asks of one case of turns.jsonl, once its job is done. Raises ServiceError.

        The case keeps its dates, for the days that it expects are days of the calendar.
        """
        transcript = merchant.turn_case(case)
        player, _ = self._player(transcript)
        answer = player.play().get(transcript.sessions[-1].turns[-1].user.id, {})
        return {
            "facts": list(player.facts(merchant.ORG)),
            "correction": answer.get("correction", False),
            "skipped": answer.get("extraction") == "skipped",
        }

    def check(self, document: dict[str, Any], number: int) -> dict[str, Any]:
        """What the scorer asks of one check of a story, and the routes that it needed and did not find.

        The story is moved so that the check's time of asking is now. Raises ServiceError.
        """
        story = merchant.story(document)
        question, wanted = story.questions[number], document["checks"][number]
        missing = self.tally.unsupported.copy()
        player, keys = self._player(moved(up_to(story, question), datetime.now(UTC) - question.at))
        player.play()
        contradictions = list(self._open_contradictions(question, keys)) if wanted["contradiction"] else []
        missing = self.tally.unsupported - missing
        self._consolidate(keys[question.org])
        served = player.ask(question)
        return {**served, "contradictions": contradictions, "missing": list(missing)}

    def _player(self, transcript: Transcript) -> tuple[Player, dict[str, str]]:
        """A player in a fresh organisation, and its API keys by the transcript's names."""
        self._organisations += 1
        prefix = f"{self._prefix}-{self._organisations}"
        tenants = fresh_tenants(self._service, self._platform_key, transcript, prefix)
        player = Player(self._service, tenants, transcript, self.tally)
        return player, {org: tenant.key for org, tenant in tenants.items()}

    def _offers(self, method: str, path: str) -> bool:
        offered = self._service.offers(method, path)
        self.tally.unsupported[f"{method} {path}"] += not offered
        return offered

    def _consolidate(self, key: str) -> None:
        if self._offers("POST", CONSOLIDATIONS):
            self._service.call("POST", CONSOLIDATIONS, key=key, body={"all": True})

    def _open_contradictions(self, question: Question, keys: dict[str, str]) -> Iterator[list[str]]:
        if self._offers("GET", CONTRADICTIONS):
            asking = {"key": keys[question.org], "person": question.person}
            for found in self._service.pages(CONTRADICTIONS, params={}, **asking):
                if found["status"] == "open":
                    yield [fact["content"] for fact in found["facts"]]
