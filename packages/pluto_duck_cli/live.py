"""The live view of a run: the plan ticking off, what was found, the SQL, and a bar while a query is long.

Of a model that thinks, writes or speaks the end is seen as it comes, on one line.

`agent-stream` and `chat` show it in a terminal. What must stay true: it only replays events, it fits any width, and
without colours it says the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from pluto_duck_cli.coloring import colored_sql

_STAGES = ("schema", "sql", "verifier", "finalize")
#   a plan of four steps has one for each; of a longer or shorter one a share is done with each
_LONG_S = 2.0
_BAR_WIDTH = 24
_MOST_VALUES = 4
_HEARD = {"reasoning.chunk": "thinks", "tool.chunk": "writes", "message.chunk": "says"}
_KEPT_HEARD = 1_000


class LiveView:
    """What the events of one run have told so far, as rich draws it."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._plan: list[str] = []
        self._done = 0
        self._is_over = False
        self._stopped = "✗"
        self._facts: list[tuple[str, str]] = []
        self._sql = ""
        self._heard = ("", "")
        self._since = time.monotonic()
        self._spinner = Spinner("dots")

    def show(self, event: dict[str, Any]) -> None:
        """Take in an event."""
        content, kind = event["content"], f"{event['type']}.{event['subtype']}"
        if kind == "tool.end":
            self._take(content)
        elif kind == "tool.start":
            self._since, self._heard = time.monotonic(), ("", "")
        elif kind in _HEARD:
            self._hear(_HEARD[kind], content)
        elif kind == "run.chunk":
            self._facts.append(("note", content["message"]))
        elif kind == "message.final":
            self._ended(content["status"])
        elif kind in ("run.end", "run.error"):
            self._is_over = True

    def interrupt(self) -> None:
        """The person wants no more of it."""
        self._is_over = True
        self._facts.append(("cancelled", "on your word; nothing runs any more"))

    def _hear(self, how: str, content: dict[str, Any]) -> None:
        """What a model thinks, writes or says, while it does; `replaces` takes back what it said before."""
        said = "" if how != self._heard[0] or content.get("replaces") else self._heard[1]
        self._heard = how, f"{said}{content.get('text') or content.get('message') or ''}"[-_KEPT_HEARD:]

    def _take(self, content: dict[str, Any]) -> None:
        tool = content["tool"]
        if tool == "planner":
            self._plan = [step["description"] for step in content["plan"]]
        elif tool == "schema":
            self._facts += _found(content)
        elif tool == "sql":
            self._sql = content["sql"]
        elif tool == "lookup":
            self._facts.append(("called", content["name"]))
        elif content.get("error"):
            self._facts.append(("failed", content["error"]["message"]))
        if tool in _STAGES and not content.get("error") and (tool != "sql" or content["sql"]):
            self._done = max(self._done, _STAGES.index(tool) + 1)

    def _ended(self, status: str) -> None:
        """What could not be answered stopped where it was; so did what is asked back."""
        if status == "succeeded":
            self._done = len(_STAGES)
        self._stopped = "?" if status == "needs_input" else "✗"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"? {self._question}", "bold")
        yield from self._steps()
        if self._heard[1].strip() and not self._is_over:
            yield _tail(*self._heard, options.max_width)
        if self._facts:
            yield _pairs(self._facts)
        if self._sql:
            yield colored_sql(self._sql, indent=2)

    def _steps(self) -> Iterator[RenderableType]:
        ticked = len(self._plan) * self._done // len(_STAGES)
        for n, step in enumerate(self._plan):
            if n < ticked:
                yield _marked(Text("✓", "green"), Text(step))
            elif n == ticked and not self._is_over:
                yield self._running(step)
            else:
                yield _marked(Text(self._stopped if n == ticked else "·", "dim"), Text(step, "dim"))

    def _running(self, step: str) -> RenderableType:
        elapsed = time.monotonic() - self._since
        self._spinner.update(text=Text(f"{step}  {elapsed:.0f} s" if elapsed > _LONG_S else step))
        line = Table.grid(padding=(0, 1))
        line.add_row(" ", self._spinner)
        if elapsed <= _LONG_S:
            return line
        bar = Table.grid(padding=(0, 1))
        bar.add_row("  ", ProgressBar(total=None, width=_BAR_WIDTH, pulse=True))
        return Group(line, bar)


def _tail(how: str, said: str, width: int) -> Text:
    """The end of what was heard, on one line."""
    begins, line = f"    {how}  ", " ".join(said.split())
    room = max(width - len(begins) - 1, 1)
    return Text(f"{begins}{'…' * (len(line) > room)}{line[-room:]}", "dim", no_wrap=True, overflow="crop")


def _marked(mark: Text, step: Text) -> Table:
    """A step that keeps to its column where it is folded."""
    line = Table.grid(padding=(0, 1))
    line.add_row(" ", mark, step)
    return line


def _found(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    tables = ", ".join(each["table"] for each in content["schema_preview"])
    values = [f"{each['column']} = {each['value']}" for each in content["values"]]
    yield from [("tables", tables)] if tables else []
    if values:
        yield "values", ", ".join(values[:_MOST_VALUES]) + (" …" if len(values) > _MOST_VALUES else "")


def _pairs(facts: list[tuple[str, str]]) -> Table:
    grid = Table.grid(padding=(0, 1))
    for name, text in facts:
        grid.add_row(Text(f"  {name}", "dim"), Text(text, "red" if name == "failed" else "cyan"))
    return grid


def watched(console: Console, question: str, events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events, shown as they pass; what was seen stays on the screen."""
    view = LiveView(question)
    with Live(view, console=console, refresh_per_second=8, vertical_overflow="visible"):
        try:
            for event in events:
                view.show(event)
                yield event
        except KeyboardInterrupt:
            view.interrupt()
            raise
