"""A figure asked beside the best: `which quarter had the fewest orders, and how many were there`.

The best is a question of its own; the figure that it is the best by is shown with it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import is_total

_BE = r"(?:was|were|is|are|did|does|do|had|has|have)"
_AND = Pattern(
    r"^(?P<main>(?:in |on |during |at )?(?:which|what|who|when|whose)\b.+?)[,;?]? and"
    rf" (?:(?:with |by )?how (?:many|much)(?: [a-z]+)?(?: {_BE})?(?: (?:there|it|that|they|he|she))?"
    r"(?: (?:then|have|make|take|spend|get|been|in (?:it|that \w+)))?"
    r"|what (?:was|is) (?:it|(?:the|that|this) (?:amount|number|total|sum|average|figure|value|count))"
    r"|what number|what amount)[ ?.!]*$",
    re.IGNORECASE,
)


class Alongside(Compounds):
    """Answers questions for the best and its figure."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The best with its figure; None where the question asks no such, or `plain` shows a figure."""
        found = _AND.match(question.strip())
        tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
        if found is None or (tree and any(map(is_total, tree.select)) and tree.limit is not None):
            return None
        part = self._part(found["main"], run)
        query = part.tree if part else None
        if query is None or part is None or query.limit is None or len(query.order) != 1 or query.distinct:
            return None
        figure = query.order[0].by
        shown = query if figure in query.select else replace(query, select=(*query.select, figure))
        made = self.candidate(shown, [part], (), run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None
