"""What something was done for, where the data keeps it: `cancelled because of the weather` is of that cancel reason.

Called by `rewordings`. What follows `because of`, `due to` must be a stored text; `why` is asked in reasons_told.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_parts, name_stems, stem

_FOR = Pattern(
    r"\b(?:because of|due to|owing to|on account of|as a result of) (?:(?:the|a|an|our|their|bad) )?"
    r"(?P<what>[a-z][\w'’-]*(?: [a-z][\w'’-]*){0,3})",
    re.IGNORECASE,
)
_REASONS = frozenset(map(stem, ("reason", "cause", "why")))


def of_reason(text: str, catalog: Catalog) -> str:
    """`with cancel reason weather`, or `for` what is stored in a column that is called otherwise."""
    return _FOR.sub(lambda match: _stored(match, catalog), text)


def _stored(match: re.Match[str], catalog: Catalog) -> str:
    words = match["what"].split()
    for count in range(len(words), 0, -1):
        said, rest = " ".join(words[:count]), "".join(f" {each}" for each in words[count:])
        hits = [each for each in catalog.values.lookup(said.lower()) if each.score == 1]
        columns = dict.fromkeys(each.column for each in hits if _REASONS & set(name_stems(each.column)))
        if columns:
            return f"with {' '.join(name_parts(next(iter(columns))))} {said}{rest}"
        if hits:
            return f"for {said}{rest}"
    return match[0]
