"""What a word of a shop's statement means, in one form for French and English."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.concept_table import MEANINGS
from app.domain.concept_things import THINGS
from app.domain.concept_values import VALUES
from app.domain.term_words import ENGLISH_SMALL, FRENCH_SMALL
from app.domain.wording import plain, stem

SHORTEST_PREFIX: Final = 3


@dataclass(frozen=True, slots=True)
class Meaning:
    """A concept by `name`. `common` ones say little by themselves; `pole` is there for one of two opposites, `group`
    for one of several values of which a thing has one.
    """

    name: str
    common: bool = False
    pole: bool | None = None
    group: str | None = None

    @classmethod
    def of(cls, label: str) -> "Meaning":
        """As the table and the phrases write it: `order~`, `open+`, `colour=red`."""
        group, _, value = label.rpartition("=")
        pole = {"+": True, "-": False}.get(label[-1])
        return cls(value.rstrip("~+-"), "~" in label, pole, group or None)


def _entries() -> Iterator[tuple[str, Meaning]]:
    for line in filter(None, (MEANINGS + THINGS + VALUES).splitlines()):
        label, _, listed = line.partition(": ")
        meaning = Meaning.of(label)
        yield from ((word, meaning) for word in listed.split())


_WORDS: Final = {word: meaning for word, meaning in _entries() if not word.endswith("*")}
_PREFIXES: Final = {word[:-1]: meaning for word, meaning in _entries() if word.endswith("*")}
_FILLERS: Final = """
    go through aged core
    actuellement currently directement directly toujours vraiment really simply simplement present ensuite notamment
    est-ce va vont faut fois lieu utilise utilisons utilisent use uses using used propose proposons proposent donne
    fais faisons font faire chacun one offer offers offered donnons give giving gives shown affiche affiches
    affichee get gets gotten comes come vient viennent arrive arrivent arrives arriving reste restent done takes
    take took prend prennent faite faites possible possibles entre between around environ approx roughly about going
    goes passe passer passent place placed sous within via par chez avec dans whole seul fait faits mis mise put
    keep keeps kept garde gardons stay stays tient see sees voir dispose disposons receive receives recu recoivent
    recoit recevoir available want wants veut veulent can able peut peuvent pouvons offering amounts compter compte
    soit accompagne accompagnee accompagnees glisse glissee glisses joint jointe joints ajoute ajoutes added add
    adds include includes join convient souhaite souhaitent wish wishes life actually usually generally
    habituellement located based compris lancee happen held tenu tenue organise organises organisee organized
    organised runs run ran running trouve trouvent compose realise realisee realises realisees effectue effectues
    effectuee carried performed concerne concernant regarding applique applied apply applies valable valid standing
    figure figurent listed indique indiques displayed montre basee base total totalement fully completely entirely
    personnel propre propres certain entier prise prises pris media old joindre joignable reachable happens last
    next dernier derniere prochain prochaine occasion occasions circonstance circonstances circumstance
    circumstances twice droit enquiries enquiry exist existe exists carry carries sert servent monsieur madame mme
    mr mrs ms maitre miss sir please svp merci thanks dont afin ainsi tant selon per
    """
_SMALL: Final = (
    frozenset(map(plain, ENGLISH_SMALL | FRENCH_SMALL)) | frozenset(_FILLERS.split()) | {"ne", "n", "est", "il", "y"}
)


def meaning_of(word: str) -> Meaning | None:
    """What a folded word means, by itself or by its longest known beginning; None where it is not known."""
    if (exact := _WORDS.get(word)) is not None:
        return exact
    ends = range(len(word), SHORTEST_PREFIX - 1, -1)
    return next((_PREFIXES[word[:end]] for end in ends if word[:end] in _PREFIXES), None)


def is_concept(word: str) -> bool:
    """Whether the table has just this folded word."""
    return word in _WORDS


def is_small(word: str) -> bool:
    """Whether a folded word says nothing about what a statement is about."""
    return word in _SMALL or (len(word) < 2 and not word.isdigit())


def alike(one: str, other: str) -> bool:
    """Whether two folded words are forms of one, in one language or two ("ceramic", "céramique")."""
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    if stem(one) == stem(other):
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= 4 and shared >= 0.6 * max(len(one), len(other))
