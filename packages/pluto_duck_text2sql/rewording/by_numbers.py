"""`median price by number of bedrooms` is by the bedrooms themselves, where a column counts them.

Called by `analyst` before anything else reads the question.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_BY = Pattern(r"\b(?P<by>by|per|for each|grouped by) (?:the )?number of (?P<what>[a-z]+(?: [a-z]+)?)\b", re.IGNORECASE)
_CALLED = 0.9


def by_counted(question: str, names: NameIndex) -> str:
    """The question by the column that counts; as it is where nothing is called so, or rows are."""
    return _BY.sub(lambda found: _put(found, names), question)


def _put(found: re.Match[str], names: NameIndex) -> str:
    stems = tuple(map(stem, found["what"].lower().split()))
    named = [each for each in names.called(stems) if each.score >= _CALLED]
    is_column = any(each.column and each.column.kind == "number" for each in named)
    are_rows = any(each.column is None for each in named)
    return f"{found['by']} {found['what']}" if is_column and not are_rows else found[0]
