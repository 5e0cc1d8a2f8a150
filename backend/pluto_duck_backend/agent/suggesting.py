"""What could be asked next: short messages that the conversation understands, after an answer.

`finalize` puts them into the final object; terminal and page offer them. Each is a message that leans on the answer:
another drawing of it, a part of it, the same over time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pluto_duck_backend.agent.charting import Kind, Spec
from pluto_duck_backend.app.services.execution.executor import QueryResult

SAID: dict[Kind, str] = {
    "line": "as a line chart",
    "area": "as an area chart",
    "column": "as a column chart",
    "bar": "as a bar chart",
    "stacked": "as a stacked bar chart",
    "grouped": "as a grouped bar chart",
    "pie": "as a pie chart",
    "scatter": "as a scatter plot",
    "heatmap": "as a heat map",
    "histogram": "as a histogram",
    "map": "as a map",
}
_MANY = 5
_TIMES = ("DATE", "TIMESTAMP")


def next_messages(result: QueryResult, chart: Spec | None, tables: Iterable[dict[str, Any]]) -> list[str]:
    """At most three. `tables`: what the question was linked to, as the schema event shows it."""
    if not chart:
        return []
    meta = chart["usermeta"]
    dimensions = [
        meta[each]["role"] for each in ("x", "y", "color") if each in meta and meta[each]["role"] != "measure"
    ]
    said = []
    if dimensions == ["category"] and meta["kind"] in ("bar", "column") and (result.row_count or 0) > _MANY:
        said.append(f"only the top {_MANY}")
    if dimensions == ["category"] and _has_time(result.tables, tables):
        said.append("by month")
    return [*said, *_other_kinds(meta["kinds"], dimensions)][:3]


def _has_time(read: Sequence[str], tables: Iterable[dict[str, Any]]) -> bool:
    columns = (column for table in tables if table["table"] in read for column in table["columns"])
    return any(column["type"].startswith(_TIMES) for column in columns)


def _other_kinds(kinds: Sequence[Kind], dimensions: Sequence[str]) -> list[str]:
    """The two next best; a line through names would say that there is something between them."""
    is_of_names = dimensions[:1] == ["category"]
    fitting = [kind for kind in kinds[1:] if kind in SAID and not (is_of_names and kind in ("line", "area"))]
    return [SAID[kind] for kind in fitting[:2]]
