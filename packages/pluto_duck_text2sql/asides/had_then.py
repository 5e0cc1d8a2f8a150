"""How many there were then: `how many technicians did we have at the end of 2023`, `machines we owned on 1 March`,
`branches open at the start of the year`.

Those that had come by that day and had not gone, by the rows' own two dates; where rows keep no end, all that had come:
customers since they signed up, depots since they opened. Taken out of the question by asides.py, and put into the tree
of the rest. Of each period's end a plan tells (levels.py).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from functools import partial

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Col, Compare, Cond, Either, Missing, Query
from pluto_duck_text2sql.trees.comings import comings
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.parts import home

_OURS = r"(?:(?:our|the) )?"
_BEING = (
    rf"(?:employed|on staff|on {_OURS}(?:payroll|books)|with us|working (?:here|for us)|open"
    rf"|in {_OURS}(?:fleet|portfolio|network|team|company|stable|herd)"
    r"|in (?:business|operation|service|use|existence))"
)
_HAD = (
    r"(?:(?:did|do) we (?:already )?(?:have|own|employ|run|operate|keep)|had we"
    rf"|we (?:had|owned|employed)|worked (?:here|for us)|were there|(?:that |which |who )?were (?:still )?{_BEING})"
)
_END = (
    r"(?:(?:at|by|as of|as at|on) (?:the )?(?:very )?(?:end|close) of"
    r"|at (?:the )?(?:year|quarter|month)[- ]end(?: of)?)"
)
_START = r"(?:(?:at|as of|on) (?:the )?(?:very )?(?:start|beginning) of)"
_ROWS = r"(?:(?:the|our|all) )?[a-z]+"
_AT = rf"(?:(?P<end>{_END})|(?P<start>{_START}))"
_WHEN = r" (?P<when>(?!(?:the )?(?:each|every)\b)[\w ,]+)"
_SAID = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<=[a-z]) {_HAD} (?:{_AT}|(?:on|as of|as at)){_WHEN}",
        rf"(?<=number of ){_ROWS}(?P<at> ){_AT}{_WHEN}",
    )
)
_COUNTED = Pattern(r"^(?:and )?(?:how many|number of|what (?:is|was) the number of|count)\b", re.IGNORECASE)
_MOST_WORDS = 5
_TOLD = "Those count that had come by {} and had not gone."


class HadThen:
    """Reads how many there were on a day over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._catalog, self._today = reader.catalog, reader.today
        self._durations = Durations(reader.catalog, reader.resolver)

    def aside(self, question: str) -> Aside | None:
        """What the question says of it; None where it says nothing, or of a day that is not over."""
        found = (each.search(question) for each in _SAID) if _COUNTED.match(question) else iter(())
        said = next((each for each in found if each), None)
        if said is None:
            return None
        words, day = self._day(said)
        if day is None:
            return None
        start = said.start("at") if said.groupdict().get("at") else said.start()
        text = tidy(f"{question[:start]}{question[said.start('when') + len(words) :]}")
        return Aside(text, partial(self._there, day=day, is_end=said["end"] is not None), (_TOLD.format(day),))

    def _day(self, said: re.Match[str]) -> tuple[str, dt.date | None]:
        """The words for when, and the day that is meant: a period's last or first one, or one that is said itself."""
        today = self._catalog.latest_day(self._today)
        ends = [each.end() for each in re.finditer(r"\w+", said["when"])][:_MOST_WORDS]
        for place in reversed(ends):
            period = period_of(said["when"][:place])
            start, after = period.resolve(today) if period else (None, None)
            if start and after:
                last = after - dt.timedelta(1)
                is_day = said["end"] or said["start"] or last == start
                day = last if said["end"] else start
                return said["when"][:place], day if is_day and day <= today else None
        return "", None

    def _there(self, query: Query, day: dt.date, is_end: bool) -> Query | None:
        """The query of what had come by the day and not gone; None where no date of its rows tells."""
        table = self._catalog.table(*(home(query) or query.anchor))
        found = comings(table, self._durations) if table else None
        if found is None or query.having or query.limit is not None:
            return None
        start, ends = found
        after = day + dt.timedelta(1)
        left = after if is_end else day
        there = tuple(Either((Missing(end), Compare(end, ">=", left))) for end in ends)
        return replace(query, where=(*_without(query.where, start, ends), Compare(start, "<", after), *there))


def _without(where: tuple[Cond, ...], start: Col, ends: tuple[Col, ...]) -> tuple[Cond, ...]:
    """The conditions but those that say by a missing end that rows are there now."""
    return tuple(each for each in where if not (isinstance(each, Missing) and each.left in (start, *ends)))
