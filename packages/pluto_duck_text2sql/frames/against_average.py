"""A figure beside the mean of the periods before: `how did billing in October compare with the average of the three
months before`, `orders in Q3 against the average of the previous four quarters`.

The figure in the period is a question of its own; what it came to in the so many units before, by their number, stands
beside it, or by how much it exceeds that.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.beside import change_of
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.course_words import IN_PERCENT
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import shift, units_said
from pluto_duck_text2sql.tree import Agg, Col, During, Expr, Number, Query, Ratio, is_total

_N = rf"(?P<n>\d+|{'|'.join(NUMBER_WORDS)})"
_UNIT = r"(?P<unit>day|week|month|quarter|year)s?"
_LINK = r"(?:compared? |measured )?(?:with|to|against|versus|vs\.?|over|above|below|from)"
_AGAINST = Pattern(
    rf"^(?P<what>.+?),? {_LINK} (?:the |their |its )?(?:daily |weekly |monthly |quarterly |yearly )?(?:average|mean)"
    rf" (?:of|over|for|in) the (?:(?P<before>previous|prior|preceding|last) )?{_N} {_UNIT}"
    r"(?(before)(?: before(?: (?:that|it))?)?| (?:before|earlier|prior|preceding)(?: (?:that|it|this))?)"
    r"(?P<rest>\b.*)$",
    re.IGNORECASE,
)
_HOW = Pattern(
    r"^(?:how (?:did|does|do|has|have) |compare "
    r"|by (?P<by>how many percent|what percentage|how much|how many) (?:did|was|were|has|is|are) )"
    r"(?:the |our )?",
    re.IGNORECASE,
)
_VERB = Pattern(r" (?:compare|exceed|fall short of|lie|stand|look|do|differ|higher|lower|more|less)$", re.IGNORECASE)


class AgainstAverage(Compounds):
    """Answers questions for a figure of one period beside the mean of those before it."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Both figures, or their change; None where the question asks no such, or the figure is none added up."""
        main, _ = split_spec(question)
        said = _AGAINST.match(same(main).rstrip("?. "))
        how = _HOW.match(said["what"]) if said else None
        what = _VERB.sub("", said["what"][how.end() if how else 0 :]) if said else ""
        ways = (
            (f"{what}{said['rest']}", f"total {what}{said['rest']}", f"number of {what}{said['rest']}") if said else ()
        )
        parts = (part for each in ways if (part := self._part(tidy(each), run)))
        scale = 0 if how is None or not how["by"] else 100 if IN_PERCENT.search(how["by"]) else -1
        made_of = ((each, _beside(each.tree, said, scale)) for each in parts if said)
        part, query = next((pair for pair in made_of if pair[1]), (None, None))
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _beside(tree: Query, said: re.Match[str], scale: int) -> Query | None:
    """The tree's figure, and its mean over the units before its one period."""
    figures = [each for each in tree.select if is_total(each)]
    spans = [each for each in tree.where if isinstance(each, During) and isinstance(each.left, Col)]
    figure = figures[0] if len(figures) == 1 and len(spans) == 1 and tree.is_plain else None
    if not isinstance(figure, Agg) or figure.function not in ("sum", "count") or figure.distinct:
        return None
    own, unit = spans[0], said["unit"].lower()
    count = units_said(said["n"], unit)
    before = replace(own, start=shift(own.start, unit, -count), end=own.start, said=None)
    now, then = (replace(figure, where=(*figure.where, each)) for each in (own, before))
    mean: Expr = Ratio(then, Number(count))
    keys = tuple(each for each in tree.select if not is_total(each))
    shown = (change_of(mean, now, scale),) if scale else (now, mean)
    where = tuple(each for each in tree.where if each is not own)
    whole = replace(own, start=before.start, said=None)
    return replace(tree, select=(*keys, *cast(tuple[Expr, ...], shown)), where=(*where, whole), order=())
