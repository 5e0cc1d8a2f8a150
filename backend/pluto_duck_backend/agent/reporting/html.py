"""A report as one HTML file that loads nothing: the chart is an inline SVG, the style is inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from pluto_duck_backend.agent.charting.images import image_of
from pluto_duck_backend.agent.reporting.report import Report
from pluto_duck_backend.agent.wording import show

_SHOWN = 1_000
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.answer { font-size: 1.15rem; }
figure { margin: 1.5rem 0; padding: .5rem; background: #fff; border-radius: .5rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
.scroll { overflow: auto; max-height: 32rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #8884; text-align: left; white-space: nowrap; }
th { position: sticky; top: 0; background: Canvas; }
.number { text-align: right; }
pre { padding: .75rem; border: 1px solid #8884; border-radius: .4rem; overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; } dd { margin: 0; }
@media print { .scroll { max-height: none; } }
"""


def write(report: Report) -> Iterator[bytes]:
    """The file, piece by piece."""
    final, rows = report.final, report.first(_SHOWN)
    yield _head(report.title).encode()
    yield f"<h1>{escape(report.title)}</h1>\n<p class=answer>{escape(report.sentence)}</p>\n".encode()
    if final["chart"]:
        yield b"<figure>" + image_of(final["chart"], "svg") + b"</figure>\n"
    yield from _table(report.names, rows)
    yield f"<p>{escape(report.left_out(len(rows)))}</p>\n".encode()
    yield _list("How it was read", final["reading"]) + _list("Beware", final["caveats"])
    yield f"<h2>SQL that ran</h2>\n<pre>{escape(final['sql'])}</pre>\n".encode()
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in report.facts())
    yield f"<h2>Where it comes from</h2>\n<dl>{facts}</dl>\n</html>\n".encode()


def _head(title: str) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
    )


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[bytes]:
    if not rows:
        return
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    yield f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>\n".encode()
    for row in rows:
        yield ("<tr>" + "".join(map(_cell, row)) + "</tr>\n").encode()
    yield b"</tbody></table></div>\n"


def _cell(value: Any) -> str:
    kind = " class=number" if isinstance(value, int | float) and not isinstance(value, bool) else ""
    return f"<td{kind}>{escape(show(value))}</td>"


def _list(heading: str, lines: Sequence[str]) -> bytes:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>{escape(heading)}</h2>\n<ul>{items}</ul>\n".encode() if lines else b""
