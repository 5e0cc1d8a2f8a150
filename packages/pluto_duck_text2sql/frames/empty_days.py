"""Days on which nothing happened: `how many days in August had no shipment`, `on how many days in Q3 did we have no
sales`.

How many rows there were in the period is a question of its own; the days of the period, up to today or the data's last
day, less the different days of these rows are those without any. Which days they were no query over the rows tells.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.tree import Agg, Bucket, Col, During, Grain, Minus, Number, Query, is_total

_NONE = r"(?:no|without any|without a|without|with no|zero|not a single|not one)"
_NO_VERB = r"(?!had\b|have\b|were\b|was\b|saw\b|did\b|with)"
_WHEN = (
    r"(?P<when>(?: (?:in|during|of|since|between|from|last|this|over)"
    rf" {_NO_VERB}[\w-]+(?: {_NO_VERB}[\w-]+)*?)?)"
)
_DID = (
    r"(?:(?:had|have|has|saw|were there|was there|are there|there were|there was|did we (?:have|get|see|make)"
    r"|did (?:they|you) have|passed|went by|went) )?"
)
_EMPTY = Pattern(
    rf"^(?:on |in )?(?P<how>how many|number of|which|what)(?: of the)? (?P<unit>day|week|month)s"
    rf"{_WHEN} ?{_DID}(?:with )?"
    rf"{_NONE} (?P<what>[a-z].+)$",
    re.IGNORECASE,
)
_MANY = ("how many", "number of")


class EmptyDays(Compounds):
    """Answers on how many days of a period nothing happened."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The number of such days, or that they cannot be listed; None where the question asks no such."""
        main, _ = split_spec(question)
        said = _EMPTY.match(same(main).rstrip("?. "))
        part = self._part(tidy(f"number of {said['what']}{said['when']}"), run) if said else None
        if said is None or part is None or not self._counts_events(part.tree):
            return None
        query = self._empty(part.tree, cast(Grain, said["unit"].lower())) if said["how"].lower() in _MANY else None
        made = self.candidate(query, [part], (), run) if query else None
        if made:
            return Analysis("answered", (made, *plain.candidates), links=plain.links)
        told = f"On which {said['unit']}s nothing happened is not kept. Ask in how many of a period there was nothing."
        return Analysis("cannot_answer", message=told, links=plain.links)

    def _counts_events(self, tree: Query) -> bool:
        """Whether it counts rows of which a day may have several or none, not a row for each day."""
        table = self.reader.catalog.table(*tree.anchor)
        counted = tree.select[0] if len(tree.select) == 1 else None
        if table is None or not isinstance(counted, Agg) or counted.function != "count":
            return False
        spans = (each.left.name for each in tree.where if isinstance(each, During) and isinstance(each.left, Col))
        date = table.column(next(spans, event_date(table) or ""))
        return date is not None and not (date.is_day and date.n_distinct == table.row_count)

    def _empty(self, tree: Query, unit: Grain) -> Query | None:
        """How many units of the tree's one period have no row; None where it counts no rows of one."""
        spans = [each for each in tree.where if isinstance(each, During) and isinstance(each.left, Col)]
        counts = [each for each in tree.select if is_total(each)]
        if len(spans) != 1 or len(counts) != 1 or tree.group or not tree.is_plain or not isinstance(counts[0], Agg):
            return None
        if counts[0].function != "count":
            return None
        last = min(spans[0].end, shift(self.reader.catalog.latest_day(self.reader.today), "day", 1))
        days = Agg("count", Bucket(unit, cast(Col, spans[0].left)), distinct=True, where=counts[0].where)
        others = (each for each in tree.where if each is not spans[0])
        within = (*others, replace(spans[0], end=last, said=None))
        return replace(tree, select=(Minus(Number(_units(spans[0].start, last, unit)), days),), where=within, order=())


def _units(start: dt.date, after: dt.date, unit: Grain) -> int:
    """How many units a period begins or has a part of."""
    days = ((start + dt.timedelta(days=n)) for n in range((after - start).days))
    return len({floor(each, unit) for each in days})
