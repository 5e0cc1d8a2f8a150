"""What wins has a name: `which industry has the highest share` is answered by none whose industry is not known.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Col, Missing, Query, Share, kinds_in

_ASKS_WHICH = Pattern(r"\b(?:which|what|who|whose)\b", re.IGNORECASE)


def of_known_names(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree of the first few groups without those whose key is not known."""
    is_ranking = query.limit is not None and bool(query.order) and not query.then
    if not is_ranking or not _ASKS_WHICH.search(question) or Share in kinds_in(query):
        return query
    keys = [each for each in query.group if isinstance(each, Col) and each in query.select and _may_lack(each, catalog)]
    kept = [known for each in keys if (known := Missing(each, negated=True)) not in query.where]
    return replace(query, where=(*query.where, *kept)) if kept else query


def _may_lack(column: Col, catalog: Catalog) -> bool:
    stored = catalog.column(*column.table, column.name)
    return stored is not None and (bool(stored.null_fraction) or stored.of_numbers)
