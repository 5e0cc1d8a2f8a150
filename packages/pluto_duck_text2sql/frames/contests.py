"""Things that did more in one period than in another: `which buyers spent more in 2013 than in 2012`.

Who did the most in the first period is a question of its own; its figure is then compared with the same figure of the
other, where nothing counts as 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.frames.beside import leans, periods_of
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Inside,
    Minus,
    Nested,
    Number,
    Operator,
    Query,
    Rows,
    Times,
    is_total,
)

_MOST: dict[str, tuple[str, Operator]] = {
    "more": ("the most", ">"),
    "fewer": ("the fewest", "<"),
    "less": ("the least", "<"),
    "better": ("the most", ">"),
    "higher": ("the highest", ">"),
    "larger": ("the largest", ">"),
    "bigger": ("the biggest", ">"),
    "lower": ("the lowest", "<"),
    "smaller": ("the smallest", "<"),
}
_MORE = Pattern(
    rf"^(?P<asks>(?P<count>how many|(?:the )?number of)|which|what|who|list|show(?: me\b)?|find|name|give me|all|)(?: ?(?:of )?(?:the|our|all)\b)*"
    rf" ?(?P<lead>.*?)\b(?:an? )?(?P<more>{'|'.join(_MOST)})\b(?P<noun>(?: (?!than\b)[a-z]+){{0,3}}?) (?:(?:in|during|for) |(?=this |last |so far ))(?P<one>[^,]+?) than"
    r"(?: (?:they|it|he|she|we) (?:did|had|has|do|was|were))?(?: (?:in|during|for|over))?(?: the(?= same))? (?P<other>[^,:]+)$",
    re.IGNORECASE,
)


_HAVING = Pattern(r" (?:with|having) $", re.IGNORECASE)
_SOLD = Pattern(r"(?<=^which )(?P<who>[a-z]+(?: [a-z]+)?) (?:have |has |had )?sold the most\b", re.IGNORECASE)
_TIMES = {"twice": 2.0, "double": 2.0, "half": 0.5, "three times": 3.0, "triple": 3.0}
_WHOSE = Pattern(
    rf"^(?:(?P<count>how many|(?:the )?number of)|which|what|list|show|find|give me|all)?(?: ?(?:of )?(?:the|our|all)\b)* ?(?P<who>[a-z]+(?: [a-z]+)?)"
    rf" whose (?P<figure>.+?) (?:(?:in|for|during) |(?=this |last |so far ))(?P<one>[^,]+?) (?:was|is|are|were|has been|exceeded|passed) ?(?P<op>at least|more than|less than|over|under)? ?"
    rf"(?:(?P<times>{'|'.join(_TIMES)})|(?P<more>{'|'.join(_MOST)}) than)(?: (?:as (?:much|many|high|large|big) as|that|the (?:one|figure|amount)|those|what it was|its value))?"
    r"(?: (?:of|in|for|during|over))?(?: the(?= same))? (?P<other>[^,:]+)$",
    re.IGNORECASE,
)
_GREW = Pattern(
    r"^(?:(?P<count>how many|(?:the )?number of)|which|what|list|show|find|give me|all)(?: (?:of )?(?:the|our|all)\b)* (?P<who>[a-z]+(?: [a-z]+)?)"
    r" (?:(?P<up>grew|increased|raised|improved)|reduced|decreased|lowered|lost) (?:their|its|the|in) (?P<figure>.+?) (?:in|for|during) (?P<one>[^,]+?),?"
    r" (?:compared (?:to|with)|over|against|versus|vs|relative to|on)(?: (?:in|that of|those of))? (?P<other>[^,:]+)$",
    re.IGNORECASE,
)
_MOVED = Pattern(
    r"^(?:(?P<count>how many|(?:the )?number of)|which|what|list|show|find|give me|all)?(?: ?(?:of )?(?:the|our|all)\b)* ?(?P<who>[a-z]+(?: [a-z]+)?)"
    r" whose (?P<figure>.+?) (?:(?P<up>rose|grew|increased|climbed|went up)|fell|dropped|declined|decreased|shrank|went down)"
    r" (?:from|between) (?P<other>[^,]+?) (?:to|and) (?P<one>[^,:]+)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Contest:
    """A question for who did the most, the operator, the two periods, and whether those are counted.

    `times`: how often the second period's figure the first is compared with.
    """

    asked: str
    operator: Operator
    periods: tuple[str, str]
    counts: bool
    times: float = 1.0


def contest_of(text: str) -> Contest | None:
    """What a question says of two periods compared; None where it says no such."""
    whose = _WHOSE.match(same(text))
    if whose:
        return _of_figures(whose)
    grew = _GREW.match(same(text)) or _MOVED.match(same(text))
    if grew:
        return _of_changes(grew)
    found = _MORE.match(same(text))
    periods = periods_of(found["one"], found["other"]) if found else None
    if found is None or periods is None or not found["lead"].strip():
        return None
    most, operator = _MOST[found["more"].lower()]
    lead = _HAVING.sub(" had ", found["lead"])
    asked = tidy(f"which {lead} {most}{found['noun']} in {periods[0]}")
    return Contest(asked, operator, periods, bool(found["count"]))


def _in_money(asked: str) -> str:
    """`which beers sold the most in 2025` by what they brought: which of pieces and money is meant, nobody is asked."""
    return _SOLD.sub(r"\g<who> has the highest revenue", asked)


def _of_figures(found: re.Match[str]) -> Contest | None:
    """`customers whose order value in 1997 was at least twice that of 1996`."""
    periods = periods_of(found["one"], found["other"])
    if periods is None:
        return None
    operator = _MOST[found["more"].lower()][1] if found["more"] else OPERATORS.get((found["op"] or "").lower(), ">=")
    if found["times"] and (found["op"] or "").lower() in ("more than", "over"):
        operator = ">"
    asked = f"which {found['who']} has the highest total {found['figure']} in {periods[0]}"
    return Contest(asked, operator, periods, bool(found["count"]), _TIMES.get((found["times"] or "").lower(), 1.0))


def _of_changes(found: re.Match[str]) -> Contest | None:
    """`channels that grew their revenue in 2025 compared with 2024`."""
    periods = periods_of(found["one"], found["other"])
    asked = f"which {found['who']} has the highest total {found['figure']} in {periods[0]}" if periods else ""
    return Contest(asked, ">" if found["up"] else "<", periods, bool(found["count"])) if periods else None


class Contests(Compounds):
    """Answers questions about who did more in one period than in another."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those that did; None where the question asks no such."""
        main, phrases = split_spec(question)
        said = contest_of(main)
        part = (self._part(_in_money(said.asked), run) or self._part(said.asked, run)) if said else None
        query = self._compared(part.tree, said) if said and part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _compared(self, tree: Query, said: Contest) -> Query | None:
        """The groups of a top list whose figure is so in both periods; None where it is no list of groups."""
        figure = tree.order[0].by if len(tree.order) == 1 else None
        spans = [each for each in tree.where if isinstance(each, During) and isinstance(each.left, Col)]
        plain = not (tree.per or tree.then or tree.having or tree.nth)
        if not plain or not isinstance(figure, Agg) or not tree.group or tree.limit is None or len(spans) != 1:
            return None
        left = spans[0].left
        now, then = self._both(left, spans[0], said.periods[1]) if isinstance(left, Col) else (spans[0], None)
        if then is None or isinstance(figure.of, Nested):
            return None
        where = (*(each for each in tree.where if each != spans[0]), Either((now, then)))
        shown = tuple(each for each in tree.select if not is_total(each))
        having = _more(figure, now, then, said)
        query = replace(tree, select=shown, where=where, having=(having,), order=(), limit=None)
        return self._counted(query) if said.counts else query

    def _both(self, left: Col, now: During, other: str) -> tuple[During, During | None]:
        """The period of the first figure and that of the other: the same days of the year before end with today's."""
        if not leans(other):
            return now, self.within(left, other)
        after = shift(self.reader.catalog.latest_day(self.reader.today), "day", 1)
        now = replace(now, end=min(now.end, max(after, shift(now.start, "day", 1))), said=None)
        return now, replace(now, start=shift(now.start, "year", -1), end=shift(now.end, "year", -1))

    def _counted(self, query: Query) -> Query | None:
        """How many groups there are."""
        keys = [each for each in query.group if isinstance(each, Col) and self.reader.joins.is_key(each)]
        if not keys:
            return None
        inside = Inside(keys[0], replace(query, select=(keys[0],)))
        return Query(keys[0].table, (Agg("count", Rows(keys[0].table)),), (inside,))


def _more(figure: Agg, now: During, then: During, said: Contest) -> Cond:
    """That a figure compares so, where a sum of nothing is 0; what has nothing in either period is not compared."""
    one, other = (replace(figure, where=(*figure.where, each)) for each in (now, then))
    if said.times != 1:
        return Compare(Minus(one, Times(other, Number(said.times))), said.operator, 0)
    compared = Compare(Minus(one, other), said.operator, 0)
    if figure.function != "sum":
        return compared
    greater, lesser = (one, other) if said.operator == ">" else (other, one)
    none = Compare(replace(lesser, function="count"), "=", 0)
    return Either((compared, Every((none, Compare(greater, ">", 0)))))
