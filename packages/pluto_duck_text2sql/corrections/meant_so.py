"""What a few words of a question settle of a tree: what is either, what is a rate within groups, what is a first time.

Called by `corrections` for every tree, whoever wrote it. Each is said so plainly that a tree which has it otherwise
has misread it: `in Kerry or with fewer than 3 kennels` is not both, `what percentage of customers ordered, by segment`
is no segment's share of those who did, nor of those who have orders, `tracking number of the parcels` counts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import SYNONYMS, name_stems, number_of, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Either,
    First,
    Growth,
    Query,
    Ratio,
    Related,
    Rows,
    Share,
    TableKey,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.resolve import is_its_name

_OR, _AND = Pattern(r"\bor\b", re.IGNORECASE), Pattern(r"\b(?:and|but|both|with|who|that)\b", re.IGNORECASE)
_RATE = Pattern(
    r"^what (?P<kind>percentage|percent|share|proportion|fraction) of (?:the |our |all |all the )?(?P<whole>[a-z]+)"
    r" (?:have |has |had |were |was |did |never )?(?P<did>[a-z]+ed|[a-z]*(?:bought|paid|came|went|left|made|got))\b.*"
    r" (?:by|per|for each|in each|split by) [a-z ]+\W*$",
    re.IGNORECASE,
)
_NUMBER = Pattern(r"\b(?P<what>[a-z]+ (?:number|no|nr))s? of\b", re.IGNORECASE)
_COUNTS = Pattern(r"\bhow many\b|\bcount\b|\b(?:the|total) number of\b", re.IGNORECASE)
_FIRST = Pattern(r"\bfirst (?P<thing>[a-z]+)\b", re.IGNORECASE)
_ASKS_ELSE = Pattern(r"\b(?:where|when|from|email|contact|call|reach|live|based|what kind)\b", re.IGNORECASE)
_ALIKE = 6
"""A word is said that begins with as many letters as one of the question, misspelt in the name as it may be:
`descriptrion`."""
_SHOWN = ("select", "group", "order")
_CHANGE_ALONE = Pattern(r"\bwith (?:the )?percent(?:age)? by which\b", re.IGNORECASE)


def as_meant(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree as these words have it."""
    query = _either(query, question)
    query = _rate_within(query, question)
    query = _by_its_name(_number_shown(query, question, catalog), question, catalog)
    query = _change_alone(query, question)
    found = _FIRST.search(question)
    return mapped(query, partial(_to_first, thing=stem(found["thing"].lower()), joins=joins)) if found else query


def _either(query: Query, question: str) -> Query:
    """Two conditions with one `or` between what they hold, where the question says no `and`."""
    places = sorted(place for each in query.where if (place := _place(each, question)) is not None)
    said = list(_OR.finditer(question))
    if len(query.where) != 2 or len(places) != 2 or len(said) != 1 or _AND.compiled.search(question, places[0]):
        return query
    is_between = places[0] < said[0].start() < places[1]
    return replace(query, where=(Either(query.where),)) if is_between and _differ(query.where) else query


def _differ(where: tuple[Cond, ...]) -> bool:
    one, other = (getattr(each, "left", None) for each in where)
    return one != other


def _place(condition: Cond, question: str) -> int | None:
    """Where what a condition holds is said."""
    right = condition.right if isinstance(condition, Compare) else None
    if isinstance(right, str):
        found = re.search(rf"(?<!\w){re.escape(right)}(?!\w)", question, re.IGNORECASE)
        return found.start() if found else None
    if isinstance(right, bool) or not isinstance(right, int | float):
        return None
    said = [each for each in re.finditer(r"[\w.,]*\w", question) if number_of(each[0].lower()) == right]
    return said[0].start() if len(said) == 1 else None


def _rate_within(query: Query, question: str) -> Query:
    """Each group's part of those who did it, not its share of all who did, and of all of them, whatever they did."""
    said, figure = _RATE.match(question), query.select[-1] if query.select else None
    if not said or not query.group or query.having or not isinstance(figure, Share | Ratio):
        return query
    top = figure.of if isinstance(figure, Share) else figure.top
    count = _count_of(top, said["whole"])
    did = (*query.where, *count.where) if count else ()
    is_whole = isinstance(figure, Share) or (not query.where and _count_of(figure.bottom, said["whole"]) is not None)
    if not did or not is_whole:
        return query
    of = Agg("count", Rows(count.of.table))
    rate = Ratio(replace(of, where=_as_deeds(did, count.of.table)), of, figure.scale)
    return replace(query, select=(*query.select[:-1], rate), where=(), also=(), flat=False)


