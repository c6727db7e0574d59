"""In which language something was said: French, English, or what is neither, which gets no wrong name."""

import unicodedata
from collections import Counter
from collections.abc import Collection
from typing import Final

from app.domain.terms import language_of, words
from app.domain.wording import words as listed

UNDETERMINED: Final = "und"
LEAST_WORDS: Final = 3
"""Fewer tell nothing: they are taken for the language of what stands around them."""
_SCRIPTS: Final = {
    "CJK": "Hani",
    "HIRAGANA": "Jpan",
    "KATAKANA": "Jpan",
    "HANGUL": "Kore",
    "CYRILLIC": "Cyrl",
    "ARABIC": "Arab",
    "HEBREW": "Hebr",
    "GREEK": "Grek",
    "THAI": "Thai",
    "DEVANAGARI": "Deva",
}
_UNBROKEN: Final = frozenset({"Hani", "Jpan", "Thai"})
"""Scripts that leave no blank between words."""
_ELSEWHERE: Final = frozenset(
    listed(
        """
        el los las una por con para pero muy sin nuestra nuestro nuestros nuestras soy somos toda todo todos todas
        también más cuando tenemos hasta desde il gli che per sono nostro nostra nostri della nel nella anche di
        siamo abbiamo alle dalle tutta não uma com nossa nosso são em os ao às eu sou temos der das und nicht ist ich
        wir ein eine mit für auf unser unsere nach haben sind von zu um bin het een niet voor wij ik onze naar zijn
        binnen
        """
    )
)
"""Small words of Spanish, Italian, Portuguese, German and Dutch."""


def spoken_in(*texts: str | None, usual: str) -> str:
    """The language of the first of the texts that tells it, the narrowest first; `usual` where none does.

    It is "fr", "en", or a BCP 47 tag that claims no language: "und", with the script where that is not Latin.
    """
    return next((told for text in texts if text and (told := language_told(text))), usual)


def language_told(text: str) -> str | None:
    """What the text itself tells, None where it is too short or tells nothing."""
    script = _script(text)
    if script is not None:
        return f"{UNDETERMINED}-{script}" if script in _SCRIPTS.values() else UNDETERMINED
    said = words(text)
    if len(said) < LEAST_WORDS:
        return None
    found = language_of(said)
    elsewhere = sum(word in _ELSEWHERE for word in said)
    ours = [word for word in said if language_of([word]) is not None and word not in _ELSEWHERE]
    if elsewhere > 1 and elsewhere >= len(ours):
        return UNDETERMINED
    return found.value if found is not None else None


def differ(one: str | None, other: str | None) -> bool:
    """Whether two texts, by what they tell, are surely in two languages."""
    return one is not None and other is not None and one != other


def unbroken(text: str) -> bool:
    """Whether the text leaves no blank between its words."""
    return _script(text) in _UNBROKEN


def spoken_there(language: str, languages: Collection[str]) -> bool:
    """Whether an organisation that speaks these languages keeps what is said in this one.

    They are chosen among those that can be told from one another; what is in none of them is kept as it was said.
    """
    return language in languages or language.startswith(UNDETERMINED)


def _script(text: str) -> str | None:
    """The script of most of the letters, where that is not Latin; Japanese is told by its kana."""
    letters = [char for char in text if char.isalpha()]
    foreign = Counter(_script_of(char) for char in letters if char > "\u02af" and not char.isdecimal())
    del foreign["LATIN"]
    if 2 * foreign.total() <= len(letters) or not foreign:
        return None
    return "Jpan" if foreign["Jpan"] else foreign.most_common(1)[0][0]


def _script_of(char: str) -> str:
    name = unicodedata.name(char, "").split(" ")[0]
    return _SCRIPTS.get(name, name)
