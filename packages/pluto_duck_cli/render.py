"""The only place that prints. stdout carries data, stderr talk; rich only where a person looks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

_NUMBERS = int | float


def talk(message: str) -> None:
    """A line for the person, on stderr."""
    print(message, file=sys.stderr, flush=True)


def error(message: str, hint: str = "", *, as_json: bool = False, code: str = "usage", status: int = 400) -> None:
    """An error: two lines on stderr, or a problem document."""
    if as_json:
        talk(json.dumps({"title": "error", "status": status, "detail": message, "code": code, "hint": hint}))
        return
    talk(f"error: {message}")
    if hint:
        talk(f"hint: {hint}")


def data(text: str) -> None:
    """A line of data on stdout."""
    print(text, flush=True)


def json_line(value: Any) -> None:
    """A value as one line of JSON on stdout."""
    data(json.dumps(value, ensure_ascii=False, default=str))


def raw(chunks: Iterable[bytes]) -> None:
    """Bytes on stdout."""
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


def is_terminal() -> bool:
    return sys.stdout.isatty()


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Rows as a table: drawn in a terminal, aligned by spaces when piped."""
    if is_terminal():
        _drawn(names, rows)
        return
    cells = [[cell(value) for value in row] for row in rows]
    widths = [max([len(name), *(len(row[n]) for row in cells)]) for n, name in enumerate(names)]
    numeric = [_is_numeric(rows, n) for n in range(len(names))]
    data(_aligned(names, widths, numeric))
    data("  ".join("-" * width for width in widths))
    for row in cells:
        data(_aligned(row, widths, numeric))


def cell(value: Any) -> str:
    """A value for people; NULL is an en dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


def _float(value: float) -> str:
    """Two decimals for large numbers, six digits for small ones."""
    return f"{value:.2f}".removesuffix(".00") if abs(value) >= 1000 else f"{value:.6g}"


def _aligned(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    sized = zip(cells, widths, numeric, strict=True)
    return "  ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in sized).rstrip()


def _is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    values = [row[column] for row in rows if row[column] is not None]
    return bool(values) and all(isinstance(value, _NUMBERS) and not isinstance(value, bool) for value in values)


def _drawn(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE)
    for n, name in enumerate(names):
        drawn.add_column(Text(name), justify="right" if _is_numeric(rows, n) else "left")
    for row in rows:
        drawn.add_row(*(Text(cell(value)) for value in row))
    Console().print(drawn)


def answer(final: dict[str, Any]) -> None:
    """A final object: the answer, the rows, the SQL, how it was read, what to beware of."""
    if final["rows"] and (len(final["rows"]) > 1 or len(final["columns"]) > 1):
        title = final["answer"].split("\n")[0].strip("*")
        if title and not title.startswith("|"):
            data(title)
        table([column["name"] for column in final["columns"]], final["rows"])
        if final["truncated"]:
            data(f"… {len(final['rows'])} of {final['row_count']:,} rows")
    else:
        data(final["answer"].replace("**", ""))
    if final["status"] == "succeeded":
        _proof(final)


def _proof(final: dict[str, Any]) -> None:
    data("")
    data(final["sql"])
    data("")
    for line in final.get("reading", ()):
        data(f"  {line}")
    for line in final["caveats"]:
        data(f"  ! {line}")
    data(f"  confidence {final['confidence']:.0%}, job {final['job_id']}, {final['usage']['elapsed_ms']:.0f} ms")


def step(event: dict[str, Any]) -> None:
    """One event of a run as a line of a live view."""
    text = _step(event)
    if text:
        data(text)


def _step(event: dict[str, Any]) -> str:
    content, kind = event["content"], f"{event['type']}.{event['subtype']}"
    if kind == "reasoning.chunk":
        return f"· {content['message']}"
    if kind == "tool.end" and content["tool"] == "schema":
        tables = ", ".join(each["table"] for each in content["schema_preview"]) or "none"
        values = ", ".join(f"{each['column']} = {each['value']!r}" for each in content["values"])
        return f"  tables: {tables}" + (f"\n  values: {values}" if values else "")
    if kind == "tool.end" and content["tool"] == "verifier":
        failed = content["error"]
        return f"  ✗ {failed['message']}" if failed else f"  ✓ {content['rows_affected']:,} rows"
    return ""


def is_talking() -> bool:
    """Whether a person can be asked: both ends are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def progress(event: dict[str, Any]) -> None:
    """A line of a load's progress, in a terminal only."""
    message = event["content"].get("message")
    if event["subtype"] == "chunk" and message and sys.stderr.isatty():
        talk(f"  {message}")


def node(event: dict[str, Any]) -> None:
    """A dbt node that ended."""
    content = event["content"]
    if event["subtype"] == "chunk" and content.get("status") not in (None, "running"):
        talk(f"  {content['status']:<8} {content['node']} ({content['elapsed_s']:.2f} s)")
