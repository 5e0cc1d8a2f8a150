"""A report as one HTML page that stands alone: no script, no font, nothing loaded from elsewhere.

Called by whoever writes the page to a file. Every text from a suite, a database or an analyst is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pluto_duck_backend.agent.evaluation_markdown import figures, percent
from pluto_duck_backend.agent.evaluation_report import Head, Report, Scored, Share

STYLE = """
:root { color-scheme: light dark; --right: #2f8f5b; --lenient: #d9a441; --rest: #8883; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top; }
th { font-weight: 500; } .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { display: flex; width: 18rem; height: .8rem; background: var(--rest); margin-top: .35rem; }
.bar i { background: var(--right); } .bar b { background: var(--lenient); }
details { border-top: 1px solid var(--rest); padding: .4rem 0; } summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--rest); padding: .5rem; margin: .3rem 0; }
.id, .status { opacity: .7; margin-right: .5rem; } .rows td { border: 1px solid var(--rest); padding: .1rem .5rem; }
"""


def report_html(report: Report) -> str:
    """The whole page: figures, bars by kind and database, changes, and each wrong answer beside the expected one."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Evaluation</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(_sections(report)) + "\n</body></html>\n"
    )


def _sections(report: Report) -> Iterator[str]:
    yield f"<h1>Evaluation: {percent(report.total.strict_share)} right of {report.total.cases} questions</h1>"
    yield _figures(report)
    yield _bars("By kind", report.by_kind)
    if len(report.by_db) > 1:
        yield _bars("By database", report.by_db)
    if report.previous is not None:
        yield _flips(report)
    wrong = report.wrong()
    yield f"<h2>Wrong ({len(wrong)})</h2>"
    yield from (_wrong(each) for each in wrong)


def _figures(report: Report) -> str:
    rows = (
        f'<tr><th>{escape(name)}</th><td class="number">{escape(value)}</td></tr>' for name, value in figures(report)
    )
    return f"<table>{''.join(rows)}</table>"


def _bars(title: str, groups: Mapping[str, Share]) -> str:
    """One bar a group: green is strictly right, yellow right only leniently."""
    rows = "".join(_bar(name, share) for name, share in groups.items())
    return f"<h2>{title}</h2><p>Green: right. Yellow: right among more columns.</p><table>{rows}</table>"


def _bar(name: str, share: Share) -> str:
    strict, more = 100 * share.strict_share, 100 * (share.lenient_share - share.strict_share)
    return (
        f'<tr><th>{escape(name)}</th><td><div class="bar"><i style="width:{strict:.1f}%"></i>'
        f'<b style="width:{more:.1f}%"></b></div></td>'
        f'<td class="number">{percent(share.strict_share)} of {share.cases}</td></tr>'
    )


def _flips(report: Report) -> str:
    gained, lost = (escape(", ".join(ids)) or "none" for ids in (report.flips.gained, report.flips.lost))
    return f"<h2>Since the previous report</h2><p>Now right: {gained}</p><p>No longer right: {lost}</p>"


def _wrong(each: Scored) -> str:
    return (
        f'<details><summary><span class="id">{escape(each.id)}</span><span class="status">{escape(each.status)}</span>'
        f"{escape(each.question)}</summary>{_side('Expected', each.expected_sql, each.expected)}"
        f"{_side('Answered', each.sql, each.actual)}{_error(each.error)}</details>"
    )


def _side(title: str, sql: str | None, rows: Head) -> str:
    code = f"<pre>{escape(sql)}</pre>" if sql else ""
    return f"<p>{title}, first rows:</p>{code}{_table(rows)}"


def _table(rows: Head) -> str:
    if not rows:
        return "<p>no rows</p>"
    cells = ("".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in rows)
    return '<table class="rows">' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def _cell(cell: object) -> str:
    return "–" if cell is None else escape(str(cell))


def _error(error: str | None) -> str:
    return f"<p>Error: {escape(error)}</p>" if error else ""
