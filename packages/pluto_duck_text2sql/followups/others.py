"""The figure before, of each of the others: `and the other hotels?` after the rating of one of them.

`how does that compare with the other hotels?` has them all, each for itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, LEAD
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Compare, Expr, Order, Query
from pluto_duck_text2sql.trees.parts import is_aggregate, replaced

_IT = r"(?:that|it|this)"
_ASKS = Pattern(
    rf"{LEAD}(?:(?P<beside>how (?:does|do|did) {_IT} compare|compare {_IT}) (?:to|with|against) "
    r"|(?:what|how) (?:about|of) )?(?:for |in |at |of |from )?(?:the |our |all (?:the )?)?"
    rf"other (?:{A_NUMBER} )?(?P<noun>[a-z]+(?: [a-z]+)?)$",
    re.IGNORECASE,
)
_NAMED = 0.9


def asks_others(text: str) -> bool:
    """Whether a question asks of others than those just told of, by what these are called."""
    return bool(_ASKS.search(text))


def of_others(turn: Turn) -> Draft | None:
    """The figure before of each of those that its own value leaves out; None where nothing is so asked."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    if said is None or not is_aggregate(query) or query.limit is not None or query.then:
        return None
    found = _told(said["noun"], query, turn.reader)
    if found is None:
        return None
    one, shown, by = found
    wider = replaced(query, [one], None if said["beside"] else replace(one, operator="!="))
    group = tuple(dict.fromkeys((*by, *shown, *query.group)))
    order = (*map(Order, shown), *query.order)
    made = replace(wider, select=(*shown, *query.select), group=group, order=order)
    line = f"told of → {'all' if said['beside'] else 'other'} {said['noun']}"
    return Draft(query).changed(made, line, range(len(turn.fragment.tokens)))


def _told(noun: str, query: Query, reader: Reader) -> tuple[Compare, Sequence[Col], Sequence[Expr]] | None:
    """The value that restricts the figure among those that the noun names, what shows these and tells them apart."""
    targets = [each for item in reader.named(noun) for each in item.targets if each.score >= _NAMED]
    columns = {Col(each.table.key, each.column.name) for each in targets if each.column is not None}
    tables = {each.table.key: each.table for each in targets if each.column is None}
    for one in (each for each in reversed(query.where) if isinstance(each, Compare) and each.operator == "="):
        column = one.left
        if not isinstance(column, Col) or column in query.group:
            continue
        table = tables.get(column.table)
        if table and column in reader.resolver.label(table):
            return one, reader.resolver.label(table), [Col(table.key, name) for name in reader.resolver.key(table)]
        if column in columns:
            return one, [column], [column]
    return None
