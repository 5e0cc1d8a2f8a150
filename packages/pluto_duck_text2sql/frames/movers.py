"""Those that moved most between two periods: `which pub had the biggest drop in sales from 2024 to 2025`, `which three
products' revenue grew the most between Q1 and Q2 2025`, `top 5 clients by growth in orders from 2024 to 2025`.

Who did the most in the later period is a question of its own; the difference to the same figure of the earlier one,
where nothing counts as 0, then takes the figure's place in the order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.beside import periods_of
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS, number_of
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, During, Expr, Minus, Nested, Order, Query, Ratio, is_total

_UP = r"(?P<up>growth|increase|rise|jump|gain|improvement|upswing|uplift)"
_CHANGE = rf"(?:{_UP}|drop|fall|decline|decrease|loss|dip|slump|reduction|downturn)s?"
_BIGGEST = r"(?:biggest|largest|greatest|highest|strongest|steepest|sharpest|most|worst|best)"
_PERCENT = r"(?P<percent>(?:percent(?:age)?|relative|%) )?"
_ASKS = r"(?:which|what|list|show(?: me)?|find|give me|name)?(?: ?(?:the|our|of the|of our)\b)* ?"
_N = rf"(?:(?P<n>\d+|{'|'.join(NUMBER_WORDS)}) )?"
_WHO = r"(?P<who>[a-z]+(?: [a-z]+)?)"
_HAD = r"(?:had|has|have|saw|see|shows?|showed|with|experienced|suffered|recorded|posted|made|enjoyed)"
_GREW = (
    r"(?:(?P<up>grew|grown|increased|rose|risen|improved|climbed|gained)"
    r"|fell|fallen|dropped|declined|decreased|shrank|slumped|lost)"
)
_SPAN = (
    r"(?:(?:from|between) (?P<one>[^,]+?) (?:to|and) (?P<other>[^,:]+)"
    r"|(?:in|for) (?P<later>[^,]+?) (?:compared (?:to|with)|vs\.?|versus|over|against|on) (?P<earlier>[^,:]+))"
)
_FIGURE = r"in (?:their |its )?(?P<figure>.+?)"
_ASKED = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^{_ASKS}{_N}{_WHO} {_HAD} (?:the )?{_BIGGEST} {_PERCENT}{_CHANGE} {_FIGURE} {_SPAN}$",
        rf"^{_ASKS}{_N}{_WHO} {_GREW} (?:the )?most {_FIGURE} {_SPAN}$",
        rf"^{_ASKS}{_N}{_WHO}(?: whose|['’]s?) (?P<figure>.+?) {_GREW} (?:by )?(?:the )?most {_SPAN}$",
        rf"^{_ASKS}(?:top|biggest) {_N}{_WHO} by {_PERCENT}{_CHANGE} {_FIGURE} {_SPAN}$",
    )
)


@dataclass(frozen=True)
class _Move:
    """What is asked of the later period, the two periods, the earlier first, how many are wanted, and which way."""

    asked: tuple[str, ...]
    periods: tuple[str, str]
    is_up: bool
    in_percent: bool
    limit: int | None


class Movers(Compounds):
    """Answers questions for those whose figure changed most."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, or what it says has no figure of things in a period."""
        main, phrases = split_spec(question)
        move = _move_of(same(main))
        part = next((made for each in move.asked if (made := self._part(each, run))), None) if move else None
        query = self._by_change(part.tree, move) if move and part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _by_change(self, tree: Query, move: _Move) -> Query | None:
        """The top list by the change of its figure; None where the tree is no top list of one period."""
        figure = tree.order[0].by if len(tree.order) == 1 else None
        spans = [each for each in tree.where if isinstance(each, During)]
        left = spans[0].left if len(spans) == 1 else None
        if not isinstance(figure, Agg) or isinstance(figure.of, Nested) or not isinstance(left, Col):
            return None
        then = self.within(left, move.periods[0])
        if tree.per or tree.then or tree.having or not tree.group or tree.limit is None or then is None:
            return None
        change = _change(figure, then, spans[0], move)
        where = tuple(each for each in tree.where if each != spans[0])
        select = tuple(change if is_total(each) else each for each in tree.select)
        order = (Order(change, descending=move.is_up),)
        limit = move.limit or tree.limit
        return replace(tree, select=select, where=where, order=order, limit=limit, outer=True)


def _change(figure: Agg, then: During, now: During, move: _Move) -> Expr:
    """The difference of the two figures, or its part of the earlier one."""
    before, after = (replace(figure, where=(*figure.where, each)) for each in (then, now))
    moved = Minus(after, before)
    return Ratio(moved, before, 100) if move.in_percent else moved


def _move_of(text: str) -> _Move | None:
    """What a question says of a change between two periods; None where it says no such."""
    found = next((match for each in _ASKED if (match := each.match(text.strip(" ?.!")))), None)
    if found is None:
        return None
    said = found.groupdict()
    one, other = (said["one"], said["other"]) if said["one"] else (said["earlier"], said["later"])
    periods = periods_of(one, other)
    if periods is None:
        return None
    asked = (
        tidy(f"which {said['who']} has the {most} {said['figure']} in {periods[1]}") for most in ("highest", "most")
    )
    number = said.get("n")
    count = int(number_of(number.lower()) or 1) if number else None
    return _Move(tuple(asked), periods, bool(said["up"]), bool(said.get("percent")), count)
