"""Those of whose rows all are so: `customers whose policies all lapsed`, `suppliers all of whose orders came late`.

The question for those with such rows is answered as any other; that they have none that are otherwise is put to it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Expr,
    Missing,
    Operator,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.parts import conditions, of_those_counted

_BE = r"(?:(?P<be>are|were|is|was|have been|have|had) )?"
_ROWS = r"(?P<rows>[a-z]+(?: [a-z]+)?)"
_FORMS = (
    Pattern(rf"^(?P<who>.+?) whose {_ROWS} {_BE}all (?P<what>(?!of\b|the\b|together\b).+)$", re.IGNORECASE),
    Pattern(rf"^(?P<who>.+?),? all (?:of )?whose {_ROWS} {_BE}(?P<what>.+)$", re.IGNORECASE),
)
_CONTRARY: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class AllAlike(Compounds):
    """Answers questions for those that have only such rows, and at least one."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those of all; None where the question asks no such, or what they are is told by more than one condition."""
        main, phrases = split_spec(question)
        said = next((found for form in _FORMS if (found := form.match(main.strip(" .?!")))), None)
        rows = self.table(said["rows"]) if said else None
        if said is None or rows is None:
            return None
        asked = (said["who"], "whose", said["rows"], said["be"], said["what"])
        part = self._part(" ".join(filter(None, asked)), run)
        query = _all_so(of_those_counted(part.tree, self.reader.joins), rows.key) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _all_so(query: Query, rows: TableKey) -> Query | None:
    """The tree for those that have such rows and no others; None where it does not list or count those of one table."""
    of = listed(query)
    such = [each for each in conditions(query) if {column.table for column in columns_in(each)} == {rows}]
    such = [each for each in such if not isinstance(each, Related)]
    otherwise = contrary(such[0]) if len(such) == 1 else ()
    if of is None or of == rows or not otherwise or query.group or query.limit or query.then or query.having:
        return None
    kept = tuple(each for each in query.where if rows not in {column.table for column in columns_in(each)})
    others = Related(rows, otherwise, negated=True)
    where = (*kept, Related(rows, tuple(such)), others)
    return replace(query, anchor=of, where=where, flat=False, distinct=False, also=())


def listed(query: Query) -> TableKey | None:
    """The one table whose rows a tree lists or counts."""
    of = {_of(each) for each in query.select}
    return of.pop() if len(of) == 1 else None


def _of(shown: Expr) -> TableKey | None:
    match shown:
        case Col(table) | Agg("count", Rows(table)):
            return table
    return None


def contrary(condition: Cond) -> tuple[Cond, ...]:
    """That a row is not so, one of which nothing is known neither; nothing where that cannot be told."""
    match condition:
        case Compare(Col() as left, operator, int() | float() | str() as right) if operator in _CONTRARY:
            return (Either((Compare(left, _CONTRARY[operator], right), Missing(left))),)
        case Missing(left, negated):
            return (Missing(left, negated=not negated),)
        case During(Col() as left, start, end):
            return (Either((Compare(left, "<", start), Compare(left, ">=", end), Missing(left))),)
    return ()
