"""A textbook's BM25 (k1 1.2, b .75), which the service's is held to."""

import math

from app.adapters.text.snowball import SNOWBALL
from app.domain.terms import question, terms


def reference(said: dict[str, str], text: str) -> dict[str, float]:
    """BM25 as a textbook has it (k1 1.2, b .75), over the same terms, as a share of its ceiling."""
    documents = {place: terms(content, SNOWBALL) for place, content in said.items()}
    average = sum(map(len, documents.values())) / len(documents)
    scores: dict[str, float] = {}
    ceiling = 0.0
    for word in question(text, SNOWBALL):
        counts = {place: sum(map(held.count, word)) for place, held in documents.items()}
        holding = sum(count > 0 for count in counts.values())
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        ceiling += idf * 2.2
        for place, count in counts.items():
            if count:
                length = len(documents[place])
                gained = idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
                scores[place] = scores.get(place, 0.0) + gained
    return {place: score / ceiling for place, score in scores.items()}


def differs(found: list[tuple[str, float]], wanted: dict[str, float]) -> bool:
    """Whether the words of something found are said to fit otherwise than the reference has it."""
    return any(not math.isclose(score, wanted.get(place, 0.0), rel_tol=1e-9) for place, score in found)
