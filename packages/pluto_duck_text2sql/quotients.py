"""One number of rows by another: `ratio of cancelled to completed orders by year`, `A divided by B`.

Each is a question of its own; both are put side by side, and the first is divided by the second.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.compounds import Compounds, grouped_last, side_by_side
from pluto_duck_text2sql.frames import same
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import Query, Ratio, is_total

_ASKS = r"^(?:(?:what|which)(?: is| was|'s)? |show (?:me )?|give (?:me )?)?(?:the )?"
_PAIR = 2
_COUNT = r"(?:the )?(?:number of |count of )?"
_TAIL = r"(?P<tail>(?: (?:by|per|for each|in each|in|during|for|since|over|between) .+)?)$"
_SAID = tuple(
    re.compile(rf"{_ASKS}{pattern}{_TAIL}", re.IGNORECASE)
    for pattern in (
        rf"ratio of {_COUNT}(?P<top>.+?) (?:to|and|over|vs\.?|versus) {_COUNT}(?P<bottom>.+?)",
        rf"{_COUNT}(?P<top>.+?) divided by {_COUNT}(?P<bottom>.+?)",
    )
)


class Quotients(Compounds):
    """Answers questions for how many of one kind there are to one of another."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The quotient; None where none is asked for, or its parts are not numbers of the same rows."""
        main, phrases = split_spec(question)
        text = grouped_last(same(main).strip(" .?!"))
        said = next((found for pattern in _SAID if (found := pattern.match(text))), None)
        if said is None:
            return None
        parts = [self._part(f"number of {each}{said['tail']}", run) for each in _things(said["top"], said["bottom"])]
        known = [each for each in parts if each]
        query = side_by_side([each.tree for each in known], self) if len(known) == len(parts) else None
        query = _divided(query) if query else None
        made = self.candidate(query, known, phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _things(top: str, bottom: str) -> tuple[str, str]:
    """`cancelled` and `completed orders`: the thing is said once."""
    noun = bottom.split()[-1]
    return (top if len(top.split()) > 1 else f"{top} {noun}", bottom)


def _divided(query: Query) -> Query | None:
    """The query with its first total by its second in their place."""
    totals = [each for each in query.select if is_total(each)]
    if len(totals) != _PAIR or totals[0] == totals[1]:
        return None
    shown = tuple(each for each in query.select if not is_total(each))
    return replace(query, select=(*shown, Ratio(totals[0], totals[1])))
