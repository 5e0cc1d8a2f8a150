"""What lacks something by a value that says so: `customers without internet service` have the service No.

Called by `corrections` for every tree. Where a column keeps No or None among its kinds, nothing of it is missing.
"""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.tree import Compare, Missing, Query, mapped

_NONE = frozenset(("no", "none", "nothing", "not applicable", "n/a"))
_LEAST_KINDS = 3


def as_stored_none(query: Query, catalog: Catalog) -> Query:
    """The tree with that value looked for in place of what is missing."""

    def stored(node: Any) -> Any:
        column = catalog.column(*node.left.table, node.left.name) if isinstance(node, Missing) else None
        value = _none_of(column) if column and not column.null_fraction else None
        return Compare(node.left, "!=" if node.negated else "=", value) if value is not None else node

    return mapped(query, stored, (Missing,))


def _none_of(column: Column) -> str | None:
    """The one value that says none, of a column of several kinds."""
    found = [each for each in column.samples if str(each).casefold() in _NONE]
    return str(found[0]) if len(found) == 1 and len(column.samples) >= _LEAST_KINDS else None
