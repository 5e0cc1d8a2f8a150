"""What a column is called more fully than its name is: `by transport mode` of a column `mode`.

Called by `rewordings`. The word before a column's name that things are grouped by restricts nothing, although some
other table stores it as a text; a word that names a table or a column stays, and so does one before what names rows
(`each blitz tournament` are those of that kind).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_BY = Pattern(
    r"\b(?P<by>by|per|for each|for every) (?P<more>[a-z]{3,}) (?P<name>[a-z]{3,})\b",
    re.IGNORECASE,
)


def by_short_names(text: str, names: NameIndex, catalog: Catalog) -> str:
    """`by mode`, where a column is called so, its fuller name is nothing here and its first word a text of others."""
    return _BY.sub(lambda match: _short(match, names, catalog), text)


def _short(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    more, name = stem(match["more"].lower()), stem(match["name"].lower())
    targets = names.called((name,))
    columns = {(each.table.key, each.column.name) for each in targets if each.column}
    names_rows = any(each.column is None for each in targets)
    if not columns or names_rows or names.called((more,)) or names.called((more, name)):
        return match[0]
    hits = catalog.values.lookup(match["more"].lower())
    own = {key for key, _ in columns}
    is_of_others = bool(hits) and all((each.schema, each.table) not in own for each in hits)
    return f"{match['by']} {match['name']}" if is_of_others else match[0]
