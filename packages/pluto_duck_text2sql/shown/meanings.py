"""What codes mean, in place of the codes: `items by therapeutic class` shows Cardiovascular, not CV, where a code table
tells it.

Called by `analyst` with what it answers, last of all: rows are grouped, sorted and looked for by the codes themselves.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.tree import Col, Expr, Meaning

_ASKS_CODES = Pattern(r"\b(?:codes?|abbreviations?|shorthand|ids?)\b", re.IGNORECASE)


def in_words(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate with the meaning of each code that it shows; itself where it shows none, or the codes are asked."""
    tree = found.tree
    if not catalog.meanings or found.parts or tree.then or tree.beside or tree.distinct or _ASKS_CODES.search(question):
        return found
    shown = tuple(_meant(each, catalog) for each in tree.select)
    query = replace(tree, select=shown)
    sql = written(query, catalog, joins) if shown != tree.select else ""
    lines = [f"{each.of.name} → what {each.table[1]} says that it means" for each in shown if isinstance(each, Meaning)]
    return replace(found, tree=query, sql=sql, reading=(*found.reading, *lines)) if sql else found


def _meant(shown: Expr, catalog: Catalog) -> Expr:
    told = catalog.meanings.get((shown.table, shown.name)) if isinstance(shown, Col) else None
    return Meaning(shown, told.table, told.code, told.text, told.kind) if told and isinstance(shown, Col) else shown
