"""Kinds without rows of a sort: `which industries have no customers in Spain`, `which towns have no patients over 80`.

The kinds that have some are a question of its own; asked for are the others. Kinds that have no rows at all are no
kinds of theirs: these are read otherwise.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Col, Inside, Missing, Query

_NONE = Pattern(
    r"^(?:in |for |from )?(?:which|what) (?P<kinds>[a-z]+(?: [a-z]+)?)"
    r" (?:(?:do|did) we have|have|has|had|(?:are|is) there) (?:no|zero|not a single) (?P<what>[a-z]+ .+?)\W*$",
    re.IGNORECASE,
)
_NAMED = 0.9


class KindsWithNone(Compounds):
    """Answers questions for the kinds of which there is no such row."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The kinds; None where the question asks for none, or they are no kinds of the rows that it names."""
        main, phrases = split_spec(question)
        said = _NONE.match(main.strip())
        kind = self._kind(said["kinds"], said["what"]) if said else None
        part = self._part(f"which {said['kinds']} have {said['what']}", run) if said and kind else None
        query = _without(part.tree, kind) if part and kind else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _kind(self, kinds: str, what: str) -> Col | None:
        """The column of rows that tells their kinds; None where no such column is named, or rows of another table."""
        called = self.reader.names.find(tuple(map(stem, kinds.lower().split())))
        found = [(each.table, each.column) for each in called if each.column and each.score >= _NAMED]
        words = what.lower().split()[:-1]
        of = {table.key for word in words if (table := self.table(word))}
        told = [
            Col(table.key, column.name) for table, column in found if of <= {table.key} and _tells_kinds(table, column)
        ]
        return told[0] if len(told) == 1 else None


def _tells_kinds(table: Table, column: Column) -> bool:
    return column.kind == "text" and (column.n_distinct or 0) < (table.row_count or 0)


def _without(tree: Query, kind: Col) -> Query | None:
    """The kinds that are not among those that a tree lists; None where it lists others, or all."""
    if tree.select != (kind,) or tree.limit is not None or tree.having or tree.then or not tree.where:
        return None
    some = Query(tree.anchor, (kind,), (*tree.where, Missing(kind, negated=True)), also=tree.also)
    return Query(kind.table, (kind,), (Inside(kind, some, negated=True),), distinct=True)
