"""Those with the highest or lowest part: `which practice has the highest no-show rate`, `the two towns with the lowest
share of late orders`.

The part of each group is a question of its own; it takes the place of whatever the whole question was ordered by.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.corrections.worst import by_worst
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, number_of
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Order, Query, Ratio, is_total, nodes_in

_N = rf"(?:(?P<n>\d+|{'|'.join(NUMBER_WORDS)}) )?"
_PART = r"(?P<figure>(?:[\w-]+ ){0,2}?(?:rate|percentage|share|proportion)\b.*)"
_ASKED = Pattern(
    rf"^(?:(?:which|what|list|show(?: me)?|name) )?(?:the )?{_N}(?P<who>[a-z]+(?: [a-z]+)?) (?:has|have|had|with) the"
    rf" (?P<way>highest|lowest|largest|greatest|smallest|biggest|best|worst) {_PART}$",
    re.IGNORECASE,
)
_DOWN = ("lowest", "smallest", "worst")


class RateRanks(Compounds):
    """Answers questions for the groups of which the largest or smallest part meets a condition."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, `plain` is ordered by a part, or no group has one."""
        main, phrases = split_spec(question)
        said = _ASKED.match(same(main).strip(" ?.!"))
        if said is None or _is_by_part(plain):
            return None
        part = self._part(f"{said['figure']} by {said['who']}", run)
        query = _ranked(part.tree, said) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _is_by_part(plain: Analysis) -> bool:
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    return tree is not None and any(isinstance(node, Ratio) for node in nodes_in(tuple(o.by for o in tree.order)))


def _ranked(tree: Query, said: re.Match[str]) -> Query | None:
    """The groups in order of the part that the tree shows of each; None where it shows none."""
    parts = [each for each in tree.select if isinstance(each, Ratio)]
    if len(parts) != 1 or not tree.group or tree.limit or tree.per or tree.then:
        return None
    shown = tuple(each for each in tree.select if not is_total(each))
    is_down = said["way"].lower() in _DOWN
    limit = int(number_of(said["n"].lower()) or 1) if said["n"] else 1
    made = replace(tree, select=shown, order=(Order(parts[0], descending=not is_down),), limit=limit)
    return by_worst(made, said["way"])
