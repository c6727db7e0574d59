"""Which model the operator's settings name."""

from typing import Final

from app.adapters.extractors.models.anthropic import AnthropicWire
from app.adapters.extractors.models.extractor import ModelExtractor
from app.adapters.extractors.models.openai import OpenAiWire
from app.adapters.extractors.models.wire import Format, Wire
from app.adapters.providers import Limits
from app.settings import Settings

ANTHROPIC_URL: Final = "https://api.anthropic.com"
OPENAI_URL: Final = "https://api.openai.com/v1"


def model_extractor(settings: Settings) -> ModelExtractor | None:
    """The extractor that asks it; None where the rules read."""
    if settings.extractor == "rules" or settings.extractor_model is None:
        return None
    limits = Limits(settings.extractor_timeout_seconds, settings.extractor_at_once, settings.extractor_pause_seconds)
    return ModelExtractor(settings.extractor, _wire(settings, settings.extractor_model), limits)


def _wire(settings: Settings, model: str) -> Wire:
    key = settings.extractor_key.get_secret_value() if settings.extractor_key else ""
    form, most = Format(settings.extractor_format), settings.extractor_max_tokens
    if settings.extractor == "anthropic":
        return AnthropicWire(
            settings.extractor_url or ANTHROPIC_URL, key, model, settings.anthropic_version, most, form
        )
    return OpenAiWire(settings.extractor_url or OPENAI_URL, key, model, most, settings.openai_tokens_field, form)
