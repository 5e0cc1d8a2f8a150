"""Rows told by their key: `the order with id 12` as `order 12` (corrections/numbered.py).

Called by `rewordings`. A column of the rows that is itself called a number is left to be found by its name.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_BY_ID = Pattern(
    r"\b(?P<rows>[a-z]+) (?:with|whose|having|that has|which has) (?:the |an? )?(?P<key>id|number|no|nr)\b\.?"
    r"(?: is| of| =|:)? ?#?(?P<n>\d+)\b",
    re.IGNORECASE,
)


def by_id(question: str, names: NameIndex) -> str:
    """The question with the rows and the number that they go by side by side."""
    return _BY_ID.sub(lambda said: _numbered(said, names), question)


def _numbered(said: re.Match[str], names: NameIndex) -> str:
    table = names.rows(said["rows"])
    if table is None or len(table.primary_key) != 1:
        return said[0]
    key = stem(said["key"].lower())
    others = (each for each in table.columns if each.name not in table.primary_key and not _points(table, each.name))
    is_called = any(key in table.stems(each.name) for each in others)
    return said[0] if is_called else f"{said['rows']} {said['n']}"


def _points(table: Table, name: str) -> bool:
    return any(name in key.columns for key in table.foreign_keys)
