"""With and without, side by side: `revenue with and without coupon`, `average stay with vs without breakfast by hotel`.

The half without is a question of its own; its figure then stands beside that of the rows which the half leaves out.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Compare, Cond, Inside, Missing, Nested, Query, Related, is_total

_BOTH = Pattern(r"\bwith(?P<what> [a-z]+)??,? (?:and|or|vs\.?|versus|compared (?:to|with)) without\b", re.IGNORECASE)


class WithAndWithout(Compounds):
    """Answers questions about one figure of those with and of those without something."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Both figures; None where the question asks no such, or nothing tells what is without."""
        main, phrases = split_spec(question)
        found = _BOTH.search(main)
        asked = f"{main[: found.start()]}without{found['what'] or ''}{main[found.end() :]}" if found else ""
        part = self._part(asked, run) if found else None
        query = _beside(part.tree) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _beside(tree: Query) -> Query | None:
    """The tree with its one figure twice: of the rows that have what one condition denies, and of those without."""
    figures = [each for each in tree.select if is_total(each)]
    denials = [(each, other) for each in tree.where if (other := _denied(each))]
    figure = figures[0] if len(figures) == 1 else None
    if not isinstance(figure, Agg) or isinstance(figure.of, Nested) or len(denials) != 1 or not tree.is_plain:
        return None
    without, having = denials[0]
    both = (replace(figure, where=(*figure.where, each)) for each in (having, without))
    keys = (each for each in tree.select if not is_total(each))
    where = tuple(each for each in tree.where if each != without)
    order = tuple(each for each in tree.order if not is_total(each.by))
    return replace(tree, select=(*keys, *both), where=where, order=order)


def _denied(condition: Cond) -> Cond | None:
    """What a condition denies: that a value is there, that there is a row, that a flag is set."""
    if isinstance(condition, Missing):
        return replace(condition, negated=True) if not condition.negated else None
    if isinstance(condition, Related | Inside):
        return replace(condition, negated=False) if condition.negated else None
    is_flag = isinstance(condition, Compare) and condition.operator == "=" and condition.right is False
    return replace(condition, right=True) if is_flag and isinstance(condition, Compare) else None
