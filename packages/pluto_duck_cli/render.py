"""The only place that prints. stdout carries data, stderr talk; rich only where a person looks."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from pluto_duck_cli.visible import on_one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

_NUMBERS = int | float
_WIDEST_CHART = 100


def talk(message: str) -> None:
    """A line for the person, on stderr."""
    print(visible(message), file=sys.stderr, flush=True)


def error(message: str, hint: str = "", *, as_json: bool = False, code: str = "usage", status: int = 400) -> None:
    """An error: two lines on stderr, or a problem document."""
    if as_json:
        talk(json.dumps({"title": "error", "status": status, "detail": message, "code": code, "hint": hint}))
        return
    talk(f"error: {message}")
    if hint:
        talk(f"hint: {hint}")


def rows_said(count: int) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def data(text: str) -> None:
    """A line of data on stdout: as it is when piped."""
    print(visible(text) if is_terminal() else text, flush=True)


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
    names, cells = [*map(on_one_line, names)], [[cell(value) for value in row] for row in rows]
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
    return on_one_line(json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value))


def _float(value: float) -> str:
    """Two decimals for large numbers, six digits for small ones."""
    return f"{value:.2f}".removesuffix(".00") if abs(value) >= 1000 else f"{value:.6g}"


def _aligned(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    sized = zip(cells, widths, numeric, strict=True)
    return "  ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in sized).rstrip()


def _is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    values = [row[column] for row in rows if row[column] is not None]
    return bool(values) and all(map(_is_number, values))


def _drawn(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE)
    for n, name in enumerate(names):
        drawn.add_column(Text(on_one_line(name)), justify="right" if _is_numeric(rows, n) else "left")
    columns = [_figures(name, [row[n] for row in rows]) for n, name in enumerate(names)]
    for line in zip(*columns, strict=True):
        drawn.add_row(*map(Text, line))
    console().print(drawn)


def _figures(name: str, values: Sequence[Any]) -> list[str]:
    """A column for people: its numbers in groups, with as many decimals each; ids and years as they are."""
    from pluto_duck_backend.agent.wording import NAMING, spaced

    decimals = max((len(cell(value).partition(".")[2]) for value in values if _is_number(value)), default=0)
    is_plain = bool(NAMING.search(name)) or any("e" in cell(value) for value in values if _is_number(value))
    told = [spaced(cell(value)) for value in values]
    if is_plain:
        return told
    return [_grouped(each, decimals) if _is_number(each) else text for each, text in zip(values, told, strict=True)]


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _grouped(value: int | float, decimals: int) -> str:
    return f"{value:,.{decimals}f}" if decimals or abs(value) >= 10_000 else str(value)


def console() -> Console:
    """Where a person looks; colours as the terminal has them, none with NO_COLOR."""
    return _harmless_console()(highlight=False, _environ=_environment())


@cache
def _harmless_console() -> type[Console]:
    """Rich's console, in whose text nothing commands the terminal; made when it is wanted, as rich is not always."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Harmless(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for each in super().render(renderable, options):
                yield each if each.control else Segment(visible(each.text), each.style)

    return Harmless


def _environment() -> dict[str, str]:
    """Without the size that a terminal had when something exported it; how large it is now it says itself."""
    stale = ("COLUMNS", "LINES") if is_terminal() else ()
    return {name: value for name, value in os.environ.items() if name not in stale}


def answer(final: dict[str, Any], *, has_shown_sql: bool = False) -> None:
    """A final object: the answer, the rows, the chart, the SQL, how it was read, what to beware of."""
    _result(final)
    if final["status"] != "succeeded":
        return
    if not is_terminal():
        data(f"\n{final['sql']}\n")
        _proof(final)
        return
    chart(final["chart"])
    data("") if has_shown_sql else _sql(final["sql"])
    _proof(final)
    _next(final.get("next", ()))


def _result(final: dict[str, Any]) -> None:
    """The rows below their title, or the answer in words where that is all of it."""
    from pluto_duck_backend.agent.markdown import plain

    if not final["rows"] or (len(final["rows"]) == len(final["columns"]) == 1):
        data(plain(final["answer"]))
        return
    if words := _before_table(final["answer"]):
        data(plain(words))
    table([column["name"] for column in final["columns"]], final["rows"])
    if final["truncated"]:
        data(f"… {len(final['rows'])} of {final['row_count']:,} rows")


