"""Words that every question may hold, written short or with a letter wrong: `this yr`, `avrage`, `montly`, `recieved`.

Called by paraphrases.py for words that name nothing here; a word that people know is meant as it stands.
"""

from __future__ import annotations

from functools import cache

from pluto_duck_text2sql.language.edits import Spellings

_SHORT = {
    "yr": "year",
    "yrs": "years",
    "qtr": "quarter",
    "qtrs": "quarters",
    "mth": "month",
    "mths": "months",
    "wk": "week",
    "wks": "weeks",
    "hr": "hour",
    "hrs": "hours",
    "mins": "minutes",
    "secs": "seconds",
    "avrg": "average",
    "pct": "percent",
    "perc": "percent",
    "cnt": "count",
    "btw": "between",
    "ppl": "people",
    "nr": "number",
    "num": "number",
    "thru": "through",
    "tho": "though",
    "pls": "please",
}
_EVERYDAY = """
    above across active after again against all already among amount another any appear around average because before
    begin below between biggest bottom bought broken calendar change cheapest compare compared comparison completed
    cumulative current currently daily date decrease descending difference different distinct during each earlier
    earliest either every everyone everything except excluding expensive fewer fewest finished first following fourth
    frequent generate given greater group grouped growth happened have higher highest how however increase including
    individual itself largest last latest least length less list lowest many maximum mean median minimum missing month
    monthly more most moving much names neither never number often older oldest ordered overall paid people percent
    percentage percentile per period place placed please previous proportion quarter quarterly range rank ranked
    ranking rather ratio received recent recently respectively running second separate share should show since single
    smallest sort sorted spend spent split still than their them there these they third those through time times
    together total totals twice under unique until value versus week weekday weekend weekly what when where whether
    which while whole whose with within without worth year yearly yesterday youngest january february april june july
    august september october november december
"""
_LEAST_LENGTH, _LEAST_LIKE = 4, 0.85


def spelt_out(word: str) -> str:
    """What a word is short for in questions; nothing for one that is not."""
    return _SHORT.get(word.casefold(), "")


def meant(word: str) -> str:
    """The everyday word that one of no meaning is, but for a letter or two in each other's place; nothing if none."""
    lower = word.casefold()
    if len(lower) < _LEAST_LENGTH or not lower.isalpha() or is_everyday(lower):
        return ""
    close = _everyday().close(lower, 2, _LEAST_LIKE) or _everyday().shuffled(lower)
    return close[0] if close and close[0][0] == lower[0] else ""


def is_everyday(word: str) -> bool:
    """Whether a word, in lower case, is one that questions are asked with."""
    return not {word, word.removesuffix("s")}.isdisjoint(_words())


@cache
def _everyday() -> Spellings:
    return Spellings(_words())


@cache
def _words() -> frozenset[str]:
    return frozenset(_EVERYDAY.split())
