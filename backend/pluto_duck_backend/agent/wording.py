"""The words around a result: Markdown that says only what the rows say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.markdown import escaped, on_one_line, table

if TYPE_CHECKING:
    from pluto_duck_backend.app.services.execution.executor import QueryResult

SHOWN_ROWS = 10
NAMING = re.compile(r"(?i:(^|_)(id|key|code|year|zip|postcode))$|[a-z]Id$")
#   columns whose numbers are names
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*", re.ASCII)


def say(title: str, result: QueryResult) -> Iterator[str]:
    """The answer, piece by piece: a sentence for one value or none, a table for more."""
    names = [str(column["name"]) for column in result.columns]
    if not result.row_count:
        yield f"{escaped(title) or 'Result'}: no rows match."
    elif result.row_count == 1 and len(names) == 1 and result.rows:
        yield f"**{escaped(on_one_line(f'{title or names[0]}: {show(result.rows[0][0])}'))}**"
    else:
        yield f"**{escaped(title)}**\n\n" if title else ""
        yield markdown_table(names, result.rows[:SHOWN_ROWS])
        yield _rest(result)


def _rest(result: QueryResult) -> str:
    hidden = (result.row_count or 0) - min(SHOWN_ROWS, len(result.rows))
    return f"\n\n… and {hidden:,} more {'row' if hidden == 1 else 'rows'}." if hidden > 0 else ""


def markdown_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A pipe table of a result."""
    return table(names, [cells(names, row) for row in rows])


def cells(names: Sequence[str], row: Sequence[Any]) -> list[str]:
    """A row for people; what names something (`order_id`, `year`) is not taken for a quantity."""
    told = zip(names, row, strict=True)
    return [str(cell) if type(cell) is int and NAMING.search(name) else show(cell) for name, cell in told]


def show(value: Any) -> str:
    """A cell for people: thousands separated from five digits on, at most two decimals from 1 on."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return _show_float(value)
    return spaced(value) if isinstance(value, str) else str(value)


def spaced(text: str) -> str:
    """A moment as people write it, `2025-03-01 08:30:00`; other text as it is."""
    return text.replace("T", " ", 1) if _MOMENT.fullmatch(text) else text


def _show_float(value: float) -> str:
    if abs(value) < 1:
        return f"{value:.4g}"
    text = f"{value:,.2f}" if abs(value) >= 10_000 else f"{value:.2f}"
    return text.removesuffix(".00")
