"""The extractor without a model."""

from app.adapters.extractors.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
