"""How many things have how many: `how many customers placed one order, how many two`, `distribution of orders`.

The number that each thing has is a question of its own; its answers are counted by their value.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.tree import Agg, Order, Query, in_each_group, is_total

_WHO = r"(?P<who>[a-z]+(?: (?!by\b|per\b)[a-z]+)??)"
_WHAT = r"(?P<what>[a-z]+(?: (?!each\b|they\b|per\b|by\b)[a-z]+)??)"
_DID = r"(?:[a-z]+ )"
_TAIL = r"(?P<tail>,? (?:in|during|since|before|after|between) .+)?$"
_ASKED = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:the )?(?:distribution|histogram|spread) of (?:the )?(?:number of )?{_WHAT}"
        rf" (?:per|by|for each|of each|across) {_WHO}{_TAIL}",
        rf"^(?:the )?(?:how many|number of) {_WHO} (?:by|per|for each) (?:the |their )?number of {_WHAT}"
        rf"(?: (?:they|each|that they) .+)?{_TAIL}",
        rf"^(?:the )?(?:number of )?{_WHAT} (?:per|by) {_WHO} (?:distribution|histogram){_TAIL}",
        rf"^how many {_WHO} {_DID}how many {_WHAT}{_TAIL}",
        rf"^how many {_WHO} {_DID}(?:just |only |exactly )?(?:one|1) {_WHAT},? (?:and )?how many"
        rf" (?:{_DID})?(?:just |only |exactly )?(?:two|2)\b.*$",
    )
)


class Histograms(Compounds):
    """Answers questions for how many things have how many."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The numbers with how many have each, the least first; None where the question asks no such."""
        text = LEAD.sub("", same(question))
        found = next((match for pattern in _ASKED if (match := pattern.match(text))), None)
        if found is None or not (self.table(found["who"]) and self.table(found["what"])):
            return None
        tail = found.groupdict().get("tail") or ""
        part = self._part(f"number of {found['what']} for each {found['who']}{tail}", run)
        query = _counted(part.tree) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _counted(tree: Query) -> Query | None:
    """How many of a tree's groups have each value of its one count; None where it is of no such groups."""
    counts = [each for each in tree.select if is_total(each)]
    plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
    if (
        not plain
        or not tree.group
        or len(counts) != 1
        or not isinstance(counts[0], Agg)
        or counts[0].function != "count"
    ):
        return None
    number = in_each_group(tree, counts[0])
    return Query(tree.anchor, (number, Agg("count", number)), group=(number,), order=(Order(number),))
