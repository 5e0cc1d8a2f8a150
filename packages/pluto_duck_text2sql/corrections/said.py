"""Corrections of figures: percent or fraction, their order, the number of `such` rows, keys that need no join.

Called by `corrections` for every tree, whoever wrote it; a tree that says so already stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any, cast

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    During,
    Function,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Share,
    all_nodes_in,
    is_total,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.resolve import Resolver

_PERCENT = Pattern(
    r"(?<!\d)(?<!\d )(?<!\d-)(?:\bper ?cent(?:s|ages?)?\b|\bpct\b|%)|\bas (?:a )?per ?cent(?:age)?s?\b", re.IGNORECASE
)
_PART_OF_WHOLE = Pattern(
    r"\b(?:per ?cent(?:age)?|share|proportion|fraction|part) of (?P<whole>.+?)"
    r" (?P<part>(?:is|are|was|were|got|get|ended|end|has|have|had)\b.+)",
    re.IGNORECASE,
)
_WHOLE_FIRST = Pattern(
    r"^(?:out )?of (?:all )?(?P<whole>[^,]+), (?:what|which) (?:per ?cent(?:age)?|share|proportion|fraction|part)"
    r" (?:of (?:them|it|that|those) )?(?P<part>.+)",
    re.IGNORECASE,
)
_AS_FRACTION = Pattern(r"\bas (?:a |an )?(?:fraction|proportion|decimal)s?\b|\bfrom 0 to 1\b", re.IGNORECASE)
_FRACTION = Pattern(
    r"\b(?:fraction|proportion)s?\b|\b(?:what|which) (?:part|share) of\b|^(?:the )?share of\b", re.IGNORECASE
)
FUNCTIONS: dict[Function, Pattern] = {
    "min": Pattern(r"\b(?:min(?:imum)?|lowest|smallest|least|cheapest|shortest|fewest|earliest)\b", re.IGNORECASE),
    "max": Pattern(r"\b(?:max(?:imum)?|highest|largest|biggest|greatest|longest|most|latest)\b", re.IGNORECASE),
    "avg": Pattern(r"\b(?:average|avg|mean)\b", re.IGNORECASE),
    "median": Pattern(r"\bmedian\b", re.IGNORECASE),
    "sum": Pattern(r"\b(?:total|sum)\b", re.IGNORECASE),
}
_SPENT_MOST = Pattern(
    r"\b(?:spen[dt]s?|pa(?:id|ys?)|earn(?:ed|s)?|brought in|took in|generated?s?|raised|donated) (?:us )?the"
    r" (?:most|least)(?: money)?(?=$|[,.;:?!]| (?:in|on|at|during|over|for|since|between|and|with|overall|of|by)\b)",
    re.IGNORECASE,
)
_COMPARED_WITH = Pattern(
    r"\b(?:than|above|below|over|under|exceeds?|exceeding) (?:the |its |their )?"
    r"(?:average|mean|median|highest|lowest|maximum|minimum|largest|smallest) (?:\w+ ){0,3}?of (?P<whom>.+?)"
    r"(?=[,;.?!]|$| (?:and|but)\b)",
    re.IGNORECASE,
)
_APART = Pattern(r"[\W_]+")
_TOP_BY = Pattern(
    r"\b(?:top|bottom)\b"
    r"(?!.*\b(?:number|count|how (?:many|often)|frequen\w*|often|popular|busiest|active|visits?)\b).*\bby ",
    re.IGNORECASE,
)
_BY_MONEY = Pattern(r"\bby (?:[a-z]+ )?(?:sales|revenue|turnover|money|takings)\b", re.IGNORECASE)
_FOR_EACH = Pattern(r"\bfor (?:each|every)\b", re.IGNORECASE)
_SUCH = Pattern(r"\b(?:such|those|these|of them)\b", re.IGNORECASE)


def of_whom(query: Query, question: str) -> Query:
    """`above the average pay of pilots`: what is said after `of` restricts the average, not the rows compared."""
    said = _COMPARED_WITH.search(question)
    compared = [each for each in query.where if isinstance(each, Compare) and _figure_of(each)]
    if said is None or len(compared) != 1 or query.then:
        return query
    whole, figure = compared[0], _figure_of(compared[0])
    theirs = tuple(each for each in query.where if figure and _is_said_of(each, figure, said["whom"], question))
    if not theirs:
        return query
    narrowed = replace(whole, right=replace(whole.right, where=theirs))
    where = (narrowed if each is whole else each for each in query.where if each not in theirs)
    return replace(query, where=tuple(where))


def _figure_of(compare: Compare) -> Col | None:
    """The column of the figure over all rows that something is compared with."""
    right = compare.right
    if isinstance(right, Query) and len(right.select) == 1 and not (right.where or right.group or right.then):
        right = right.select[0]
    is_whole = isinstance(right, Agg) and not right.where
    return right.of if is_whole and isinstance(right.of, Col) else None


def _is_said_of(condition: Any, figure: Col, whom: str, question: str) -> bool:
    """Whether the value that a condition looks for is said among `whom`, and nowhere else."""
    if not isinstance(condition, Compare) or not isinstance(condition.right, str):
        return False
    stems = set(name_stems(condition.right))
    left = isinstance(condition.left, Col) and condition.left.table == figure.table
    return left and stems <= set(name_stems(whom)) and stems.isdisjoint(name_stems(question.replace(whom, " ")))


def in_said_order(query: Query, question: str) -> Query:
    """`lowest, highest and average fare`: functions of one column stand as they are said, where each is said once."""
    some = [each for each in query.select if isinstance(each, Agg) and isinstance(each.of, Col) and not each.where]
    places = {each: _places_said(each, question) for each in some}
    is_clear = len({each.of for each in some}) == 1 and all(len(found) == 1 for found in places.values())
    if len(places) < 2 or len(places) != len(some) or not is_clear:
        return query
    said = iter(sorted(some, key=lambda each: places[each]))
    return replace(query, select=tuple(next(said) if each in places else each for each in query.select))


def _places_said(agg: Agg, question: str) -> list[int]:
    """Where its function is said; nowhere for sure where the column is called so itself, as `average_listeners`."""
    words = FUNCTIONS.get(agg.function)
    name = agg.of.name.replace("_", " ") if isinstance(agg.of, Col) else ""
    return [] if words is None or words.search(name) else [found.start() for found in words.finditer(question)]


AND_WHO = Pattern(r"\band (?:by whom\b|who \w+ (?:it|them|that one|this one)\b)", re.IGNORECASE)


def with_keys_first(query: Query, question: str) -> Query:
    """`the total weight for each colour`: a row tells first what it is of."""
    if len(query.select) != len(("total", "key")) or not _FOR_EACH.search(question) or query.then:
        return query
    total, key = query.select
    return replace(query, select=(key, total)) if is_total(total) and key in query.group else query


def with_who_last(query: Query, question: str) -> Query:
    """`the biggest payment and who made it`: what it is stands before whose it is."""
    by = {each.by.table for each in query.order if isinstance(each.by, Col)}
    if len(by) != 1 or query.group or not AND_WHO.search(question):
        return query
    own = [each for each in query.select if isinstance(each, Col) and each.table in by]
    return replace(query, select=(*own, *(each for each in query.select if each not in own)))


def by_what_is_shown(query: Query, question: str) -> Query:
    """Sorted by the money that is shown: after discount, where that is; where `by sales` is said, by nothing else; the
    `top 3 by hours` by the hours that are shown, not by how many rows there are."""
    shown = [each for each in query.select if is_total(each)]
    if len(shown) != 1 or len(query.order) != 1 or not is_total(query.order[0].by):
        return query
    is_money = isinstance(shown[0], Agg) and isinstance(shown[0].of, Product) and _BY_MONEY.search(question)
    is_other = _counts_rows(query.order[0].by) and not _counts_rows(shown[0]) and _TOP_BY.search(question)
    if not is_money and not is_other and not _are_of_one_price(shown[0], query.order[0].by):
        return query
    return replace(query, order=(replace(query.order[0], by=shown[0]),))


def _counts_rows(total: Any) -> bool:
    return isinstance(total, Agg) and total.function == "count"


def _are_of_one_price(one: Any, other: Any) -> bool:
    """Whether both add up the same price by pieces, less a discount or not."""
    sums = [each.of for each in (one, other) if isinstance(each, Agg) and each.function == "sum"]
    products = [each for each in sums if isinstance(each, Product)]
    return len(products) == len((one, other)) and len({(each.price, each.quantity) for each in products}) == 1


def in_said_scale(query: Query, question: str) -> Query:
    """`as a fraction` is no percentage, and `what percentage of` is one."""
    scale = _scale_said(question)
    return mapped(query, partial(_scaled, scale=scale), (Share, Ratio)) if scale else query


def _scale_said(question: str) -> int | None:
    """1 for a fraction, 100 for a percentage; None where the question says neither."""
    if _AS_FRACTION.search(question):
        return 1
    if _PERCENT.search(question):
        return 100
    return 1 if _FRACTION.search(question) else None


def _scaled(node: Any, scale: int) -> Any:
    if isinstance(node, Share) or (isinstance(node, Ratio) and is_part(node)):
        return node if node.scale == scale else replace(node, scale=scale)
    return node


def is_part(ratio: Ratio) -> bool:
    """Whether it is what some of the rows have of what all have."""
    top, bottom = ratio.top, ratio.bottom
    return isinstance(top, Agg) and isinstance(bottom, Agg) and replace(top, where=bottom.where) == bottom


def with_part_on_top(query: Query, question: str) -> Query:
    """`what percentage of contract cases were settled`: the settled of the contract cases, not the other way round."""
    said = _WHOLE_FIRST.match(question) or _PART_OF_WHOLE.search(question)
    ratio = query.select[0] if len(query.select) == 1 else None
    if said is None or not isinstance(ratio, Ratio) or not is_part(ratio):
        return query
    top, bottom = cast(Agg, ratio.top), cast(Agg, ratio.bottom)
    every = tuple(dict.fromkeys((*query.where, *top.where, *bottom.where)))
    whole = tuple(each for each in every if isinstance(each, During) or _is_said(each, said["whole"], said["part"]))
    part = tuple(each for each in every if _is_said(each, said["part"], said["whole"]))
    if not part or len(whole) + len(part) < len(every):
        return query
    ratio = replace(ratio, top=replace(top, where=part), bottom=replace(bottom, where=()))
    return replace(query, select=(ratio,), where=whole)


def _is_said(condition: Any, here: str, there: str) -> bool:
    """Whether it compares with a text that is said in one part of the question, and not in the other."""
    if not isinstance(condition, Compare) or not isinstance(condition.right, str):
        return False
    text = _spaced(condition.right)
    return text in _spaced(here) and text not in _spaced(there)


def _spaced(text: str) -> str:
    return f" {' '.join(_APART.split(text.casefold()))} "


def in_sum(query: Query, question: str, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Query:
    """`who spent the most`: of all that belongs to each, not the largest single amount."""
    by = query.order[0].by if len(query.order) == 1 else None
    listed = not (query.group or query.per or query.then or query.having or query.distinct) and query.limit is not None
    if not listed or not isinstance(by, Col) or not _SPENT_MOST.search(question):
        return query
    keys = _keys_shown(query, catalog, resolver)
    if not keys:
        return query
    shown = [each for each in query.select if isinstance(each, Col) and each != by]
    if any(each.table != keys[0].table for each in shown) or not joins.belongs(by.table, keys[0].table):
        return query
    total = Agg("sum", by)
    select = tuple(total if each == by else each for each in query.select)
    order = (replace(query.order[0], by=total),)
    return replace(query, select=select, group=tuple(dict.fromkeys((*keys, *shown))), order=order)


def counts_such(query: Query, question: str) -> Query:
    """`at least two invoices above ten dollars, and the number of such invoices`: of those, not of all."""
    such = {each.table: each for each in query.where if isinstance(each, Related) and each.count and each.where}
    if not such or not _SUCH.search(question):
        return query
    return replace(query, select=tuple(_of_such(each, such) for each in query.select))


def _of_such(shown: Any, such: dict[tuple[str, str], Related]) -> Any:
    counts = isinstance(shown, Agg) and shown.function == "count" and isinstance(shown.of, Rows) and not shown.where
    related = such.get(shown.of.table) if counts else None
    return replace(shown, where=related.where) if related else shown


def _keys_shown(query: Query, catalog: Catalog, resolver: Resolver) -> list[Col]:
    """The key of the table whose rows are shown."""
    first = next((each for each in query.select if isinstance(each, Col)), None)
    table = catalog.table(*first.table) if first else None
    return [Col(table.key, name) for name in resolver.key(table)] if table else []


def without_idle_joins(query: Query, catalog: Catalog, joins: JoinGraph) -> Query:
    """A key is shown as the rows that point to it hold it, where nothing else is wanted of its own table."""
    if sum(isinstance(each, Query | Related) for each in all_nodes_in(query)) > 1:
        return query
    shown = {each for each in query.select if isinstance(each, Col) and each.table != query.anchor}
    for key in shown:
        pointer = joins.pointer(query.anchor, key.table)
        alone = all(each == key for each in nodes_in(query) if isinstance(each, Col | Rows) and each.table == key.table)
        if alone and pointer and joins.pointed(pointer) == key and _is_always_set(pointer, catalog):
            query = mapped(query, partial(_instead, key, pointer))
    return query


def _instead(of: Col, to: Col, node: Any) -> Any:
    return to if node == of else node


def _is_always_set(column: Col, catalog: Catalog) -> bool:
    stored = catalog.column(*column.table, column.name)
    return stored is not None and stored.null_fraction == 0
