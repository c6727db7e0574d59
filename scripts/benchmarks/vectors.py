"""What vectors alone find: each message by the nearest of its windows, embedded here as the settings have it."""

from collections.abc import Sequence

import click

from app.adapters.embedders import embedder_of
from app.domain.embedding import cosine
from app.settings import Settings
from scripts.benchmarks.questions import TOP, Question
from scripts.benchmarks.talk import Talk


async def by_vectors(talk: Talk, questions: Sequence[Question]) -> list[tuple[Question, list[str]]]:
    """Of each question the nearest messages. Raises ClickException where there is no embedder."""
    embedder = embedder_of(Settings())
    if embedder is None:
        raise click.ClickException("there is no embedder here: what vectors alone find cannot be told")
    try:
        places = list(talk.said)
        parts = dict(zip(places, await embedder.passages([talk.said[place] for place in places]), strict=True))
        found = []
        for asked in questions:
            vector = await embedder.question(asked.text)
            near = {
                place: max((cosine(vector, part) for part in parts[place]), default=-1.0) if vector else -1.0
                for place in places
            }
            found.append((asked, sorted(near, key=lambda place: (-near[place], place))[:TOP]))
        return found
    finally:
        await embedder.close()
