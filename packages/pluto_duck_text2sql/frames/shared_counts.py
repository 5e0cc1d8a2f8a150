"""How many of what rows share have so many of them: `how many customers placed just one order`, `what percentage of
orders have a single line item`, `how many hosts have more than one listing`.

What each has is a question of its own, counted for each (data/things.py tells which things there are); then those are
counted that have so many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.data.things import Thing, things
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import spoken, stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Expr, Missing, Nested, Operator, Query, Ratio, is_total

_SHARE = r"(?:percent(?:age)?|share|fraction|proportion|part)"
_N = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a single|a|an)"
_SAID = Pattern(
    rf"^(?:(?:what|which) )?(?:how many|(?:the )?number of|(?:the )?(?P<share>{_SHARE}) of)"
    r"(?: (?:of|the|our|all|different))*"
    r" (?P<thing>[a-z]+)(?: (?:who|that|which))? (?:have|has|had|with|placed?|made|make|did|bought|buy|ordered?|own"
    r"|posted|offer|show up under|appear in|contain|include|consist of|used?|got|received|are in|booked|took|wrote"
    r"|opened|raised|created)"
    r"(?: (?:placed|made|ordered|bought|had|been|ever))?"
    rf" (?:(?P<op>more than|at least|over|fewer than|less than|exactly|at most) (?P<n>{_N}|once|twice)"
    rf"|(?P<least>{_N}) or more|(?P<only>just|only)(?: (?P<few>{_N}))?|(?P<many>multiple|several)"
    r"|(?P<one>a single|one))"
    r"(?: (?P<other>[a-z]+(?: (?:items?|lines?|rows?))?))?(?P<tail>(?: (?:in|during|since|from|for|between|on) .*)?)$",
    re.IGNORECASE,
)
_TIMES = frozenset(("once", "time", "times", "twice"))
_SEVERAL = 2
_SINGLE = ("a single", "a", "an", "once")


@dataclass(frozen=True)
class _Bound:
    operator: Operator
    number: float


class SharedCounts(Compounds):
    """Answers questions for how many have so many."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Their number or part; None where the question asks no such, or nothing that rows share."""
        main, _ = split_spec(question)
        said = _SAID.match(same(main).strip(" .?!"))
        thing = self._thing(said["thing"]) if said else None
        if said is None or thing is None:
            return None
        counted = self._counted(said, thing)
        part = self._part(f"number of {counted}{said['tail']}", run) if counted else None
        query = _of_each(part.tree, thing.key, _bound(said), _scale(said["share"])) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _thing(self, noun: str) -> Thing | None:
        return next((each for each in things(self.reader.catalog) if each.stems == (stem(noun.lower()),)), None)

    def _counted(self, said: re.Match[str], thing: Thing) -> str:
        """What each is to have so many of; of how often the orders, where rows share these."""
        other = (said["other"] or "").lower()
        if other and other not in _TIMES:
            return other if stem(other.split()[0]) != thing.stems[0] else ""
        orders = next((each for each in things(self.reader.catalog) if each.stems == (stem("order"),)), None)
        return "orders" if orders and orders.key.table == thing.key.table else ""


def _bound(said: re.Match[str]) -> _Bound:
    if said["op"]:
        return _Bound(OPERATORS.get(said["op"].lower(), "="), _number(said["n"]))
    if said["least"] or said["many"]:
        return _Bound(">=", _number(said["least"]) if said["least"] else _SEVERAL)
    return _Bound("=", _number(said["few"] or said["one"] or "one"))


def _number(text: str) -> float:
    return 1.0 if text.lower() in _SINGLE else 2.0 if text.lower() == "twice" else spoken(text.lower()) or 0.0


def _scale(share: str | None) -> int:
    """0 for a number, 1 for a fraction, 100 for a percentage."""
    return 0 if not share else 100 if share.lower().startswith("percent") else 1


def _of_each(tree: Query, key: Col, bound: _Bound, scale: int) -> Query | None:
    """How many keys have so many; None where the tree is no plain count of the rows that have the key."""
    counts = [each for each in tree.select if is_total(each)]
    if len(tree.select) != 1 or len(counts) != 1 or tree.group or tree.anchor != key.table or counts[0] == _once(key):
        return None
    known = (*tree.where, Missing(key, negated=True))
    having = (Compare(counts[0], bound.operator, bound.number),)
    of_them: Expr = Agg("count", Nested(Query(tree.anchor, (counts[0],), known, (key,), having)))
    shown = Ratio(of_them, Agg("count", key, distinct=True), scale) if scale else of_them
    return Query(tree.anchor, (shown,), tree.where if scale else ())


def _once(key: Col) -> Agg:
    return Agg("count", key, distinct=True)
