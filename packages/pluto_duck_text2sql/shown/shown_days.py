"""Dates where dates are asked: `on what date was each beer first sold`, `the date of its first ticket`.

Called by `analyst` with what it answers, after the readings were put in order, as gaps.py is. A moment that the
question calls a date or a day is shown as that day; what is called a date by its own name is shown as it is kept.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Expr, Query

_ASKS_DATES = Pattern(
    r"\b(?:on|since|until) (?:what|which) days?\b|\bwhat (?:was |is |were |are )the (?:first |last )?day\b"
    r"|(?:^|[,.;:?!(] ?|\b(?:the|a|what|which|its|their|both|and|on|show|give|with) )"
    r"(?:(?:first|last|two|latest|earliest|exact) )*dates?\b(?! (?:and|or|with) (?:the )?time)",
    re.IGNORECASE,
)
"""What is called an order date is a column of that name, whatever it is called here."""
_TIMES = Pattern(
    r"\b(?:(?<!first )(?<!last )(?<!second )(?<!without the )time|timestamps?|hours?|minutes?|moment|exactly)\b",
    re.IGNORECASE,
)
_DATE = stem("date")


def as_dates(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate with its moments as days, where the question asks for dates; itself elsewhere."""
    tree = found.tree
    if tree is None or found.parts or not _ASKS_DATES.search(question) or _TIMES.search(question):
        return found
    shown = tuple(_as_day(each, tree, catalog) for each in tree.select)
    query = replace(tree, select=shown)
    sql = written(query, catalog, joins) if shown != tree.select else ""
    return replace(found, tree=query, sql=sql) if sql else found


def _as_day(shown: Expr, tree: Query, catalog: Catalog) -> Expr:
    """A first or last moment, or a moment of a row, as its day."""
    if isinstance(shown, Agg) and shown.function in ("min", "max") and _is_moment(shown.of, catalog):
        return replace(shown, of=Bucket("day", shown.of))  # type: ignore[arg-type]
    is_of_row = not tree.group and not tree.distinct and tree.then is None
    return Bucket("day", shown) if is_of_row and isinstance(shown, Col) and _is_moment(shown, catalog) else shown


def _is_moment(of: Expr, catalog: Catalog) -> bool:
    """Whether a column holds times of day, and is not called a date."""
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    column = catalog.column(*of.table, of.name) if isinstance(of, Col) else None
    if not isinstance(of, Col) or table is None or column is None or not column.is_moment:
        return False
    return _DATE not in table.stems(of.name)
