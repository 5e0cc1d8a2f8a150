"""How long somebody has been there: `employees who have been with us for more than five years`, `staff with at
least two years of service`, `machines that have been in use for over a year`.

What is left of the question is a question of its own; of its rows those stay that began so long ago, as of the last
day of the data or today, and that have not ended.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import shift, units_said
from pluto_duck_text2sql.tree import Col, Compare, Cond, Missing, Operator, Query
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.parts import home

_BOUND = r"(?:(?P<bound>more than|over|longer than|at least|less than|under|fewer than|at most|up to) )"
_SPAN = rf"{_BOUND}(?P<n>\d+|an?|{'|'.join(NUMBER_WORDS)}) (?P<unit>day|week|month|year)s?"
_PLACE = (
    r"(?:with (?:us|the (?:company|firm|business|club))|here|in (?:use|service|business|the (?:company|team))|employed"
    r"|(?:members?|customers?|clients?|subscribers?|tenants?|users?|students?|patients?|suppliers?|partners?))"
)
_BEEN = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        r",? ?(?:(?:who|that|which) )?(?:(?:have|has)|['’]ve) (?:been|worked|served|stayed|lived|rented)(?: an?)?"
        rf"(?: {_PLACE}| working(?: here| for us)?)* (?:for )?{_SPAN}(?: (?:here|with us|now|already))*",
        rf" with {_SPAN} (?:of service|of tenure|in the company|with us|in the job|at the company)",
    )
)
_OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(("more than", "over", "longer than"), "<"),
    "at least": "<=",
    **dict.fromkeys(("less than", "under", "fewer than"), ">"),
    **dict.fromkeys(("at most", "up to"), ">="),
}
"""How the day of beginning compares with the day so long ago."""


class Tenures(Compounds):
    """Answers questions about those who have been there for so long."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those of that time; None where the question says no such, or its rows keep no day of beginning."""
        main, phrases = split_spec(question)
        said = next((found for each in _BEEN if (found := each.search(main))), None)
        rest = tidy(f"{main[: said.start()]} {main[said.end() :]}") if said else ""
        part = self._part(rest, run) if said else None
        query = self._of_that_time(part.tree, said) if said and part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _of_that_time(self, tree: Query, said: re.Match[str]) -> Query | None:
        table = self.reader.catalog.table(*(home(tree) or tree.anchor))
        ends = Durations(self.reader.catalog, self.reader.resolver).pair(table) if table else None
        start = _beginning(table, ends.start if ends else None) if table else None
        if start is None or tree.then or tree.limit:
            return None
        today, unit = self.reader.catalog.latest_day(self.reader.today), said["unit"].lower()
        day = shift(today, unit, -units_said(said["n"], unit))
        is_there: tuple[Cond, ...] = (Missing(ends.end),) if ends and isinstance(ends.end, Col) else ()
        begun = Compare(start, _OPERATORS[said["bound"].lower()], day)
        return replace(tree, where=(*tree.where, begun, *is_there))


def _beginning(table: Table, begins: object) -> Col | None:
    """The day on which a row began: of two, that from which its span runs."""
    return begins if isinstance(begins, Col) else started(table)
