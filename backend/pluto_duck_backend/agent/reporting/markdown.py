"""A report in Markdown, for a wiki or a message."""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_backend.agent.markdown import escaped, fenced, on_one_line
from pluto_duck_backend.agent.reporting.report import Report
from pluto_duck_backend.agent.wording import markdown_table

_SHOWN = 100


def write(report: Report) -> Iterator[bytes]:
    """The report, piece by piece."""
    final, rows = report.final, report.first(_SHOWN)
    parts = [f"# {escaped(report.title)}", escaped(report.sentence)]
    parts += [markdown_table(report.names, rows)] if rows else []
    parts += [report.left_out(len(rows))]
    parts += [_list("How it was read", final["reading"]), _list("Beware", final["caveats"])]
    parts += ["## SQL that ran", fenced(final["sql"], "sql")]
    parts += ["## Where it comes from", "\n".join(f"- {name}: {escaped(text)}" for name, text in report.facts())]
    yield ("\n\n".join(part for part in parts if part) + "\n").encode()


def _list(heading: str, lines: list[str]) -> str:
    return f"## {heading}\n\n" + "\n".join(f"- {escaped(on_one_line(line))}" for line in lines) if lines else ""
