"""Other spellings of what sounds the same in English: `schumaker` and `schumacher`, `jonson` and `johnson`."""

from __future__ import annotations

import re
from itertools import islice

from pluto_duck_text2sql.language.patterns import Pattern

_SAME = (
    *(("k", "ch"), ("k", "ck"), ("k", "c"), ("c", "s"), ("f", "ph"), ("f", "v"), ("s", "z"), ("i", "y"), ("ie", "ei")),
    *(("ai", "ay"), ("ei", "ey"), ("ee", "ea"), ("oo", "u"), ("ou", "u"), ("w", "v"), ("x", "ks"), ("sh", "sch")),
    *(("sh", "ch"), ("n", "hn"), ("t", "th"), ("t", "dt"), ("g", "gh"), ("r", "rh"), ("j", "g"), ("tz", "z")),
)
"""Letters that are heard alike."""
_PAIRS = (*_SAME, *((other, one) for one, other in _SAME))
_DOUBLE = Pattern(r"([a-z])\1")
_MOST = 2_000
_LONGEST = 40
"""No word that is heard has more letters."""


def sounds_like(word: str) -> list[str]:
    """Spellings of a word in lower case with one or two sounds written in another way, at most 2,000, the word not."""
    if len(word) > _LONGEST:
        return []
    once = dict.fromkeys(_once(word))
    twice = dict.fromkeys(other for each in once for other in _once(each))
    return list(islice((each for each in {**once, **twice} if each != word), _MOST))


def _once(word: str) -> list[str]:
    found = []
    for one, other in _PAIRS:
        places = (each.start() for each in re.finditer(f"(?={one})", word))
        found += [word[:place] + other + word[place + len(one) :] for place in places]
    doubled = (word[: n + 1] + word[n:] for n in range(1, len(word)) if word[n] != word[n - 1])
    single = (word[: each.start()] + word[each.start() + 1 :] for each in _DOUBLE.finditer(word))
    return [*found, *single, *doubled]
