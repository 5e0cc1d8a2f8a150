"""Who has the most below them: `who is the boss of most people`, `which employee has the most direct reports`.

Of a table whose rows point at rows of their own (selves.py) the row that most others point at; who is pointed at by
nothing but customers manages nobody.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Analysis, sure
from pluto_duck_text2sql.compounds import Compounds
from pluto_duck_text2sql.frames import same
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.selves import Ladder
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Inside, Missing, Order, Query, Rows

_PEOPLE = r"(?:of the )?(?:other |of our |our )?(?P<whom>[a-z]+)"
_FOLK = frozenset("people persons staff colleagues others members".split())
_ABOVE = "(?:boss|manager|supervisor|superior|head|chief)"
_WHO = r"(?:who(?: of us)?|(?:which|what) [a-z]+|(?:the )?(?:employee|person|manager|boss) (?:who|that))"
_MOST = r"(?:the )?(?P<most>most|fewest)"
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_WHO} (?:is|was) (?:the )?{_ABOVE} (?:of|for|to) {_MOST} {_PEOPLE}$",
        rf"^{_WHO} (?:manages|supervises|leads|heads|bosses|is in charge of) {_MOST} {_PEOPLE}$",
        rf"^{_WHO} has {_MOST} (?:direct )?(?:reports|subordinates|underlings)$",
        rf"^{_WHO} has {_MOST} {_PEOPLE} (?:reporting to|working for|working under|under|below) (?:them|him|her)$",
        rf"^(?:whom?|(?:which|what) [a-z]+) (?:do|does) {_MOST} {_PEOPLE} (?:report to|work for|answer to)$",
    )
)


class MostBelow(Compounds):
    """Answers who has the most rows below."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The one; None where the question asks no such, or not one table has rows below its own."""
        main, phrases = split_spec(question)
        found = next((match for each in _ASKED if (match := each.match(same(main)))), None)
        ladder = self._ladder((found.groupdict().get("whom") or "people").lower()) if found else None
        if found is None or ladder is None:
            return None
        query = self._top(ladder, found["most"].lower() == "most")
        line = f"{found['most']} below them → {ladder.up.table[1]}.{ladder.up.name}"
        made = self.candidate(query, [sure(query, line)], phrases, run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _ladder(self, whom: str) -> Ladder | None:
        """The one ladder there is, where those below are people or called as its rows are."""
        ladders = [made for each in self.reader.catalog.tables if (made := Ladder.of(each))]
        table = None if whom in _FOLK else self.table(whom)
        if len(ladders) != 1:
            return None
        return ladders[0] if whom in _FOLK or table is ladders[0].table else None

    def _top(self, ladder: Ladder, most: bool) -> Query:
        """The row that is pointed at most, or least."""
        key = ladder.table.key
        order = (Order(Agg("count", Rows(key)), most), Order(ladder.up, settles=True))
        pointed = Query(key, (ladder.up,), (Missing(ladder.up, negated=True),), (ladder.up,), order=order, limit=1)
        return Query(key, tuple(self.reader.resolver.label(ladder.table)), (Inside(ladder.key, pointed),))
