"""One number of rows by another: `ratio of cancelled to completed orders by year`, `complaints per 100 orders`.

Each is a question of its own. Where both are of the same rows and groups they are put side by side, and the first is
divided by the second; where the first are rows of the second (an order's complaints) every one of these counts, those
without any too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.corrections.same_rows import of_the_same_rows
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds, grouped_last, side_by_side
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Expr, Fold, Query, Ratio, Rows, is_total
from pluto_duck_text2sql.trees.parts import home

_ASKS = r"^(?:(?:what|which)(?: is| was|'s)? |show (?:me )?|give (?:me )?)?(?:the )?"
_PAIR = 2
_COUNT = r"(?:the )?(?:number of |count of )?"
_TAIL = r"(?P<tail>(?: (?:by|per|for each|in each|in|during|for|since|over|between) .+)?)$"
_SO_MANY = {"hundred": 100, "thousand": 1000, "ten thousand": 10_000, "million": 1_000_000}
_SCALE = rf"[1-9]\d{{0,2}}(?:,?\d{{3}}){{0,2}}|{'|'.join(_SO_MANY)}"
_SAID = tuple(
    Pattern(rf"{_ASKS}{pattern}{_TAIL}", re.IGNORECASE)
    for pattern in (
        rf"ratio of {_COUNT}(?P<top>.+?) (?:to|and|over|vs\.?|versus) {_COUNT}(?P<bottom>.+?)",
        rf"{_COUNT}(?P<top>.+?) divided by {_COUNT}(?P<bottom>.+?)",
        rf"(?:rate of |how many )?{_COUNT}(?P<top>[a-z][a-z -]*?)(?: (?:do|did) we (?:get|have|see))?"
        rf" (?:per|for every|to every|for each|in every) (?:an? )?(?P<scale>{_SCALE})"
        r" (?P<bottom>[a-z]+(?: [a-z]+)??)",
        r"(?P<top>[a-z][a-z ]*?) as (?:a |an )?(?P<as>share|fraction|percentage|percent|proportion|%) of"
        r" (?:(?:the|our) )?"
        r"(?P<bottom>(?!(?:the |all |total |overall )*(?:totals?|all|whole)\b)[a-z]+(?: [a-z]+)?)",
        r"how many (?P<top>[a-z][a-z -]*?) (?:does|do|did) it (?:usually )?take(?: us)?(?: on average)? (?:to"
        r" (?:get|make|win|land|close|have|reach|find) |for )(?:an?|one|each) (?P<bottom>[a-z]+(?: [a-z]+)??)",
    )
)
_SO_MANY_SAID = Pattern(r"\b(?:per|every|each) \d", re.IGNORECASE)
"""A question that divides twice is none of these."""
_NAMED = 0.9


@dataclass(frozen=True)
class _Said:
    """What is divided by what, for so many of these, and what both are restricted and grouped by."""

    top: str
    bottom: str
    tail: str
    scale: int
    of_money: bool = False


class Quotients(Compounds):
    """Answers questions for how many of one kind there are to one, or so many, of another."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The quotient; None where none is asked for, or its parts are not numbers of rows that go together."""
        main, phrases = split_spec(question)
        said = _said(grouped_last(same(main).strip(" .?!")))
        known = self._answers([text + said.tail for text in self._asked(said)], run) if said else []
        if said is None or not known:
            return None
        divided = self._divided([each.tree for each in known], said.scale)
        query = of_the_same_rows(divided) if divided else None
        made = self.candidate(query, known, phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _asked(self, said: _Said) -> tuple[str, str]:
        """Both as questions: what names rows is counted, what names an amount (`per 100 km`) is added up."""
        if said.of_money:
            top, bottom = (
                f"{'number of' if self._call_rows(each) else 'total'} {each}" for each in (said.top, said.bottom)
            )
            return top, bottom
        return f"number of {said.top}", f"{'number of' if self._are_rows(said.bottom) else 'total'} {said.bottom}"

    def _call_rows(self, words: str) -> bool:
        return self.reader.names.rows(words.split()[-1]) is not None

    def _are_rows(self, words: str) -> bool:
        found = self.reader.names.find((stem(words.split()[-1].lower()),))
        is_amount = any(each.column and each.score >= _NAMED for each in found)
        return not is_amount or any(not each.column and each.score >= _NAMED for each in found)

    def _divided(self, trees: list[Query], scale: int) -> Query | None:
        """The first of two totals by the second: of the same rows, of all rows, or of rows and what belongs to them."""
        both = side_by_side(trees, self)
        if both:
            return _in_place(both, scale)
        if not all(each.is_plain and sum(map(is_total, each.select)) == 1 for each in trees):
            return None
        return _of_all(trees, scale) or self._of_each(trees, scale)

    def _of_each(self, trees: list[Query], scale: int) -> Query | None:
        """Those that belong to the rows of each group, by these rows."""
        top, bottom = trees
        of, owner = home(top), home(bottom)
        figures = [next(each for each in tree.select if is_total(each)) for tree in trees]
        are_alike = top.group == bottom.group and top.where == bottom.where
        if not are_alike or figures != [Agg("count", Rows(key)) for key in (of, owner) if key]:
            return None
        if of is None or owner is None or not self.reader.joins.is_of(of, owner):
            return None
        return _in_place(replace(bottom, select=(*_keys_of(bottom), *figures), outer=True, flat=True), scale)


def _said(text: str) -> _Said | None:
    found = next((found for pattern in _SAID if (found := pattern.match(LEAD.sub("", text)))), None)
    if found is None or _SO_MANY_SAID.search(found["tail"]):
        return None
    scale = found.groupdict().get("scale")
    as_part = found.groupdict().get("as")
    both = (found["top"], found["bottom"])
    if as_part:
        percent = as_part.lower() in ("percentage", "percent", "%")
        return _Said(*both, found["tail"], 100 if percent else 1, of_money=True)
    top, bottom = both if scale else _things(*both)
    return _Said(top, bottom, found["tail"], _number(scale) if scale else 1)


def _number(text: str) -> int:
    return _SO_MANY.get(text.lower()) or int(text.replace(",", ""))


def _things(top: str, bottom: str) -> tuple[str, str]:
    """`cancelled` and `completed orders`: the thing is said once."""
    noun = bottom.split()[-1]
    return (top if len(top.split()) > 1 or len(bottom.split()) == 1 else f"{top} {noun}", bottom)


def _keys_of(query: Query) -> tuple[Expr, ...]:
    return tuple(each for each in query.select if not is_total(each))


def _of_all(trees: list[Query], scale: int) -> Query | None:
    """A total of all rows by another."""
    top, bottom = trees
    if any(each.group or len(each.select) > 1 for each in trees):
        return None
    return replace(top, select=(Ratio(top.select[0], Fold(1.0, bottom), scale),))


def _in_place(query: Query, scale: int) -> Query | None:
    """The query with its first total by its second in their place."""
    totals = [each for each in query.select if is_total(each)]
    if len(totals) != _PAIR or totals[0] == totals[1]:
        return None
    shown = tuple(each for each in query.select if not is_total(each))
    return replace(query, select=(*shown, Ratio(totals[0], totals[1], scale)))
