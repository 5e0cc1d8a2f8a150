"""Other names of tables and columns that their comments give: `Name of the customer`, `Also called turnover, takings`.

Comments come from sources, `COMMENT ON`, and dbt, whose descriptions are comments where the project persists them. A
comment's first words are a name where they are few and say nothing else, and so, more weakly, is what stands before
`of`; what follows "also called" is a name outright.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, tokenise
from pluto_duck_text2sql.trees.term import Term

_CALLED = Pattern(
    r"\b(?:also (?:called|known as|named)|a\.?k\.?a\.?|synonyms?|alias(?:es)?)\b:?\s*(?P<names>[^.;()\n]+)",
    re.IGNORECASE,
)
_CLAUSE = Pattern(r"[.,;:()\n—–]|\s-\s")
_WITHIN = frozenset(("of", "the", "a", "an"))
_MOST_WORDS = 4
_CALLED_SO = 0.95
_FIRST_WORDS = 0.85
_HEAD = 0.7


def described(catalog: Catalog) -> list[Term]:
    """The names that comments give, each as a term with its table or column."""
    found = []
    for table in catalog.tables:
        for column in (None, *table.columns):
            comment = column.comment if column else table.comment
            for text, score in _names(comment):
                stems = _stems(text)
                found += [Term(stems, comment, "comment", text, (Target(table, column, score),))] if stems else []
    return found


def _names(comment: str) -> Iterator[tuple[str, float]]:
    if not comment:
        return
    first = _CLAUSE.split(comment, maxsplit=1)[0]
    yield first, _FIRST_WORDS
    if " of " in first:
        yield first.split(" of ")[0], _HEAD
    for called in _CALLED.finditer(comment):
        for name in re.split(r",|\bor\b|\band\b", called["names"]):
            yield name.strip(" \"'`"), _CALLED_SO


def _stems(text: str) -> tuple[str, ...]:
    """The stems of a name, the other way round where it has an `of`; nothing where it is a sentence."""
    tokens = tokenise(text)
    kept = [token for token in tokens if token.lower not in _WITHIN]
    if len(kept) > _MOST_WORDS or any(token.lower in STOP or token.number is not None for token in kept):
        return ()
    stems = tuple(token.stem for token in kept)
    return stems[::-1] if any(token.lower == "of" for token in tokens) else stems
