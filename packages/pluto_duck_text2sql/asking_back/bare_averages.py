"""What is counted for each of and then averaged, where nothing says it: `the average number of tracks`.

Called by `doubts`. The rows of a table are counted for each row of the tables that they point at, and of those that a
table of pairs joins them to: tracks of an album, of a genre, of a playlist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.tree import Agg, Col, Nested, Query, Rows, TableKey
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = Pattern(
    r"^\W*(?:(?:what(?:'s| is| was| are| were)?|show(?: me)?|give me|tell me) )?(?:the |our )?(?:average|mean)"
    r" (?:number|count) of (?P<what>[\w ]+?)\W*$",
    re.IGNORECASE,
)
_WHOLE = 0.9
"""How well a name must fit to be a table's own."""


def averaged(question: str, names: NameIndex) -> Table | None:
    """The table whose rows are counted on average, where the question says no more than that."""
    asked = _ASKED.match(question)
    stems = tuple(token.stem for token in tokenise(asked["what"])) if asked else ()
    found = (each.table for each in names.find(stems) if each.column is None and each.score >= _WHOLE) if stems else ()
    return next(iter(found), None)


def averages(table: Table, catalog: Catalog, joins: JoinGraph) -> Iterator[tuple[str, Query]]:
    """The average number of its rows for each of what they belong to, with a name of that."""
    for step in joins.neighbours(table.key):
        if not step.multiplies:
            yield _average(step)
    for pairs in (catalog.table(*key) for key in joins.children(table.key)):
        for step in joins.neighbours(pairs.key) if pairs and _is_of_pairs(pairs) else ():
            if step.target != table.key and not step.multiplies:
                yield _average(step)


def _average(step: Step) -> tuple[str, Query]:
    home: TableKey = step.source
    counted = Query(home, (Agg("count", Rows(home)),), group=(Col(home, step.pairs[0][0]),), flat=True)
    return f"per {shown_name(step.target)}", Query(home, (Agg("avg", Nested(counted)),), flat=True)


def _is_of_pairs(table: Table) -> bool:
    """Whether its rows do no more than join those of two others: what tells them apart are both keys."""
    keys = {name for key in table.foreign_keys for name in key.columns}
    return len(table.foreign_keys) == 2 and set(table.primary_key) == keys
