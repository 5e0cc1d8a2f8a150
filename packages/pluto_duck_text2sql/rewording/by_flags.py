"""Groups by a flag: `split by whether they were restocked` is `for each was restocked`, where a flag is called so.

Called by `rewordings`.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, tokenise

_WHETHER = Pattern(
    r",? ?\b(?:(?:split|grouped|broken down|divided|separated) )?(?:up )?(?:by|into|depending on|according to|based on)"
    r" whether(?: or not)? (?:they|it|he|she|these|those|(?:the )?[a-z]+)"
    r" (?:(?:was|were|is|are|has|have|had|did|do|does|gets?|got) )+(?:been )?(?:an? )?"
    r"(?P<what>[a-z]+(?: (?!or\b|in\b|for\b|since\b|during\b|this\b|last\b)[a-z]+)?)(?: or not)?(?=\W*$|,| [a-z])",
    re.IGNORECASE,
)
_FITS = 0.5
_BEING = ("is", "was", "has", "had")


def by_flags(text: str, names: NameIndex) -> str:
    """The flag in place of the clause that begins with `whether`."""
    return _WHETHER.sub(lambda match: _by_flag(match, names), text) if "whether" in text.lower() else text


def _by_flag(match: re.Match[str], names: NameIndex) -> str:
    stems = tuple(token.stem for token in tokenise(match["what"]))
    found = [each for each in names.find(stems) if each.column and is_yes_or_no(each.column) and each.score >= _FITS]
    flag = found[0].column if found else None
    words = name_words(flag.name) if flag else ()
    return f", for each {' '.join(words[words[0] in _BEING :])}" if words else match[0]
