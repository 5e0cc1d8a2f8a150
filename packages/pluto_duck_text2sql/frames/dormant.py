"""Not for so long: `contacts who have not logged in for 90 days`, `members who haven't visited in over a year`.

Where rows keep the day on which it was done last, and only then, it was not done for so long where that day is before
it, or there is none. What is left of the question is a question of its own, whose rows are restricted so. Where each
deed is a row of its own, the reader finds those without any in the period.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.event_dates import is_last
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS, name_stems, stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import shift, units_said
from pluto_duck_text2sql.tree import Col, Compare, Either, Missing, Query, columns_in
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.parts import home

_NOT_FOR = Pattern(
    r",? ?(?:(?:who|that|which) )?(?:have|has|had)(?:n['’]t| not)(?: been)? (?P<deed>[a-z]{3,}(?: (?:in|up|out))?)"
    r"(?: again)? (?:for|in|within)(?: (?:more than|over|at least|the (?:last|past)))*"
    rf" (?P<n>\d+|an?|{'|'.join(NUMBER_WORDS)}) (?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)


class Dormant(Compounds):
    """Answers questions about those that have not done something for so long."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, or their rows keep no last day of it."""
        main, phrases = split_spec(question)
        said = _NOT_FOR.search(main)
        last = self._last(said["deed"]) if said else None
        rest = tidy(f"{main[: said.start()]} {main[said.end() :]}") if said else ""
        part = self._part(rest, run) if last else None
        query = self._not_since(part.tree, last, said) if part and last and said else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _last(self, deed: str) -> Col | None:
        """The one date of when a deed was done last."""
        verb, *particles = deed.lower().split()
        roots = rooted([*name_stems(deed), stem(verb) + "".join(particles)])
        catalog = self.reader.catalog
        dates = (Col(table.key, each.name) for table in catalog.tables for each in table.columns if each.is_time)
        found = [each for each in dates if is_last(each, catalog) and roots & rooted(name_stems(each.name))]
        return found[0] if len(found) == 1 else None

    def _not_since(self, tree: Query, last: Col, said: re.Match[str]) -> Query | None:
        """The tree of rows whose last day is before the one so long ago, or unknown."""
        rows = home(tree) or tree.anchor
        if last.table != rows or tree.limit or tree.then or last in set(columns_in(tree.where)):
            return None
        today, unit = self.reader.catalog.latest_day(self.reader.today), said["unit"].lower()
        day = shift(today, unit, -units_said(said["n"], unit))
        return replace(tree, where=(*tree.where, Either((Compare(last, "<", day), Missing(last)))))
