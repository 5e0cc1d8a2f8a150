"""What is ranked by a figure, where it is read in no other way: `which vendor has the highest revenue`, `top vendors by
revenue`.

The figure by that group is a question of its own, whose groups are then sorted by it and cut.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, NUMBER_WORDS
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Order, Query, is_total, nodes_in

_TOP = Pattern(
    rf"^(?:(?:what|which|who) (?:are|were) )?(?:(?:the|our) )*(?P<way>top|best|bottom|worst)(?: (?P<n>{A_NUMBER}))?"
    r" (?P<what>[a-z]+(?: [a-z]+)??) by (?P<figure>[^,;]+)$",
    re.IGNORECASE,
)
_WHICH = Pattern(
    r"^(?:which|what) (?P<what>[a-z]+(?: [a-z]+)??)"
    r" (?:has|had|brings in|brought in|makes|made|generates|generated|gets|got)"
    r" (?:the )?(?P<way>highest|most|largest|biggest|lowest|least|smallest)(?P<figure> [^,;]+)$",
    re.IGNORECASE,
)
_DESCENDING = frozenset("top best highest most largest biggest".split())
_SOME = 10
"""So many are shown where no number is said."""


class RankedGroups(Compounds):
    """Answers questions for groups by their figure that have no other answer."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The first of the groups; None where `plain` is an answer or asks back, or no such is asked."""
        main, phrases = split_spec(question)
        text = same(main).strip(" ?.!")
        said = (_TOP.match(text) or _WHICH.match(text)) if plain.status == "cannot_answer" else None
        part = self._part(f"{said['figure'].strip()} by {said['what']}", run) if said else None
        if said is None or part is None:
            return None
        is_listed = "n" in said.groupdict()
        limit = _number(said["n"]) if is_listed else 1
        query = _ranked(part.tree, said["way"].lower() in _DESCENDING, limit, is_listed)
        made = self.candidate(query, [part], phrases, run) if query else None
        return Analysis("answered", (made,), links=plain.links) if made else None


def _number(said: str | None) -> int:
    word = (said or "").lower()
    return int(word) if word.isdigit() else int(NUMBER_WORDS.get(word, _SOME))


def _ranked(tree: Query, descending: bool, limit: int, is_listed: bool) -> Query | None:
    """The groups of a tree by its one amount; None where it has no groups, those of a time, or other figures. How many
    there are of something that was not understood before is not understood alone either."""
    figures = [each for each in tree.select if is_total(each)]
    is_timed = any(isinstance(each, Bucket) for each in nodes_in(tree.group))
    is_count = any(isinstance(each, Agg) and each.function == "count" for each in figures)
    if len(figures) != 1 or is_count or not tree.group or is_timed or not tree.is_plain:
        return None
    shown = tuple(each for each in tree.select if is_listed or each not in figures)
    return replace(tree, select=shown, order=(Order(figures[0], descending),), limit=limit)
