"""When something was first and when last: `first and last delivery of every driver`.

The question of the last alone is answered as any other; the earliest date then stands beside the latest.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.tree import Agg, Col, Expr, Order, Query, is_total

_BOTH = Pattern(
    r"\b(?P<head>(?:for |on )?(?:the |their |its |his |her )?)(?:(?:very )?first|earliest|oldest) and"
    r" (?:when )?(?:for |on )?(?:the |their |its |his |her )?(?:very )?(?P<last>last|latest|most recent|newest)\b"
    r"(?! names?\b)",
    re.IGNORECASE,
)


class Bookends(Compounds):
    """Answers questions about first and last times."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Both dates; None where the question asks no such, or its last alone has no date."""
        text = same(question)
        found = _BOTH.search(text)
        if found is None or _shows(plain):
            return None
        part = self._part(f"{text[: found.start()]}{found['head']}{found['last']}{text[found.end() :]}", run)
        query = self._with_both(part.tree) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _with_both(self, tree: Query) -> Query | None:
        """The tree with the earliest date beside the latest, of each group or of each thing whose last row it lists."""
        tree = self._grouped(tree) if tree.per else tree
        last = next((each for each in tree.select if self._is_latest(each)), None)
        if last is None or not isinstance(last, Agg) or sum(map(is_total, tree.select)) != 1:
            return None
        both = (replace(last, function="min"), replace(last, function="max"))
        keys = tuple(each for each in tree.select if each != last)
        return replace(tree, select=(*keys, *both), order=tuple(Order(each) for each in keys), limit=None)

    def _grouped(self, tree: Query) -> Query:
        """A listing of each thing's last row as the things and the dates of these rows."""
        by = tree.order[0].by if tree.order else None
        if tree.limit != 1 or not isinstance(by, Col):
            return tree
        names = tuple(each for each in tree.select if isinstance(each, Col) and each.table != by.table)
        shown = names or tuple(each for each in tree.per if isinstance(each, Col))
        group = tuple(dict.fromkeys((*tree.per, *shown)))
        return replace(tree, select=(*shown, Agg("max", by)), group=group, per=(), limit=None, order=())

    def _is_latest(self, shown: Expr) -> bool:
        if not isinstance(shown, Agg) or shown.function not in ("min", "max") or not isinstance(shown.of, Col):
            return False
        column = self.reader.catalog.column(*shown.of.table, shown.of.name)
        return column is not None and column.is_time


def _shows(plain: Analysis) -> bool:
    """Whether an answer shows an earliest and a latest already."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    functions = [each.function for each in tree.select if isinstance(each, Agg)] if tree else []
    return "min" in functions and "max" in functions
