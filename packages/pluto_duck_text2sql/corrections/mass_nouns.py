"""Amounts of what nobody counts: `how much scrap` is the quantity that was scrapped, not its cost nor its records.

Called by `corrections` for every tree. Where rows are called by a noun in the singular (`scrap`, `waste`) and keep a
quantity of what its verb tells (`qty_scrapped`, `kg_wasted`), the noun alone is that quantity, unless money is asked,
or how often. So is what is weighed or filled (`honey` of rows with a `honey_type` and a `weight_kg`): each has all of
it, and no mean or single row where nothing says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, name_words, root, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Order, Query, Rows, TableKey, columns_in, is_total, mapped

QUANTITY = frozenset(
    map(stem, "qty quantity amount volume weight kg kilos tons tonnes litres liters units pieces".split())
)
_YIELDS = frozenset(map(stem, "harvest crop catch yield output production consumption".split()))
"""How much there was of it, in the singular."""
_MONEY = Pattern(
    r"\b(?:cost\w*|money|worth|values?|valued|spen[dt]\w*|prices?|priced|pa(?:y|id|ys)|expens\w*|loss(?:es)?|los[et]"
    r"|budget|euros?|dollars?|pounds?|usd|eur|gbp)\b|[$€£]",
    re.IGNORECASE,
)
_HOW_OFTEN = Pattern(
    r"\b(?:how (?:many|often)|number|counts?|times|records?|entries|events?|cases|incidents?|reports?|rows?|most often"
    r"|most (?:common|frequent)|frequen\w*)\b",
    re.IGNORECASE,
)


_MEAN = Pattern(r"\b(?:average|averages|avg|mean|median|typical|typically|usual|usually|normally)\b", re.IGNORECASE)
_MOST = Pattern(r"\bthe (?:most|least)\b(?!.* (?:in|at|on) (?:one|a single|any)\b)", re.IGNORECASE)


Masses = Sequence[tuple[str, Col]]


def as_quantities(query: Query, question: str, catalog: Catalog, masses: Masses) -> Query:
    """The tree with the quantity of each thing that the question speaks of as a mass."""
    if _MONEY.search(question) or _HOW_OFTEN.search(question):
        return query
    kept = {**_weighed(question, masses), **dict(_masses(question, catalog))}
    said = {token.stem for token in tokenise(question)}
    is_mean = _MEAN.search(question) is not None
    summed = partial(_summed, masses=kept, said=said, is_mean=is_mean)
    return mapped(query, summed, (Agg,)) if kept else query


def by_all_of_it(query: Query, question: str, masses: Masses, joins: JoinGraph) -> Query:
    """`who extracted the most honey`: whose rows add up to the most of it, not whose largest row is."""
    amount = query.order[0].by if masses and query.order and _MOST.search(question) else None
    whose = {each.table for each in columns_in(query.select)}
    is_list = not query.group and query.limit is not None and not query.then and not any(map(is_total, query.select))
    if not is_list or not isinstance(amount, Col) or len(whose) != 1 or amount.table in whose:
        return query
    pointer = joins.pointer(amount.table, next(iter(whose)))
    if pointer is None or _weighed(question, masses).get(amount.table) != amount:
        return query
    order = Order(Agg("sum", amount), query.order[0].descending)
    return replace(query, group=(joins.pointed(pointer),), order=(order,), distinct=False)


def _weighed(question: str, masses: Masses) -> dict[TableKey, Col]:
    """The amounts kept of what the question names that is weighed or filled, each with its table."""
    said = {token.stem for token in tokenise(question)} if masses else ()
    return {column.table: column for noun, column in masses if noun in said}


def _masses(question: str, catalog: Catalog) -> Iterator[tuple[TableKey, Col]]:
    """The tables that the question calls by a noun in the singular, and the quantity that each keeps of it."""
    said = {found.lower() for found in re.findall(r"[a-z]+", question, re.IGNORECASE)}
    for table in catalog.tables:
        noun = next(iter(name_words(table.name)[-1:]), "")
        noun = noun.removesuffix("s") if stem(noun) in _YIELDS else noun
        quantities = _quantities(table) if noun in said and not noun.endswith("s") else []
        if len(quantities) == 1:
            yield table.key, quantities[0]


def _quantities(table: Table) -> list[Col]:
    """The amounts of what is done to things that the rows are called after: `qty_scrapped` of scrap."""
    noun = table_stems(table.name)[-1:]
    deed = {root(each) for each in noun}
    numbers = ((each, table.stems(each.name)) for each in table.columns if each.kind == "number")
    return [
        Col(table.key, each.name)
        for each, stems in numbers
        if not QUANTITY.isdisjoint(stems) and (not _YIELDS.isdisjoint(noun) or not deed.isdisjoint(map(root, stems)))
    ]


def _summed(node: Any, masses: dict[TableKey, Col], said: set[str], is_mean: bool) -> Any:
    """A number of such rows, or another amount of theirs that nothing names, as the quantity."""
    if not isinstance(node, Agg) or node.distinct or not isinstance(node.of, Rows | Col):
        return node
    is_count = node.function == "count" and isinstance(node.of, Rows)
    is_unnamed = node.function == "sum" and isinstance(node.of, Col) and said.isdisjoint(_own_words(node.of))
    of = masses.get(node.of.table)
    is_averaged = node.function == "avg" and node.of == of and not is_mean
    return Agg("sum", of, where=node.where) if of and (is_count or is_unnamed or is_averaged) else node


def _own_words(column: Col) -> set[str]:
    """What a column is called besides its table."""
    return set(name_stems(column.name)) - set(table_stems(column.table[1]))
