"""An answer in Python: its rows as frames, its SQL, its chart, how it was read; it shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from pluto_duck.chart import Chart
from pluto_duck.frames import Frames
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_cli.asking import End
from pluto_duck_cli.client import Client

if TYPE_CHECKING:
    from pluto_duck.duck import Duck

_SHOWN_ROWS = 20


class Answer(Frames):
    """How a question ended. Frames, `sql` and `chart` are there where `status` is succeeded."""

    def __init__(self, duck: Duck, reach: Callable[[], Client], question: str, end: End) -> None:
        final = end.final or {"answer": "", "sql": None, "job_id": None, "chart": None, "columns": [], "rows": []}
        super().__init__(reach, final["job_id"] or "")
        self._duck = duck
        self._final = final
        self.question = question
        self.status = end.status
        self.run_id = end.run_id
        self.conversation_id = end.conversation_id
        self.sql: str | None = final["sql"]
        self.text: str = final["answer"]
        #   the answer in Markdown; the question back, or why there is none
        self.columns: list[str] = [column["name"] for column in final["columns"]]
        self.rows: list[list[Any]] = final["rows"]
        #   a preview; the frames hold all rows
        self.row_count: int = final.get("row_count", 0)
        self.confidence: float = final.get("confidence", 0.0)
        self.reading: list[str] = final.get("reading", [])
        self.caveats: list[str] = final.get("caveats", [])
        self.next: list[str] = final.get("next", [])
        self.options: list[str] = (final.get("clarification") or {}).get("options", [])
        #   the readings to choose from where `status` is needs_input: `a.then(a.options[0])`

    @property
    def chart(self) -> Chart | None:
        """The chart; None where a table says it better."""
        return Chart(self._final["chart"]) if self._final["chart"] else None

    def then(self, message: str, **options: Any) -> Answer:
        """The next message of the same conversation: `only the top 5`, `as a pie chart`, one of `options`."""
        return self._duck.ask(message, conversation_id=self.conversation_id, **options)

    async def athen(self, message: str, **options: Any) -> Answer:
        """As `then`, without holding up the event loop."""
        return await self._duck.aask(message, conversation_id=self.conversation_id, **options)

    def save(self, path: str) -> None:
        """Write it as a report (.html, .md, .xlsx) or as its rows (.csv, .parquet)."""
        from pathlib import Path

        from pluto_duck_backend.agent.reporting import EXPORT_FORMS
        from pluto_duck_backend.app.core.whole_files import write_whole
        from pluto_duck_cli.files import form_of

        form: Any = form_of(Path(path), EXPORT_FORMS)
        write_whole(Path(path), self._reach().export(self.run_id, form))

    def _parquet(self) -> Any:
        if not self.job_id:
            raise InvalidInput(
                f"{self.question!r} has no rows: it {self.status.replace('_', ' ')}. {self.text}".strip(),
                code="no_rows",
                hint="Look at .status, .text and .options; .then(…) answers.",
            )
        return super()._parquet()

    def _repr_html_(self) -> str:
        """The sentence, the chart, the first rows and the SQL."""
        chart = self.chart.svg() if self.chart else ""
        return "".join(["<div>", *self._said(), chart, *self._table(), *self._proof(), "</div>"])

    def _said(self) -> Iterator[str]:
        from pluto_duck_backend.agent.markdown import plain

        lines = [line for line in self.text.splitlines() if line.strip() and not line.startswith(("|", "…"))]
        yield f"<p>{escape(plain(' '.join(lines)))}</p>"

    def _table(self) -> Iterator[str]:
        from pluto_duck_backend.agent.wording import cells

        if not self.rows:
            return
        yield "<table><thead><tr>" + "".join(f"<th>{escape(name)}</th>" for name in self.columns) + "</tr></thead>"
        for row in self.rows[:_SHOWN_ROWS]:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells(self.columns, row)) + "</tr>"
        yield "</table>"
        if self.row_count > _SHOWN_ROWS:
            yield f"<p>The first {_SHOWN_ROWS} of {self.row_count:,} rows.</p>"

    def _proof(self) -> Iterator[str]:
        lines = "".join(f"<li>{escape(line)}</li>" for line in [*self.reading, *self.caveats])
        if self.sql:
            yield f"<details><summary>SQL and reading</summary><pre>{escape(self.sql)}</pre><ul>{lines}</ul></details>"

    def __repr__(self) -> str:
        return f"<Answer {self.status}: {self.question!r}, {self.row_count:,} rows, confidence {self.confidence:.0%}>"
