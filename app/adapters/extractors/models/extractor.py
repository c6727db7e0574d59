"""One question to a model about each turn, and nothing said about it."""

import time
from collections.abc import Callable
from typing import Final

import structlog

from app.adapters.extractors.models.answers import raw_drafts
from app.adapters.extractors.models.evidence import grounded, stated_words
from app.adapters.extractors.models.prompt import question
from app.adapters.extractors.models.wire import BadAnswerError, Question, Reply, Wire
from app.adapters.providers import Limits, Provider, ProviderError
from app.domain.drafts import ExtractionRequest
from app.domain.tokens import estimate
from app.domain.usage import ModelUse
from app.ports.extractors import NO_USE, Extraction, ExtractionFailed, ExtractorAway

_DETAIL: Final = "The language model did not answer as it should; the turn is read again later."
_ONE_CALL: Final = ModelUse(calls=1)

_log = structlog.get_logger(__name__)


class ModelExtractor:
    """Asks the provider behind `wire` about each turn, once. Trying again is the job's affair."""

    metered = True

    def __init__(
        self, name: str, wire: Wire, limits: Limits | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._wire = wire
        self._provider = Provider(limits or Limits(), now)

    @property
    def answers(self) -> bool:
        """Whether the provider is thought to be there."""
        return self._provider.answers

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Drafts with evidence out of what the speaker stated; a message that states nothing is not sent.

        A fault of the provider's is this turn's alone where others are answered: while it fails for all, or asks for
        a rest, ExtractorAway is raised, for the most part without a call.
        """
        shown = stated_words(request.user_text)
        if not shown.strip():
            return Extraction()
        asked = question(request, shown)
        reply = await self._ask(asked)
        use = _use(asked, reply)
        try:
            if reply.fault is not None:
                raise BadAnswerError(reply.fault)
            drafts = raw_drafts(reply.text)
        except BadAnswerError as bad:
            raise self._unusable(str(bad), use) from None
        return Extraction([grounded(raw, request.user_text, shown) for raw in drafts], use)

    async def close(self) -> None:
        """Gives the connections back."""
        await self._provider.close()

    async def _ask(self, asked: Question) -> Reply:
        try:
            document = await self._provider.post(self._wire.url, self._wire.headers, self._wire.body(asked))
        except ProviderError as error:
            raise self._unanswered(error) from None
        try:
            return self._wire.reply(document)
        except BadAnswerError as bad:
            raise self._unusable(str(bad), _ONE_CALL) from None

    def _unanswered(self, error: ProviderError) -> ExtractionFailed:
        code = f"model_{error.trouble}"
        if error.called:
            _log.warning("model_call_failed", extractor=self.name, code=code, seen=error.seen, away=error.away)
        use = _ONE_CALL if error.called else NO_USE
        return (ExtractorAway if error.away else ExtractionFailed)(code, _DETAIL, use, error.rest)

    def _unusable(self, code: str, use: ModelUse) -> ExtractionFailed:
        """The answer is none."""
        _log.warning("model_answer_unusable", extractor=self.name, code=code)
        return ExtractionFailed(code, _DETAIL, use)


def _use(asked: Question, reply: Reply) -> ModelUse:
    """What the call cost, as the provider counted it; as estimated where it did not."""
    sent, got = reply.input_tokens, reply.output_tokens
    if sent is None:
        sent = estimate(asked.instructions) + estimate(asked.document)
    return ModelUse(1, sent, estimate(reply.text) if got is None else got)