def _before_table(answer: str) -> str:
    """The title, or a model's words, in whole; the table that follows them is drawn here."""
    return "\n".join(takewhile(lambda line: not line.startswith("|"), answer.split("\n"))).strip()


def _next(messages: Sequence[str]) -> None:
    """What could be asked next: each other reading on a line of its own, in the order of their numbers."""
    from pluto_duck_backend.agent.conversation import is_rather

    others = [each for each in messages if is_rather(each)]
    rest = " · ".join(each for each in messages if each not in others)
    for each in (*others, *([f"next: {rest}"] if rest else [])):
        console().print(_folded(f"  {each}"), style="dim", markup=False)


def outcome(final: dict[str, Any] | None, failure: dict[str, Any] | None, *, has_shown_sql: bool = False) -> None:
    """How a run ended: its answer, its error, or that it was cancelled."""
    if final:
        answer(final, has_shown_sql=has_shown_sql)
    elif failure:
        error(failure["message"], failure["hint"])
    else:
        talk("cancelled")


def tile(shown: dict[str, Any]) -> None:
    """A tile of a board: its last result, when that was, and what is wrong with it."""
    result, failure = shown["result"], shown["failure"]
    data(f"\n{shown['title']}  ({shown['tile_id']})")
    if failure:
        kept = "; below is the result before that" if result else ""
        data(f"  ! failed {failure['at']}: {failure['message']}{kept}")
    if shown["changed"]:
        data(f"  ! changed since it was pinned: {shown['changed']}")
    if result:
        if result["chart"] and is_terminal():
            chart(result["chart"])
        else:
            table([column["name"] for column in result["columns"]], result["rows"])
        data(f"  {result['row_count']:,} {'row' if result['row_count'] == 1 else 'rows'}, run {result['ran_at']}")
    elif not failure:
        data("  not run yet")
    for line in shown["caveats"]:
        data(f"  ! {line}")


def sql(text: str) -> None:
    """A statement: coloured in a terminal, as it is when piped."""
    _sql(text) if is_terminal() else data(text)


def chart(spec: dict[str, Any] | None) -> None:
    """A chart, drawn as wide as the terminal is, up to a hundred columns."""
    from pluto_duck_cli.drawing import drawn

    out = console()
    picture = drawn(spec, min(out.width, _WIDEST_CHART))
    if picture:
        out.print(picture)


def _sql(sql: str) -> None:
    from pluto_duck_cli.coloring import colored_sql

    data("")
    console().print(colored_sql(sql))
    data("")


def _proof(final: dict[str, Any]) -> None:
    for line in final.get("reading", ()):
        data(_folded(f"  {line}"))
    for line in final["caveats"]:
        data(_folded(f"  ! {line}"))
    facts = f"  confidence {final['confidence']:.0%}, job {final['job_id']}, {final['usage']['elapsed_ms']:.0f} ms"
    data(_folded(f"{facts}{_by(final)}"))


def _by(final: dict[str, Any]) -> str:
    """The model that answered, and what all calls used; nothing where none was called."""
    used = final["usage"]
    tokens, cost = used["input_tokens"] + used["output_tokens"], used["cost_usd"]
    who = f", {final['provider']} ({final['model']})" if final["model"] else ""
    spent = f", {tokens:,} tokens" if tokens else ""
    return f"{who}{spent}{f', ${cost:.4f}' if cost else ''}"


def _folded(line: str) -> str:
    """A line of words within the terminal's width, further lines set in; as it is when piped."""
    if not is_terminal():
        return line
    return textwrap.fill(
        line, console().width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def is_talking() -> bool:
    """Whether a person can be asked: both ends are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def progress(event: dict[str, Any]) -> None:
    """A line of a load's progress, in a terminal only."""
    message = event["content"].get("message")
    if event["subtype"] == "chunk" and message and sys.stderr.isatty():
        talk(f"  {message}")


def node(event: dict[str, Any]) -> None:
    """A dbt node that ended: how, what it wrote or found, how long it took."""
    content = event["content"]
    if event["subtype"] != "chunk" or content.get("status") in (None, "running"):
        return
    counted = [rows_said(content["rows"])] if content["rows"] is not None else []
    counted += [f"{content['failures']:,} rows fail"] if content["failures"] else []
    place = f"{content['index']:>3} of {content['total']}" if content["total"] else " " * 3
    took = ", ".join([*counted, f"{content['elapsed_s']:.2f} s"])
    talk(f"{place} {content['status']:<8} {content['node']} ({took})")
