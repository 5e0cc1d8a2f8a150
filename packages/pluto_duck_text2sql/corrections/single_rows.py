"""The best single row of each: `which venue has the cheapest room` is by its cheapest, not by what all rooms cost.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Query, mapped

_MOST = "most expensive|dearest|priciest|largest|biggest|highest|longest|heaviest|greatest"
_LEAST = "cheapest|smallest|lowest|shortest|lightest|least expensive"
_HAS = Pattern(
    r"\b(?:has|have|had|with|offers?|made|placed|got|sold|received|paid|wrote|owns?) (?:the |our )?(?:single )?"
    rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST})) (?P<row>[a-z]+)(?: [a-z]+)?\W*$",
    re.IGNORECASE,
)


def by_one_row(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree sorted by the greatest or the least amount of a row where it is sorted by what all rows come to."""
    said = _HAS.search(question)
    by = query.order[0].by if said and query.order and query.group else None
    if said is None or not isinstance(by, Agg) or by.function not in ("sum", "avg") or not isinstance(by.of, Col):
        return query
    table = catalog.table(*by.of.table)
    row = said["row"].lower()
    if table is None or row.endswith("s") or stem(row) not in table_stems(table.name)[-1:]:
        return query
    single = replace(by, function="max" if said["most"] else "min")

    def put(node: Any) -> Any:
        return single if node == by else node

    made: Query = mapped(query, put, (Agg,))
    return made
