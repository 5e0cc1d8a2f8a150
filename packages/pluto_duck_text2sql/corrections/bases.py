"""What a share is a part of: `what percentage of delivered shipments came late` is of those that were delivered.

What stands before the thing itself says of which rows the share is, what follows it which of these count; a share of
which nothing follows (`the percentage of late shipments`) stays one of all. What a share `comes from` is a part of each
group's own total: `for each shop, what percentage of sales comes from drinks`. Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.corrections.state_rates import counts_some_of_all, of_state
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Expr,
    Missing,
    Query,
    Ratio,
    Rows,
    Share,
    TableKey,
    columns_in,
    mapped,
    nodes_in,
)

_SHARE = Pattern(r"(?:\b(?:percent(?:age)?|share|proportion|fraction)|%) of (?P<rest>.+)$", re.IGNORECASE | re.DOTALL)
_COMES_FROM = Pattern(
    r"\b(?:percent(?:age)?|share|proportion|fraction|%).*\b(?:comes?|came|coming|stems?) from (?P<what>.+)$"
    r"|(?P<whose>[\w.&-]+(?: [\w.&-]+)?)['’]s? (?:percentage |percent |%)?share of\b",
    re.IGNORECASE | re.DOTALL,
)
_MOST_WORDS = 4
_THAT = ("that", "which", "who")
_BEEN = frozenset((*_THAT, *"were was are is have has been had got".split()))


def of_base(query: Query, question: str) -> Query:
    """The tree with shares of the rows that the question names before it says which of them count."""
    query = of_state(query, question)
    changed: Query = mapped(_ranked(_from_one(query, question)), partial(_based, question=question), (Ratio,))
    return changed if changed == query else _in_periods(changed)


def _in_periods(query: Query) -> Query:
    """What was never done is in no period in which it was: `by month`, of the day of doing it."""
    dates = {each.of for each in query.group if isinstance(each, Bucket)}
    base = [each for part in nodes_in(query.select) if isinstance(part, Agg) for each in part.where]
    dates -= {each.left for each in query.where if isinstance(each, During)}
    done = dict.fromkeys(each for each in base if isinstance(each, Missing) and each.negated and each.left in dates)
    return replace(query, where=tuple(dict.fromkeys((*query.where, *done))))


def _ranked(query: Query) -> Query:
    """What is ranked by its share of some rows is ranked by the part of its own rows: who has the highest share of all
    that is cancelled would be whoever has the most of it."""
    keys = {each.table for each in columns_in(query.group)}
    part = tuple(each for each in query.where if not isinstance(each, During) and _is_of_rows(each, keys))
    shares = [each.by for each in query.order if isinstance(each.by, Share)]
    if query.limit is None or not part or not shares:
        return query

    def rate(expression: Expr) -> Expr:
        if not isinstance(expression, Share) or not isinstance(expression.of, Agg) or expression.of.where:
            return expression
        return Ratio(replace(expression.of, where=part), expression.of, expression.scale)

    order = tuple(replace(each, by=rate(each.by)) for each in query.order)
    kept = tuple(each for each in query.where if each not in part)
    return replace(query, select=tuple(map(rate, query.select)), order=order, where=kept)


def _is_of_rows(condition: Cond, keys: set[TableKey]) -> bool:
    """Whether it says something of the rows counted rather than of what is ranked."""
    return keys.isdisjoint(each.table for each in columns_in(condition))


def _from_one(query: Query, question: str) -> Query:
    """The tree with what comes from one value as a part of each group's total, not of what all groups have of it."""
    found = _COMES_FROM.search(question)
    said = _stems_in(found["what"] or found["whose"]) if found and query.group else set()
    value = next((each for each in query.where if _is_text(each) and _stems_of(each) & said), None)
    if value is None or set(columns_in(value)) & set(query.group):
        return query

    def part(node: Any) -> Any:
        if not isinstance(node, Share) or not isinstance(node.of, Agg) or node.of.where:
            return node
        return Ratio(replace(node.of, where=(value,)), node.of, node.scale)

    changed: Query = mapped(query, part, (Share,))
    return query if changed == query else replace(changed, where=tuple(each for each in query.where if each != value))


def _is_text(condition: Cond) -> bool:
    return isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, str)


def _based(node: Any, question: str) -> Any:
    if not isinstance(node, Ratio) or not counts_some_of_all(node):
        return node
    assert isinstance(node.top, Agg)
    assert isinstance(node.bottom, Agg)
    told = _told_of_all(node.top.of.table, question) if isinstance(node.top.of, Col | Rows) else set()
    base = tuple(each for each in node.top.where if _stems_of(each) & told)
    if 0 < len(base) < len(node.top.where):
        return replace(node, bottom=replace(node.bottom, where=base))
    done = tuple(_done(node.top.where, told)) if not base else ()
    return replace(node, bottom=replace(node.bottom, where=done)) if done else node


def _done(conditions: Sequence[Cond], told: set[str]) -> Iterator[Cond]:
    """That what all of them are told to have done came about, where only its time is compared: `of invoices that were
    paid`, the part that was paid after it was due."""
    compared = (each for each in conditions if isinstance(each, Compare) and len(set(columns_in(each))) > 1)
    times = dict.fromkeys(column for each in compared for column in columns_in(each) if isinstance(column, Col))
    yield from (Missing(each, negated=True) for each in times if told & set(name_stems(each.name)))


def _told_of_all(counted: TableKey, question: str) -> set[str]:
    """The stems between `percentage of` and the rows that are counted, and of `that were paid` after them; none where
    nothing follows."""
    found = _SHARE.search(question)
    tokens = tokenise(found["rest"]) if found else []
    place = _place_of(table_stems(counted[1])[-1], tokens)
    if len(tokens) <= place + 1:
        return set()
    after = next((n for n, token in enumerate(tokens) if n > place and token.lower not in _BEEN), len(tokens))
    is_told = tokens[place + 1].lower in _THAT and after < len(tokens) - 1
    return {token.stem for token in [*tokens[:place], *(tokens[after : after + 1] if is_told else ())]}


def _place_of(thing: str, tokens: Sequence[Token]) -> int:
    """Where the rows are named: by their table's name, else by the word before `that`."""
    first = tokens[: _MOST_WORDS + 1]
    named = (n for n, token in enumerate(first) if token.stem == thing)
    meant = (n - 1 for n, token in enumerate(first) if n and token.lower in _THAT)
    return next(named, next(meant, 0))


def _stems_of(condition: Cond) -> set[str]:
    """The words that say a condition: of the text that it looks for, or of the column that it alone is about."""
    if isinstance(condition, Compare) and isinstance(condition.left, Col) and condition.operator == "=":
        if isinstance(condition.right, str) and condition.right.casefold() not in ("true", "false"):
            return _stems_in(condition.right)
        return set(name_stems(condition.left.name))
    if isinstance(condition, Missing) and condition.negated and isinstance(condition.left, Col):
        return set(name_stems(condition.left.name))
    return set()


def _stems_in(text: str) -> set[str]:
    return set(map(stem, re.findall(r"\w+", text.lower())))
