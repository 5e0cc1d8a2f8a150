"""A figure on weekends beside the same on working days: `orders on weekends and during the week by channel`.

What is left of the question is a question of its own, answered as any other; each part of the week then restricts its
figure alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.times.cycles import WEEKEND, WORKING, Cycle
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Nested, Query, Rows, is_total
from pluto_duck_text2sql.trees.parts import home

_AT = r"(?:(?:on|at|over|during|of|from|in|by|per) )?(?:(?:the|a) )?"
_ENDS = rf"{_AT}week ?ends?(?: days?)?"
_WORKS = rf"(?:during the week|{_AT}(?:(?:working|business|week) ?days?|workdays?))"
_OPPOSED = r"(?:and|or|versus|vs\.?|against|compared (?:to|with)|next to|beside|than)"
_OTHERS = r"(?:how (?:many|much)|those|that|the ones)(?: (?:were|was|came in|there were))?"
_BETWEEN = rf",? {_OPPOSED} (?:{_OTHERS} )?"
_PAIR = Pattern(
    rf"(?<!\w)(?:(?P<ends>{_ENDS}){_BETWEEN}{_WORKS}|{_WORKS}{_BETWEEN}(?P<later>{_ENDS}))(?!\w)", re.IGNORECASE
)


class WeekParts(Compounds):
    """Answers questions about one figure in both parts of the week."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The two figures; None where the question asks no such, or what is left of it has no one figure of rows."""
        found = _PAIR.search(same(question))
        if found is None:
            return None
        text = same(question)
        part = self._part(tidy(f"{text[: found.start()]} {text[found.end() :]}"), run)
        days = (WEEKEND, WORKING) if found["ends"] else (WORKING, WEEKEND)
        query = self._split(part.tree, days) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _split(self, tree: Query, days: tuple[tuple[int, ...], ...]) -> Query | None:
        """The tree with its figure, or the number of its rows, once for each of the days."""
        if not tree.group and not any(map(is_total, tree.select)):
            tree = replace(tree, select=(Agg("count", Rows(tree.anchor)),), order=())
        figures = [each for each in tree.select if is_total(each)]
        figure = figures[0] if len(figures) == 1 else None
        plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
        date = self._dated_by(tree)
        if not plain or date is None or not isinstance(figure, Agg) or isinstance(figure.of, Nested):
            return None
        both = (replace(figure, where=(*figure.where, Cycle(0, 0, each).condition(date))) for each in days)
        keys = (each for each in tree.select if not is_total(each))
        return replace(tree, select=(*keys, *both), order=tuple(each for each in tree.order if each.by != figure))

    def _dated_by(self, tree: Query) -> Col | None:
        """The date of the rows: the one the tree speaks of, else that of the table whose rows are counted."""
        of = next((each.of for each in tree.group if isinstance(each, Bucket)), None)
        at = home(tree) or tree.anchor
        found = self.reader.resolver.time_column([at], frozenset())
        return of if isinstance(of, Col) else found[0][1] if found else None
