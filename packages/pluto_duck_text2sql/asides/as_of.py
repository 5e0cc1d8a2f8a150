"""How things stood on a day: `unpaid at the end of October`, `tickets open on 1 March`, `overdue as of 30 June`.

What is not done yet is told of today (openness.py, lateness.py). On a day that is over it is what had come about by
then and was not done, whatever became of it since; a status that is stored tells nothing of that day. `Open today` is
what is open, not what came about today. Taken out of the question by asides.py, and put into the tree of the rest.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import partial
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.data.states import MOST_STATES, standing
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import MONTH, month_number
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Every, Missing, Query, TableKey, mapped
from pluto_duck_text2sql.trees.durations import Durations, rooted

_UNDONE = (
    r"\b(?:open|overdue|past due|outstanding|pending|in arrears|owed|owing|owe|unfinished|unresolved|incomplete"
    r"|un(?:paid|sent|met|done|settled|answered|returned|delivered|shipped|closed|solved)"
    r"|(?:not|n['’]t)(?: yet)?(?: been)?"
    r" (?:paid|settled|closed|resolved|returned|delivered|shipped|finished|completed))\b"
)
_SAYS = Pattern(_UNDONE, re.IGNORECASE)
_NOW = Pattern(r",? ?\b(?:as of today|today)(?=\W*$| (?:by|per|for each|in each|at each)\b)", re.IGNORECASE)
_THEN = Pattern(
    r",? ?\b(?:(?:at|by|as of|as at|on) (?:the )?(?P<end>(?:very )?(?:end|close) of )|(?:as of|as at|as on|on) )"
    r"(?P<when>[\w ,]+)",
    re.IGNORECASE,
)
_ENDS = rooted(
    map(
        stem,
        "close closure complete completion done finish resolve settle solve fix end deliver arrive receive pay payed"
        " return fulfil ship dispatch answer".split(),
    )
)
_A_MONTH = Pattern(MONTH, re.IGNORECASE)
_MOST_WORDS = 5
_TOLD = "Open on {} is what had come about by then and was not done."


class AsOf:
    """Reads how things stood on a day over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._catalog, self._today = reader.catalog, reader.today
        self._durations = Durations(reader.catalog, reader.resolver)

    def aside(self, question: str) -> Aside | None:
        """What the question says of it; None where it says nothing, or of a day that is not over."""
        if not _SAYS.search(question):
            return None
        if now := _NOW.search(question):
            text = tidy(f"{question[: now.start()]}{question[now.end() :]}")
            return Aside(text, lambda query: query)
        return next((told for found in _THEN.finditer(question) if (told := self._then(question, found))), None)

    def _then(self, question: str, found: re.Match[str]) -> Aside | None:
        said, day = self._day(found["when"], is_end=found["end"] is not None)
        if day is None:
            return None
        end = found.start("when") + len(said)
        text = tidy(f"{question[: found.start()]}{question[end:]}")
        return Aside(text, partial(self._stood, day=day), (_TOLD.format(day),))

    def _day(self, text: str, *, is_end: bool) -> tuple[str, dt.date | None]:
        """The words of a day, or of a period whose last one is meant, and that day where it is over."""
        today = self._catalog.latest_day(self._today)
        ends = [each.end() for each in re.finditer(r"\w+", text)][:_MOST_WORDS]
        for place in reversed(ends):
            start, after = _period(text[:place], today)
            if start and after:
                last = after - dt.timedelta(1)
                return text[:place], last if last < today and (is_end or last == start) else None
        return "", None

    def _stood(self, query: Query, day: dt.date) -> Query | None:
        """The query of what was not done by the end of a day; None where no date of it tells."""
        made: Query = mapped(query, lambda node: self._by_date(node, day), (Missing, Compare))
        if made == query:
            made = mapped(query, lambda node: self._by_state(node, day), (Compare, Among))
        return made if made != query else None

    def _by_date(self, node: Any, day: dt.date) -> Any:
        """What lacks the date of its end, and what was due before today, as it was on the day."""
        if (
            isinstance(node, Missing)
            and not node.negated
            and (column := self._time(node.left))
            and column.null_fraction
        ):
            return self._undone(node.left, day)
        is_due = isinstance(node, Compare) and node.operator == "<" and isinstance(node.right, dt.date)
        if is_due and isinstance(node.left, Col) and self._time(node.left) and is_meant(self._stems(node.left)):
            return Compare(node.left, "<", day)
        return node

    def _by_state(self, node: Any, day: dt.date) -> Any:
        """A stored state, where the rows keep the one date on which they end."""
        if not isinstance(node, Compare | Among) or not isinstance(node.left, Col):
            return node
        table = self._catalog.table(*node.left.table)
        ends = self._ends(node.left.table) if table and self._is_state(node.left) else []
        if table is None or len(ends) != 1:
            return node
        return Every((self._undone(ends[0], day), *standing(table, self._catalog)))

    def _is_state(self, column: Col) -> bool:
        held = self._catalog.column(*column.table, column.name)
        is_text = held is not None and held.kind == "text"
        return is_text and 0 < len(self._catalog.values.held_in(*column.table, column.name)) <= MOST_STATES

    def _undone(self, end: Col, day: dt.date) -> Cond:
        after = day + dt.timedelta(1)
        undone = Either((Missing(end), Compare(end, ">=", after)))
        table = self._catalog.table(*end.table)
        begun = self._durations.begun(table, end) if table else None
        return Every((undone, Compare(begun, "<", after))) if begun and begun.table == end.table else undone

    def _ends(self, key: TableKey) -> list[Col]:
        table = self._catalog.table(*key)
        dates = [each for each in table.columns if each.is_time and each.null_fraction] if table else []
        return [Col(key, each.name) for each in dates if _ENDS & rooted(self._stems(Col(key, each.name)))]

    def _time(self, column: Col) -> Column | None:
        found = self._catalog.column(*column.table, column.name)
        return found if found and found.is_time else None

    def _stems(self, column: Col) -> tuple[str, ...]:
        table = self._catalog.table(*column.table)
        return table.stems(column.name) if table else ()


def _period(text: str, today: dt.date) -> tuple[dt.date | None, dt.date | None]:
    """A period's first day and the one after its last; a month without a year is the latest one that is over."""
    if _A_MONTH.fullmatch(text.strip()):
        year = today.year - (month_number(text.strip().lower()) >= today.month)
        text = f"{text.strip()} {year}"
    period = period_of(text)
    return period.resolve(today) if period else (None, None)
