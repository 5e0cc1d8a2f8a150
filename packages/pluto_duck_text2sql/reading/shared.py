"""Values that two tables share: `countries with both customers and suppliers`, `cities with stands but no clients`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, tokenise
from pluto_duck_text2sql.reading.frames import Parts, same
from pluto_duck_text2sql.tree import Agg, Col, Inside, Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

_HAVE = (
    r"(?:do we have|have we(?: got)?|are there|there are|we have|with|having|have|has|are home to|do|can we find|hold)"
)
_SHARED = Pattern(
    r"(?:in |from )?(?P<asked>which|what|list|show(?: me)?|name|how many|all)?"
    r"(?: (?:the|all|different|distinct|of the))*"
    rf" ?(?P<kind>[a-z]+(?: [a-z]+)?) (?:(?:where|in which|that|which) )?(?:{_HAVE} )?(?P<both>both )?(?P<one>[a-z]+)"
    r" (?P<and>as well as|and also|and|but no|but not|but without|but don't have|but do not have|without)"
    r"(?: any| also)? (?P<other>[a-z]+)(?: (?:live|are|located|based|come from|sit|both|in|too|as well))*",
    re.IGNORECASE,
)
_NAMED = 0.6


class Shared(Parts):
    """Reads which values two tables have both, or only one of them."""

    def read(self, question: str) -> Reading | None:
        """The reading of such a question; None where it is none."""
        found = _SHARED.fullmatch(same(question))
        tables = [self.table(found[name]) for name in ("one", "other")] if found else []
        columns = [self._column(found["kind"], each) for each in tables if each and found]
        if found is None or len(columns) != 2 or columns[0] is None or columns[1] is None or columns[0] == columns[1]:
            return None
        one, other = columns[0], columns[1]
        negated = not found["and"].lower().startswith(("as", "and"))
        inside = Inside(one, Query(other.table, (other,)), negated)
        self.lines.append(f"{found['kind']} → {one.table[1]}.{one.name} and {other.table[1]}.{other.name}")
        if (found["asked"] or "").lower() == "how many":
            return self.reading(Query(one.table, (Agg("count", one, distinct=True),), (inside,)))
        return self.reading(Query(one.table, (one,), (inside,), distinct=True))

    def _column(self, words: str, table: Table) -> Col | None:
        """The column of a table that the words name."""
        stems = tuple(token.stem for token in tokenise(words) if token.lower not in STOP)
        named = [
            t for t in self.reader.names.find(stems) if t.column and t.table.key == table.key and t.score >= _NAMED
        ]
        best = max(named, key=lambda each: each.score, default=None)
        return Col(table.key, best.column.name) if best and best.column else None


def shared_of(reader: Reader, question: str) -> Reading | None:
    """The reading of a question about what two tables share; None where it is none."""
    return Shared(reader).read(question)
