"""Groups held against a figure of them all: `which months were above that?`, `which were below average?`"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.asking import asks_names
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import Agg, Compare, Expr, Nested, Operator, Order, Query, in_each_group, is_total
from pluto_duck_text2sql.trees.parts import keys

_WHICH = rf"{LEAD}(?:which|what)(?: ones?)?(?: of (?:them|those|these))?(?: [a-z]+)?"
_ARE = r"(?:is|are|was|were|did|had|came in|come in|came|lie|lies|lay|sit|sits|sat)"
_OVER = r"(?P<over>above|over|(?:more|higher|better|greater) than)|below|under|(?:less|fewer|lower|worse|smaller) than"
_WHAT = r"(?P<what>that|this|it|(?:the |their )?(?:average|mean|median)(?: [a-z]+)?)"
_ONLY = (
    rf"{LEAD}(?:(?:only|just|keep|show|list)(?: me)?(?: only| just)? )+(?:the |those )?(?:ones?|those|[a-z]+s)"
    rf"(?: (?:that|which|who)(?: {_ARE}))?"
)
_THAN = Pattern(rf"(?:{_WHICH} {_ARE}|{_ONLY}) (?:{_OVER}) {_WHAT}$", re.IGNORECASE)


def held_against(turn: Turn) -> Draft | None:
    """The groups whose figure is above, or below, that of all of them; None where nothing is so asked."""
    said = _THAN.search(turn.frame.text)
    groups = _groups(turn.earlier, said["what"].lower()) if said else None
    if said is None or groups is None:
        return None
    query, figure, bound = groups
    operator: Operator = ">" if said["over"] else "<"
    first = tuple(Order(each) for each in keys(query))
    made = replace(query, having=(*query.having, Compare(figure, operator, bound)), order=first)
    made = replace(made, select=tuple(keys(query))) if asks_names(turn.frame.text) else made
    used = range(len(turn.fragment.tokens))
    return Draft(query).changed(made, f"only → those {'above' if said['over'] else 'below'} it", used)


def _groups(last: Query, what: str) -> tuple[Query, Expr, Query] | None:
    """The groups, their figure, and the query of what that is held against: the answer before, or their average."""
    shown = [each for each in last.select if is_total(each)]
    if what in ("that", "this", "it"):
        over = shown[0] if len(shown) == 1 else None
        inner = over.of.query if isinstance(over, Agg) and isinstance(over.of, Nested) and not last.group else None
        return (_named(inner), inner.select[0], last) if inner and inner.group else None
    if not last.group or len(shown) != 1 or last.limit is not None:
        return None
    mean = Agg("median" if "median" in what else "avg", in_each_group(last, shown[0]))
    return last, shown[0], Query(last.anchor, (mean,))


def _named(query: Query) -> Query:
    """The groups with what tells them apart."""
    return replace(query, select=(*query.group, *query.select))
