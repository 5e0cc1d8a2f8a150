"""Conditions and expressions in words, for the reading of a follow-up: what was kept, what was changed."""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.tree import (
    Among,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    Inside,
    Missing,
    Query,
    Related,
    sign_shown,
)
from pluto_duck_text2sql.trees.phrases import range_text, shown_name
from pluto_duck_text2sql.trees.titles import cut, title, words


def told(conditions: Sequence[Cond]) -> str:
    """Conditions in words."""
    return " and ".join(_condition(each) for each in conditions)


def _condition(condition: Cond) -> str:
    match condition:
        case Compare(left, operator, right):
            shown = repr(right) if isinstance(right, str) else str(right)
            return f"{words(left)} {sign_shown(operator, right)} {shown}"
        case Among(left, values, negated):
            return f"{left.name} {'not ' if negated else ''}among {', '.join(map(str, values))}"
        case During(left, start, end):
            return f"{words(left)} {range_text(start, end)}"
        case Missing(left, negated):
            return f"{left.name} is {'known' if negated else 'missing'}"
        case Related(table, _, negated, count):
            return f"{f'{count[0]} {count[1]:g} ' if count else 'no ' if negated else 'some '}{shown_name(table)}"
        case Either(any_of):
            return " or ".join(_condition(each) for each in any_of)
        case Every(all_of):
            return told(all_of)
        case Inside(left, query, negated):
            return f"{left.name} {'not ' if negated else ''}among the rows of: {title(query)}"


def kept(earlier: Query, query: Query) -> list[str]:
    """What a query still has of the earlier one."""
    lines = [f"kept → {words(each)}" for each in earlier.select if each in query.select]
    lines += [f"kept → where {told([each])}" for each in earlier.where if each in query.where]
    lines += ["kept → the order"] if earlier.order and earlier.order == query.order else []
    is_cut_alike = earlier.limit is not None and earlier.limit == query.limit
    return lines + ([f"kept → the first {cut(earlier)}"] if is_cut_alike else [])


def listed(expressions: Sequence[Expr]) -> str:
    return ", ".join(words(each) for each in expressions)
