"""The Snowball stemmers of French and English. They are not safe across threads: used on the loop's own alone."""

from typing import Final

import Stemmer

from app.domain.terms import Stems

SNOWBALL: Final = Stems(Stemmer.Stemmer("french").stemWord, Stemmer.Stemmer("english").stemWord)
