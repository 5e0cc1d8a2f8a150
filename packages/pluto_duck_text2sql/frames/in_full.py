"""A second sentence that says the question in full: `What goes wrong most often? Count the repairs by reason.`

What is said before it is talk, as long as it names no period, no number and no stored value. It is answered by itself
where that is surer than what both sentences together are read as.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Links
from pluto_duck_text2sql.data.measured_units import columns_in_unit
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.times.periods import find_periods

_TWO = Pattern(r"^(?P<talk>[^.?!]+[.?!]) (?P<asked>[^?!]+?)\W*$")
_ASKS = Pattern(
    r"(?:please )?(?:count (?:the|all|how)\b|(?:the )?sum of\b|add up\b|i mean\b|that is,? "
    r"|give (?:me |us )?the (?:percentage|share|number|count|average|total|sum)\b"
    r"|show (?:me |us )?the (?:percentage|share|average|total)\b"
    r"|(?:the )?(?:top )?(?:two|three|four|five|ten|\d+) [a-z]+(?: [a-z]+)? (?:with|by) )",
    re.IGNORECASE,
)
_BY = Pattern(r"^(?P<what>[^,;]+?) (?:per|by|for each|for every|in each|of each) (?P<by>[a-z]+)\b", re.IGNORECASE)
"""What is grouped is said before: `leavers since 2018 per branch`, but not `count per branch`."""
_SORTS = Pattern(
    r"\b(?:sort|sorted|order|ordered|arrange|arranged|rank|ranked) (?:[a-z]+ ){0,4}?(?:by|in)\b", re.IGNORECASE
)
"""A first sentence that says in which order rows come."""
_ASSUMED = "What is asked is said in the second sentence."


class InFull(Compounds):
    """Answers questions whose second sentence is all that is asked."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The second sentence's answer; None where it is no question of its own, or less sure than both together."""
        asked = self._own_question(question)
        part = self._part(asked, run) if asked else None
        sure = plain.candidates[0].confidence if plain.status == "answered" and plain.candidates else 0.0
        is_same = part is not None and bool(plain.candidates) and part.sql == plain.candidates[0].sql
        if part is None or (part.confidence <= sure and not is_same):
            return None
        part = replace(part, confidence=max(part.confidence, sure))
        told = replace(part, assumptions=(*part.assumptions, _ASSUMED))
        return Analysis("answered", (told, *plain.candidates), links=Links.of(self.reader.named(question)))

    def _own_question(self, question: str) -> str:
        """The second sentence where it is a question of its own, and the first tells nothing besides."""
        found = _TWO.match(question.strip())
        if found is None or self._tells(found["talk"]):
            return ""
        return found["asked"] if _ASKS.match(found["asked"]) or self._is_grouped(found["asked"]) else ""

    def _is_grouped(self, asked: str) -> bool:
        """Whether rows or figures that it names are grouped, and not told for one unit: `cost per kg`."""
        found = _BY.match(asked)
        if found is None or next(columns_in_unit(found["by"], self.reader.catalog), None):
            return False
        return bool(Links.of(self.reader.named(found["what"])).tables)

    def _tells(self, talk: str) -> bool:
        """Whether the first sentence says which rows are meant."""
        tokens = tokenise(talk)
        is_counted = any(each.number is not None for each in tokens)
        return bool(is_counted or _SORTS.search(talk)) or bool(
            find_periods(Words(tokens)) or Links.of(self.reader.named(talk)).values
        )
