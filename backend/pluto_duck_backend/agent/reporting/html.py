"""A report as one HTML file that loads nothing: the chart is an inline SVG, the style is inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pluto_duck_backend.agent.charting.images import image_of
from pluto_duck_backend.agent.reporting.markup import head, items, table
from pluto_duck_backend.agent.reporting.report import Report

_SHOWN = 1_000


def write(report: Report) -> Iterator[bytes]:
    """The file, piece by piece."""
    final, rows = report.final, report.first(_SHOWN)
    yield head(report.title).encode()
    yield f"<h1>{escape(report.title)}</h1>\n<p class=answer>{escape(report.sentence)}</p>\n".encode()
    if final["chart"]:
        yield b"<figure>" + image_of(final["chart"], "svg") + b"</figure>\n"
    yield from (piece.encode() for piece in table(report.names, rows))
    yield f"<p>{escape(report.left_out(len(rows)))}</p>\n".encode()
    yield (_list("How it was read", final["reading"]) + _list("Beware", final["caveats"])).encode()
    yield f"<h2>SQL that ran</h2>\n<pre>{escape(final['sql'])}</pre>\n".encode()
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in report.facts())
    yield f"<h2>Where it comes from</h2>\n<dl>{facts}</dl>\n</html>\n".encode()


def _list(heading: str, lines: Sequence[str]) -> str:
    return f"<h2>{escape(heading)}</h2>\n{items(lines)}" if lines else ""
