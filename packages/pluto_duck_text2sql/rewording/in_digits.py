"""Numbers of several words in digits, as every reader knows them: `two hundred and fifty` is 250.

Called by `rewordings` before all else. What one word and its scales say, `ten million`, stays as it is. Pure.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.quantities import spoken
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
_ONE = rf"(?:{'|'.join(f'{_ONES} {_TENS}'.split())})"
_SCALE = r"(?:hundred|thousand|million|billion)"
_SAID = Pattern(
    rf"(?P<range>\bbetween )?\b(?P<n>(?:{_ONE}|an?) {_SCALE}(?:,? (?:and )?(?:{_ONE}|{_SCALE})\b)+)(?! and a half)"
)
_ADDED = Pattern(rf"{_SCALE},? (?:and )?{_ONE}\b")
_SMALLEST = 100


def in_digits(question: str) -> str:
    """The question with each number that is added up of several words in digits."""
    return _SAID.sub(_in_digits, question)


def _in_digits(said: re.Match[str]) -> str:
    tokens = tokenise(said[0])
    number = spoken(tokens, 1 if said["range"] else 0)
    if number is None or number[0] != len(tokens) or not _ADDED.search(said["n"]) or number[1] < _SMALLEST:
        return said[0]
    return f"{said['range'] or ''}{number[1]:.0f}"
