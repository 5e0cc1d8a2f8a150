"""Where things go and where they come from: `to Chicago` is their destination, `from Chicago` their origin.

Called by `corrections`. What must stay true: a condition moves only between two columns of one table that differ in
nothing but the way, and only where the question says one way of that value and not the other.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Among, Col, Compare, Every, Query, mapped

FROM = frozenset(name_stems("from origin source depart departing departure start starting sender pickup"))
TO = frozenset(name_stems("to destination dest arrive arriving arrival end ending finish receiver recipient dropoff"))
"""What columns are called that hold where things come from, and where they go to."""
_SAID_FROM = r"(?:from|out of|leav(?:e|es|ing)|depart(?:s|ing)?(?: from)?)"
_SAID_TO = (
    r"(?:to|into|towards?|(?:bound|head(?:s|ed|ing)?|leav(?:es|ing)) for|reach(?:es|ing)?|arriv(?:es|ing) (?:in|at))"
)


def headed(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with each place in the column of the way that the question says of it."""
    return mapped(query, partial(_headed, question=question, catalog=catalog), (Among, Compare))


def _headed(node: Any, question: str, catalog: Catalog) -> Any:
    """A value in its column; of several that are looked for in one column, `from Bonn to Rome`, each in its own."""
    texts = node.values if isinstance(node, Among) and not node.negated else (getattr(node, "right", None),)
    if not isinstance(node, Among | Compare) or not isinstance(node.left, Col) or not all(map(is_text, texts)):
        return node
    ways = [way_said(each, question) for each in texts]
    table = catalog.table(*node.left.table)
    if table is None or len(set(ways)) < len(ways) or not all(ways):
        return node
    named = [_of_way(table, node.left.name, way) for way in ways]
    if not all(named):
        return node
    parts = tuple(Compare(Col(table.key, name), "=", text) for name, text in zip(named, texts, strict=True))
    return Every(parts) if isinstance(node, Among) else replace(node, left=parts[0].left)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def way_said(value: str, question: str) -> frozenset[str]:
    """The words for the way that is said of a value; none where it is said both ways, or neither."""
    place = re.escape(value) if value.casefold() in question.casefold() else ""
    said = [
        way
        for way, words in ((FROM, _SAID_FROM), (TO, _SAID_TO))
        if place and re.search(rf"\b{words} (?:the )?{place}\b", question, re.IGNORECASE)
    ]
    return said[0] if len(said) == 1 else frozenset()


def _of_way(table: Table, name: str, wanted: frozenset[str]) -> str:
    """The column itself where it is of the way wanted, else the only one like it that is; "" where there is none."""
    unwanted = FROM if wanted == TO else TO
    here, column = name_stems(name), table.column(name)
    if column is None or wanted.intersection(here) or not unwanted.intersection(here):
        return name if wanted.intersection(here) else ""
    rest = [each for each in here if each not in unwanted]
    found = [
        each.name
        for each in table.columns
        if each.kind == column.kind
        and wanted.intersection(stems := name_stems(each.name))
        and [stem for stem in stems if stem not in wanted] == rest
    ]
    return found[0] if len(found) == 1 else ""
