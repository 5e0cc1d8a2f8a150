"""Two that are compared have a figure each: `compare the average order value of Germany and France`, `is the return
rate higher for Clothing or for Electronics`, `do customers in Germany spend more than customers in France`.

Called by `corrections` for every tree. Where a figure is of the rows of both, those of the two stand side by side, or
one is taken from the other, it is asked of each, in a row. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Cond, Either, Minus, Order, Query, Ratio, is_total

_COMPARED = Pattern(
    r"^(?:please )?(?:(?:can|could) you )?compare\b|\bcomparison (?:of|between)\b|\b(?:versus|vs\.?)(?= )|\bfor both\b",
    re.IGNORECASE,
)
_EITHER = Pattern(r"\bfor (?:both|each)\b", re.IGNORECASE)
"""What asks for a row of each, however many figures stand side by side."""
_ASKS = Pattern(r"^(?:is|are|was|were|do|does|did|has|have|which|who|where)\b", re.IGNORECASE)
_RATHER = Pattern(
    r"\b(?:higher|lower|bigger|smaller|larger|longer|shorter|more|less|fewer|better|worse|faster|slower|older|younger"
    r"|cheaper|greater|[a-z]+ier)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_OTHER = Pattern(r"\b(?:than|or)\b(?P<after>.*)$", re.IGNORECASE)
_ONE_FIGURE = Pattern(
    r"\b(?:together|combined|altogether|in total|in all|overall|how (?:many|much)|difference|by what)\b", re.IGNORECASE
)
_PAIR = 2
_SAME = 4
"""So many first letters tell a word: `consumers` are of the segment Consumer."""


def by_each_side(query: Query, question: str) -> Query:
    """The tree with a row for each of two that the question compares; itself where it compares none, or shows both."""
    if query.group or query.limit or query.then or not query.select or not all(map(is_total, query.select)):
        return query
    whole = _put_together(query, _EITHER.search(question) is not None)
    sides = [side for each in whole.where for side in _sides(each)]
    if len(sides) != 1 or _ONE_FIGURE.search(question) or not _compares(question, sides[0][1]):
        return query
    column = sides[0][0]
    return replace(whole, select=(column, *whole.select), group=(column,), order=(Order(column),))


def _sides(condition: Cond) -> list[tuple[Col, list[str]]]:
    """The column of which a condition takes two values, and these."""
    if isinstance(condition, Among) and not condition.negated and len(condition.values) == _PAIR:
        return [(condition.left, list(map(str, condition.values)))]
    ways = condition.any_of if isinstance(condition, Either) else ()
    told = [each for each in ways if isinstance(each, Compare) and _is_of_value(each)]
    columns = {each.left for each in told if isinstance(each.left, Col)}
    is_pair = len(told) == len(ways) == _PAIR and len(columns) == 1
    return [(columns.pop(), [str(each.right) for each in told])] if is_pair else []


def _is_of_value(condition: Compare) -> bool:
    return isinstance(condition.left, Col) and condition.operator == "=" and isinstance(condition.right, str)


def _put_together(query: Query, is_of_either: bool) -> Query:
    """The figure of both, where one is taken from the other, or those of either stand side by side."""
    taken = query.select[0] if len(query.select) == 1 else None
    if isinstance(taken, Ratio) and isinstance(taken.top, Agg):
        return _of_both_quotients(query, taken) or _of_both(query, taken, taken.top)
    if isinstance(taken, Minus) and isinstance(taken.left, Agg) and isinstance(taken.right, Agg):
        return _of_one_figure(query, taken.left, taken.right)
    shown = [each for each in query.select if isinstance(each, Agg)]
    is_pair = is_of_either and len(shown) == len(query.select) == _PAIR
    return _of_one_figure(query, *shown) if is_pair else query


def _of_one_figure(query: Query, one: Agg, other: Agg) -> Query:
    """The figure of two values of a column as one of the rows of both."""
    told = [each for part in (one, other) for each in part.where]
    both = [each for each in told if isinstance(each, Compare) and _is_of_value(each)]
    columns = {each.left for each in both if isinstance(each.left, Col)}
    alike = replace(one, where=()) == replace(other, where=())
    if len(both) != _PAIR or len(told) != _PAIR or len(columns) != 1 or not alike:
        return query
    among = Among(columns.pop(), tuple(each.right for each in both))
    return replace(query, select=(replace(one, where=()),), where=(*query.where, among))


def _of_both_quotients(query: Query, taken: Ratio) -> Query | None:
    """The quotient of both, where the sum of one is divided by another sum of the other."""
    top, bottom = taken.top, taken.bottom
    if not isinstance(top, Agg) or not isinstance(bottom, Agg) or top.of == bottom.of:
        return None
    told = [each for each in (*top.where, *bottom.where) if isinstance(each, Compare) and _is_of_value(each)]
    columns = {each.left for each in told if isinstance(each.left, Col)}
    if len(top.where) != 1 or len(bottom.where) != 1 or len(told) != _PAIR or len(columns) != 1:
        return None
    plain = replace(taken, top=replace(top, where=()), bottom=replace(bottom, where=()))
    among = Among(columns.pop(), tuple(each.right for each in told))
    return replace(query, select=(plain,), where=(*query.where, among))


def _of_both(query: Query, share: Ratio, part: Agg) -> Query:
    """A part of all as a part of those of both, where it is the part that is said to be theirs."""
    sides = tuple(each for each in part.where if _sides(each))
    if len(sides) != 1 or sides[0] in query.where:
        return query
    part = replace(part, where=tuple(each for each in part.where if each not in sides))
    return replace(query, select=(replace(share, top=part),), where=(*query.where, *sides))


def _compares(question: str, values: Sequence[str]) -> bool:
    """Whether the question asks which of the two has more, or to compare them."""
    if _COMPARED.search(question):
        return True
    rather = _RATHER.search(question) if _ASKS.search(question) else None
    other = _OTHER.search(rather["rest"]) if rather else None
    return other is not None and any(value.lower()[:_SAME] in other["after"].lower() for value in values)
