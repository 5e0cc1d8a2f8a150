"""Periods and kinds whose total passes a number: `months with more than 1.2k orders`, `in how many weeks did we …`.

What is compared is asked as a question of its own, by the period or kind; the number then restricts its groups.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, stem, tokenise
from pluto_duck_text2sql.reading.cues import Cue, find_cues
from pluto_duck_text2sql.reading.frames import UNIT, Parts, merged, same
from pluto_duck_text2sql.times.grains import find_grains
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Expr, Nested, Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

_PERIOD = r"(?: (?:of|in|during|from) (?P<period>(?:the )?(?:year )?\d{4}|[a-z]+ \d{4}|q[1-4] \d{4}))?"
_THAT = (
    r"(?:in which|on which|during which|for which|where|when|in|with|without|having|that|which|had|have|has|saw|see"
    r"|did|were there with|are there with|do we have with|did we have with|brought in|brought|made|took|sold"
    r"|was|were|is|are)"
)
_WHICH = Pattern(
    r"(?:(?:in |on |during |for )?(?:which|what)|list|show(?: me)?|give(?: me)?|find|name|all|the)?(?: of)?"
    rf"(?: the| all)* ?(?:calendar )?(?P<grain>{UNIT})s?{_PERIOD} (?P<rest>{_THAT}\b.+)",
    re.IGNORECASE,
)
_HOW_MANY = Pattern(
    rf"(?:(?:in|on|for|during) )?how many (?:calendar )?(?P<grain>{UNIT})s{_PERIOD} (?P<rest>{_THAT}\b.+)",
    re.IGNORECASE,
)
_OF_WHICH = Pattern(
    r"(?:which|what|list|show(?: me)?|give(?: me)?|find|name|all|the)?(?: the| all)* ?(?P<kind>[a-z]+(?: [a-z]+)?)"
    r" (?:of|for|from|in|on|at|with|by) (?:which|whom) (?P<rest>.+)",
    re.IGNORECASE,
)
_LEADING = Pattern(rf"^(?:{_THAT}|there (?:were|was|are)|(?:was|were|is|are)|we|did|our|the|a|an) ", re.IGNORECASE)
_EARNING = frozenset(stem(each) for each in "take took make made earn earned bring brought turn get got sell".split())


class Thresholds(Parts):
    """Reads totals by period or kind that pass a number."""

    def read(self, question: str) -> Reading | None:
        """The reading of such a question; None where it is none."""
        text = same(question)
        counted = _HOW_MANY.fullmatch(text)
        found = counted or _WHICH.fullmatch(text) or _OF_WHICH.fullmatch(text)
        if found is None:
            return None
        parts = found.groupdict()
        rest, cue = self._compared(parts["rest"])
        by = parts.get("grain") or parts["kind"]
        if cue is None or not (parts.get("grain") or self._is_kind(by)):
            return None
        totals = self._totals(rest, by, parts.get("period") or "")
        return self._restricted(totals, cue, bool(counted)) if totals else None

    def _is_kind(self, words: str) -> bool:
        """Whether it names a column, and no table."""
        return self.fit(words) < _NAMED and any(
            each.column and each.score >= _NAMED for each in self.reader.names.find(_stems(words))
        )

    def _compared(self, rest: str) -> tuple[str, Cue | None]:
        """What is compared, and how: `we took more than 40 orders` without the words of the comparison."""
        tokens = tokenise(rest)
        cues = [cue for cue in find_cues(Words(tokens)) if cue.kind == "cmp" and "n" in cue.data]
        if len(cues) != 1 or find_grains(Words(tokens)):
            return rest, None
        kept = [token.text for n, token in enumerate(tokens) if not cues[0].start <= n < cues[0].end]
        return " ".join(kept), cues[0]

    def _totals(self, rest: str, by: str, period: str) -> Reading | None:
        """The total of each period or kind."""
        while _LEADING.match(f"{rest} "):
            rest = _LEADING.sub("", f"{rest} ", count=1).strip()
        words = [token for token in tokenise(rest) if token.lower not in STOP]
        if all(token.stem in _EARNING for token in words):
            rest = "revenue"
        found = self.asked(f"{rest} per {by} {period}".strip())
        return found if found and self._measure(found.query) is not None else None

    def _measure(self, query: Query) -> Agg | None:
        """The one total of one key."""
        keys = [each for each in query.select if isinstance(each, Bucket | Col)]
        others: list[Expr] = [each for each in query.select if each not in keys]
        plain = len(keys) == len(others) == 1 and query.limit is None and not query.having and bool(query.group)
        return others[0] if plain and isinstance(others[0], Agg) else None

    def _restricted(self, totals: Reading, cue: Cue, counts: bool) -> Reading | None:
        measure = self._measure(totals.query)
        if measure is None:
            return None
        kinds = tuple(
            each for each in totals.query.select if isinstance(each, Col)
        )  # of periods the totals are told too
        query = replace(totals.query, having=(Compare(measure, cue.data["op"], cue.data["n"]),))
        query = replace(query, select=kinds or query.select)
        if counts:
            inner = replace(query, select=(measure,), order=())
            query = Query(query.anchor, (Agg("count", Nested(inner)),))
        return merged([totals], query)


_NAMED = 0.9


def _stems(words: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokenise(words) if token.lower not in STOP)


def threshold_of(reader: Reader, question: str) -> Reading | None:
    """The reading of a question about totals that pass a number; None where it is none."""
    return Thresholds(reader).read(question)
