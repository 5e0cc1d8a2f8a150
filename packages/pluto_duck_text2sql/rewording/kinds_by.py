"""A kind by another, of which nothing says what is counted: `satisfaction by plan`, `severity by team` are how many
rows there are of each.

Of two columns of one table that hold a few texts each. Where the first is what tells things apart, it is left.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, table_words, tokenise

_ASKED = Pattern(
    r"^(?:(?:show|give)(?: me)? |what(?:['’]s| is| are) )?(?:the |our )?(?P<what>[a-z]+(?: [a-z]+)?)"
    r" (?:by|per|for each|across) (?:the )?(?P<by>[a-z]+(?: [a-z]+)?)\W*$",
    re.IGNORECASE,
)
_FEW = 12
_NAMED = 0.6


def by_kinds(question: str, names: NameIndex) -> str:
    """The question for how many rows there are of both."""
    found = _ASKED.match(question)
    what, by = (_kind(found[each], names) for each in ("what", "by")) if found else (None, None)
    if found is None or what is None or by is None or what[0].key != by[0].key or what[1] is by[1]:
        return question
    rows = table_words(what[0].name)[-1]
    many = rows if rows.endswith("s") else f"{rows}s"
    return f"number of {many} by {found['by']} and {found['what']}"


def _kind(words: str, names: NameIndex) -> tuple[Table, Column] | None:
    """The one column of a few texts that words name; None where they name anything else as well."""
    tokens = tokenise(words)
    if any(token.lower in STOP for token in tokens):
        return None
    found = [each for each in names.find(tuple(token.stem for token in tokens)) if each.score >= _NAMED]
    best = max((each.score for each in found), default=0.0)
    meant = [each for each in found if each.score == best]
    column = meant[0].column if len(meant) == 1 else None
    is_few = column is not None and column.kind == "text" and 1 < (column.n_distinct or 0) <= _FEW
    return (meant[0].table, column) if column and is_few and not (column.of_numbers or column.of_dates) else None