def _as_deeds(where: Sequence[Cond], of: TableKey) -> tuple[Cond, ...]:
    """The conditions, those on other tables as what there is of these."""
    kept, others = list[Cond](), dict[TableKey, list[Cond]]()
    for each in where:
        tables = {column.table for column in columns_in(each)}
        is_other = isinstance(each, Compare | During) and len(tables) == 1 and of not in tables
        (others.setdefault(tables.pop(), []) if is_other else kept).append(each)
    return (*kept, *(Related(table, tuple(some)) for table, some in others.items()))


def _count_of(figure: Any, whole: str) -> Any:
    """The count of a table's rows, where that is what `whole` names; None where it is no such."""
    is_count = isinstance(figure, Agg) and figure.function == "count" and isinstance(figure.of, Rows | Col)
    return figure if is_count and stem(whole.lower()) in table_stems(figure.of.table[1]) else None


def _number_shown(query: Query, question: str, catalog: Catalog) -> Query:
    """The column that is called a number, where nothing asks how many there are."""
    said = {tuple(map(stem, each["what"].lower().split())) for each in _NUMBER.finditer(question)}
    shown = query.select[0] if len(query.select) == 1 else None
    if not said or _COUNTS.search(question) or not isinstance(shown, Agg) or not isinstance(shown.of, Col):
        return query
    table = catalog.table(*shown.of.table)
    is_called = table is not None and tuple(table.stems(shown.of.name)) in said
    return replace(query, select=(shown.of,)) if is_called and shown.function == "count" and not query.group else query


def _by_its_name(query: Query, question: str, catalog: Catalog) -> Query:
    """`which supplier`: what is called supplier_name, not the supplier_country that no word names."""
    if _ASKS_ELSE.search(question):
        return query
    stems = {token.stem for token in tokenise(question)}
    said = stems | {other for each in stems for other in SYNONYMS.get(each, ())}
    nodes = [node for each in query.select for node in nodes_in(each)]
    held_to = {column for node in nodes if isinstance(node, Agg) for column in columns_in(node.where)}
    shown = {node for node in nodes if isinstance(node, Col) and node not in held_to}
    names = {each: name for each in shown if (name := _name_beside(each, said, catalog)) and name not in shown}
    if not names:
        return query
    parts = {part: mapped(getattr(query, part), lambda node: names.get(node, node)) for part in _SHOWN}
    return replace(query, **parts)


def _name_beside(column: Col, said: Collection[str], catalog: Catalog) -> Col | None:
    """The name beside a column that is something else of the same thing, where the thing is all that is said."""
    *thing, other = name_stems(column.name)
    table, own = catalog.table(*column.table), catalog.column(*column.table, column.name)
    if table is None or own is None or own.kind != "text" or not thing or not set(thing) <= set(said):
        return None
    if other in said or any(len(each) >= _ALIKE and each[:_ALIKE] == other[:_ALIKE] for each in said):
        return None
    beside = (Col(column.table, each.name) for each in table.columns if each.kind == "text")
    return next((each for each in beside if is_its_name(each, column)), None)


def _change_alone(query: Query, question: str) -> Query:
    """The change alone, where that is all that each period is listed with."""
    changes = [each for each in query.select if any(isinstance(node, Growth) for node in nodes_in(each))]
    if not changes or not _CHANGE_ALONE.search(question):
        return query
    return replace(query, select=tuple(each for each in query.select if each in changes or not is_total(each)))


def _to_first(node: Any, thing: str, joins: JoinGraph) -> Any:
    """Days to the first of what belongs to each, where they end at any of it."""
    if not isinstance(node, Days) or not isinstance(node.start, Col) or not isinstance(node.end, Col):
        return node
    if node.start.table == node.end.table or thing not in table_stems(node.end.table[1])[-1:]:
        return node
    steps = (
        step for step in joins.neighbours(node.end.table) if step.target == node.start.table and not step.multiplies
    )
    keys = [left for step in steps for left, _ in step.pairs]
    return replace(node, end=First(node.end, Col(node.end.table, keys[0]))) if len(keys) == 1 else node
