"""The parts that HTML files to send are made of. Each file loads nothing and runs nothing, and says so to browsers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from pluto_duck_backend.agent.wording import cells

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


def head(title: str, style: str = "") -> str:
    """The beginning of a file, with what further `style` it needs."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n"
    )


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """A table that scrolls, piece by piece; nothing where there are no rows."""
    if not rows:
        return
    heads = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    yield f"<div class=scroll tabindex=0><table><thead><tr>{heads}</tr></thead><tbody>\n"
    for row in rows:
        yield "<tr>" + "".join(map(_cell, row, cells(names, row))) + "</tr>\n"
    yield "</tbody></table></div>\n"


def _cell(value: Any, told: str) -> str:
    kind = " class=number" if isinstance(value, int | float) and not isinstance(value, bool) else ""
    return f"<td{kind}>{escape(told)}</td>"


def items(lines: Sequence[str]) -> str:
    """A list; nothing where there are no lines."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>\n" if lines else ""
