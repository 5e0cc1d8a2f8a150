"""What is done to what is counted: `how many kegs were damaged` is the sum of `DamagedKegs`, not of `Kegs`.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Query, is_total, mapped

_DONE_TO = Pattern(
    r"\bhow (?:many|much) (?P<of>[a-z]+) (?:were|was|are|is|got|get|have been|has been)"
    r" (?P<done>[a-z]{3,}(?:ed|en|t|wn))\b",
    re.IGNORECASE,
)


def as_done(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the figure that is called by both words in place of one that is called by the first."""
    said = _DONE_TO.search(question)
    totals = [each for each in query.select if is_total(each)]
    figure = totals[0] if len(totals) == 1 else None
    if said is None or not isinstance(figure, Agg) or not isinstance(figure.of, Col):
        return query
    table = catalog.table(*figure.of.table)
    both = {stem(said["of"].lower()), stem(said["done"].lower())}
    numbers = [each.name for each in table.columns if each.kind == "number"] if table else []
    called = [each for each in numbers if set(name_stems(each)) == both]
    if len(called) != 1 or set(name_stems(figure.of.name)) != {stem(said["of"].lower())}:
        return query
    fuller = replace(figure.of, name=called[0])

    def put(node: Any) -> Any:
        return replace(node, of=fuller) if node == figure else node

    made: Query = mapped(query, put, (Agg,))
    return made
