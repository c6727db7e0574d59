"""Embedders: a model in this process, or one behind an endpoint."""

from app.adapters.embedders.choice import UnfitEmbedderError, embedder_of
from app.adapters.embedders.recent import RecentQuestions

__all__ = ["RecentQuestions", "UnfitEmbedderError", "embedder_of"]
