"""How long ago something happened: `how many days ago was the last purchase`, `days since our last audit`.

When it happened is a question of its own; the days from its answer to today, or to the last day on which anything in
the data happened, stand for it. Those of each group are first_times.py.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Ago, Col, Query
from pluto_duck_text2sql.trees.phrases import counted_from

_PASSED = r"(?:(?:have |has |had )?(?:it been|passed|gone by|elapsed) |is it |was it )"
_WHICH = r"(?:very )?(?:first|earliest|last|latest|most recent)"
_FIRST = Pattern(r"\b(?:first|earliest)\b", re.IGNORECASE)
_OF_EACH = Pattern(r"\b(?:each|every)\b", re.IGNORECASE)
_AGO = Pattern(r"^how (?:many days|long) ago (?P<when>(?:was|were|did|have|has) .+)$", re.IGNORECASE)
_SINCE = Pattern(
    rf"^(?:(?:how many )?days|how long) {_PASSED}?since (?P<what>(?:the |our |its |their )?{_WHICH} .+)$", re.IGNORECASE
)


class Agos(Compounds):
    """Answers how many days ago something happened."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The days; None where the question asks for none, or no single date answers when it was."""
        main, phrases = split_spec(question)
        if _OF_EACH.search(main):
            return None
        when = _when(same(main))
        part = self._part(when, run) if when else None
        query = self._days_ago(part.tree, is_first=bool(_FIRST.search(when))) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        if made is None:
            return None
        told = (*made.assumptions, counted_from(self._day()))
        made = replace(made, assumptions=tuple(dict.fromkeys(told)))
        return Analysis("answered", (made, *plain.candidates), links=plain.links)

    def _day(self) -> dt.date:
        return self.reader.catalog.latest_day(self.reader.today)

    def _days_ago(self, tree: Query, *, is_first: bool) -> Query | None:
        """The tree with the days to its one date in place of it; the earliest only where that was asked for."""
        date = tree.select[0] if len(tree.select) == 1 else None
        is_one = isinstance(date, Agg) and (date.function == "max" or (date.function == "min" and is_first))
        if not isinstance(date, Agg) or not is_one or tree.group or tree.having:
            return None
        column = self.reader.catalog.column(*date.of.table, date.of.name) if isinstance(date.of, Col) else None
        if column is None or not column.is_time:
            return None
        return replace(tree, select=(Ago(date, self._day()),), order=(), limit=None)


def _when(question: str) -> str:
    """The question when it was."""
    ago, since = _AGO.match(question), _SINCE.match(question)
    return tidy(f"when {ago['when']}" if ago else f"when was {since['what']}" if since else "")
