"""The figure before, told of others: `which agents had at least 3?` after sick shifts, `which site scored lowest?`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.bounds import OPERATORS
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.trees import keys, subject
from pluto_duck_text2sql.tree import Agg, Col, Compare, Expr, Order, Query, is_total
from pluto_duck_text2sql.words import A_NUMBER, LEAD, tokenise

_DID = r"(?:had|has|have|got|get|did|does|made|make|took|take|scored?|saw|see|earned|earn|sold|sell|brought in)"
_BOUND = rf"(?P<bound>at least|at most|more than|over|fewer than|less than|under) (?P<n>{A_NUMBER})"
_OR_MORE = rf"(?P<least>{A_NUMBER}) or more"
_RANK = r"(?P<rank>most|highest|best|least|fewest|lowest|worst)"
_ASKS = re.compile(
    rf"{LEAD}(?:which|what) (?P<noun>[a-z]+(?: [a-z]+)?) {_DID} (?:the )?(?:{_BOUND}|{_OR_MORE}|{_RANK})$",
    re.IGNORECASE,
)
_MOST = ("most", "highest", "best")
_NAMED = 0.6


def tells_figure_of(text: str) -> bool:
    """Whether a question only says whose figure is wanted, not which."""
    return bool(_ASKS.search(text))


def told_of(turn: Turn) -> Draft | None:
    """The figure before of each of those that are asked for, as many as the bound or the rank leaves; None where
    nothing is so asked."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    totals = [each for each in query.select if is_total(each)]
    if said is None or len(totals) != 1 or not isinstance(totals[0], Agg) or query.limit is not None or query.then:
        return None
    group = _group(said["noun"], turn)
    if group is None:
        return None
    shown, by = group
    made = replace(query, select=tuple(shown), group=tuple(dict.fromkeys((*by, *shown))), order=(), having=())
    made = _cut(made, totals[0], said)
    return Draft(query).changed(made, f"told of → {said['noun']}", range(len(turn.fragment.tokens)))


def _cut(query: Query, figure: Agg, said: re.Match[str]) -> Query:
    """The groups within the bound, or the first of them."""
    if said["rank"]:
        return replace(query, order=(Order(figure, said["rank"].lower() in _MOST),), limit=1)
    number = next((each.number for each in tokenise(said["n"] or said["least"]) if each.number is not None), None)
    operator = OPERATORS[said["bound"].lower()] if said["bound"] else ">="
    return replace(query, having=(Compare(figure, operator, number),)) if number is not None else query


def _group(noun: str, turn: Turn) -> tuple[Sequence[Expr], Sequence[Expr]] | None:
    """What is shown of those that the noun names, and what tells them apart: groups of before, rows that those counted
    point at, or what a column of theirs holds."""
    reader, query = turn.reader, turn.earlier
    targets = [each for item in reader.named(noun) for each in item.targets if each.score >= _NAMED]
    tables = list(dict.fromkeys(each.table.key for each in targets if each.column is None))
    columns = [Col(each.table.key, each.column.name) for each in targets if each.column is not None]
    before = [each for each in keys(query) if isinstance(each, Col) and (each.table in tables or each in columns)]
    if before:
        told = [each for each in query.group if isinstance(each, Col) and (each.table in tables or each in before)]
        return before, told
    for key in (each for each in tables if each != subject(query)):
        table, pointer = reader.catalog.table(*key), reader.joins.pointer(subject(query), key)
        if table and pointer:
            return reader.resolver.label(table), [Col(key, name) for name in reader.resolver.key(table)]
    own = [each for each in columns if each.table == subject(query)]
    return (own[:1], own[:1]) if own else None
