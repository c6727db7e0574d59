"""The extractor that asks a language model, over the wire format of its provider."""

from app.adapters.extractors.models.choice import model_extractor

__all__ = ["model_extractor"]
