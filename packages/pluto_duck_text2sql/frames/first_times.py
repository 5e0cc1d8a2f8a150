"""When something first or last happened to each: `for each segment, when was the first order placed`, `when did each
member last borrow something`.

How many there are by the same groups is a question of its own; the earliest or latest date then stands for the number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.event_dates import happened
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, spoken_stems, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.rewording.deed_verbs import rows_of
from pluto_duck_text2sql.tree import Agg, Ago, Col, Order, Query, Rows, TableKey, columns_in, is_total
from pluto_duck_text2sql.trees.durations import rooted

_EACH = r"(?:each|every)(?: one)?(?: of)?(?: the| our)?"
_WHICH = r"(?:very )?(?P<which>first|earliest|last|latest|most recent)"
_WHAT = r"(?P<what>[a-z]+(?: [a-z]+)??)"
_BY = r"(?P<by>[a-z]+(?: [a-z]+)?)"
_MADE = r"(?: (?:made|placed|recorded|booked in)\b)"
"""Verbs that say of rows only that they are there."""
_VERB = rf"(?:{_MADE}| (?P<verb>held|sold|served|given|taught|paid|[a-z]+ed|bought|done))?"
_TIMES = r"(?:when (?:was|were)|(?:what|which) (?:day|date) was|what (?:is|was) the (?:date|day) of|(?:the )?date of)"
_TRADED = Pattern(r"buy|purchase|shop", re.IGNORECASE)
_SINCE = Pattern(
    r"^(?:how many )?days (?:have |has )?(?:passed |gone by |elapsed )?since (?:the |its |their )?"
    rf"{_WHICH} {_WHAT}{_VERB} (?:for|in|of|by|at|from|with|per) (?:{_EACH} |the )?{_BY}$",
    re.IGNORECASE,
)
_ASKED = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:for|in|of) {_EACH} {_BY},? {_TIMES} (?:the|its|their) {_WHICH} {_WHAT}{_VERB}$",
        rf"^{_TIMES} (?:the )?{_WHICH} {_WHAT}{_VERB} (?:for|in|of|by|at|from|with) {_EACH} {_BY}$",
        rf"^what was the {_WHICH} (?:day|date) (?:on which|when|that) (?:an?|any|the) {_WHAT} (?:was|were)"
        rf"{_VERB} (?:for|in|of|by|at|from|with) {_EACH} {_BY}$",
        rf"^when did {_EACH} {_BY} [a-z]+ (?:its|their|his or her|the) {_WHICH} {_WHAT}"
        r"(?: (?:that|which) we .+|,? on record)?$",
        rf"^when did {_EACH} (?P<by>[a-z]+) {_WHICH} (?P<did>[a-z]+)(?: \w+thing)?$",
        rf"^when did {_EACH} (?P<by>[a-z]+) (?P<did>[a-z]+)(?: \w+thing)? for the {_WHICH} time$",
    )
)


class FirstTimes(Compounds):
    """Answers when something first or last happened to each."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The dates; None where the question asks none, or what is counted keeps none."""
        main, phrases = split_spec(question)
        since = _SINCE.match(same(main))
        found = since or next((match for each in _ASKED if (match := each.match(same(main)))), None)
        what = self._what(found) if found else ""
        part = self._part(f"number of {what} for each {found['by']}", run) if found and what else None
        is_first = found is not None and found["which"].lower() in ("first", "earliest")
        query = self._at_times(part.tree, "min" if is_first else "max", main, what) if part else None
        query = self._days_since(query) if query and since else query
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _what(self, found: re.Match[str]) -> str:
        """The rows that are dated, as one says them: those said, or those of what was done."""
        said = found.groupdict()
        did = said.get("did")
        if did is None:
            return tidy(f"{said['what'].removesuffix('s')}s {said.get('verb') or ''}")
        bought = "purchases" if _TRADED.match(did) else ""
        return rows_of(did, self.reader.catalog) or bought

    def _at_times(self, tree: Query, function: Literal["min", "max"], question: str, what: str) -> Query | None:
        """The tree with the date of what it counts in place of the number; None where it counts no rows by groups."""
        counted = [each for each in tree.select if is_total(each)]
        if len(counted) != 1 or not isinstance(counted[0], Agg) or not isinstance(counted[0].of, Rows | Col):
            return None
        near = dict.fromkeys((counted[0].of.table, *(each.table for each in columns_in(tree))))
        date = self._date(list(near), question, spoken_stems(tokenise(what)))
        if date is None or not tree.group or tree.limit or tree.having:
            return None
        shown = tuple(Agg(function, date) if each == counted[0] else each for each in tree.select)
        keys = tuple(each for each in tree.select if each != counted[0])
        return replace(tree, select=shown, order=tuple(Order(each) for each in keys))

    def _days_since(self, query: Query) -> Query:
        """The days from each date to the last of the data, or today."""
        day = self.reader.catalog.latest_day(self.reader.today)
        shown = (Ago(each, day) if isinstance(each, Agg) else each for each in query.select)
        return replace(query, select=tuple(shown))

    def _date(self, near: Sequence[TableKey], question: str, called: frozenset[str]) -> Col | None:
        """When rows of the first table, which are `called` so, happen; where it keeps no time, those they are of."""
        tokens = tokenise(question)
        times = [each for _, each in self.reader.resolver.time_column(near, called) if each.table in near]
        first = next((each for each in times if each.table == near[0]), next(iter(times), None))
        roots = rooted(called)
        named = [each for each in times if roots & rooted(name_stems(each.name))] if called else []
        date = named[0] if len(named) == 1 and first and named[0].table == first.table else first
        table = self.reader.catalog.table(*date.table) if date else None
        words = spoken_stems(tokens) | {token.lower for token in tokens}
        return replace(date, name=happened(table, date.name, words)) if date and table else None
