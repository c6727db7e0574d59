"""The names of months and weekdays, folded, in French and English."""

_MONTHS = (
    "janvier january|fevrier february|mars march|avril april|mai may|juin june|juillet july|aout august|"
    "septembre september|octobre october|novembre november|decembre december"
)
_DAYS = (
    "lundi monday|mardi tuesday tues|mercredi wednesday weds|jeudi thursday thurs|vendredi friday fri|"
    "samedi saturday|dimanche sunday"
)
MONTHS = {name: number for number, names in enumerate(_MONTHS.split("|"), 1) for name in names.split()}
"""1 to 12, by folded name."""
WEEKDAYS = {name: number for number, names in enumerate(_DAYS.split("|")) for name in names.split()}
"""Monday is 0, by folded name."""
SHORT_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ["mon lun", "tue tu mar", "wed mer", "thu thur jeu", "fri ven", "sat sam", "sun dim"]
    )
    for name in names.split()
}
"""Abbreviations that are also other words: days only next to another day."""
NUMBER_WORDS = {
    word: value
    for value, words in zip(
        (*range(2, 13), 15, 20, 30, 40, 50, 100),
        [
            "deux two",
            "trois three",
            "quatre four",
            "cinq five",
            "six",
            "sept seven",
            "huit eight",
            "neuf nine",
            "dix ten",
            "onze eleven",
            "douze twelve",
            "quinze fifteen",
            "vingt twenty",
            "trente thirty",
            "quarante forty",
            "cinquante fifty",
            "cent hundred",
        ],
        strict=True,
    )
    for word in words.split()
}
"""Numbers written out that occur next to a unit. "un", "a" and "one" are articles more often than numbers."""
