"""A report as one HTML page that stands alone: no script, no font, nothing loaded from elsewhere.

Called by whoever writes the page to a file. Every text from a suite, a database or an analyst is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pluto_duck_backend.agent.evaluation_html_cases import wrong_cases
from pluto_duck_backend.agent.evaluation_markdown import about, breakdowns, figures, percent, reliability
from pluto_duck_backend.agent.evaluation_report import Report, Share
from pluto_duck_backend.agent.evaluation_style import STYLE

SHOWN_GROUPS = 40


def report_html(report: Report) -> str:
    """The whole page: figures, bars by kind and database, changes, and each wrong answer beside the expected one."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Evaluation</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(_sections(report)) + "\n</body></html>\n"
    )


def _sections(report: Report) -> Iterator[str]:
    yield f"<h1>Evaluation: {percent(report.total.strict_share)} right of {report.total.cases} questions</h1>"
    if report.about:
        yield f'<p class="about">{escape(about(report))}</p>'
    yield _figures(report)
    if report.previous is not None:
        yield _flips(report)
    for name, groups in breakdowns(report).items():
        yield _bars(f"By {name}", groups)
    if report.reliability:
        yield _reliability(report)
    yield from wrong_cases(report)


def _figures(report: Report) -> str:
    cells = (
        f'<div><dt>{escape(name)}</dt><dd class="number">{escape(value)}</dd></div>' for name, value in figures(report)
    )
    return f'<dl class="figures">{"".join(cells)}</dl>'


def _bars(title: str, groups: Mapping[str, Share]) -> str:
    """One bar a group: green is strictly right, yellow right only leniently; of many groups the worst."""
    shown = sorted(groups, key=lambda name: groups[name].strict_share)[:SHOWN_GROUPS] if _many(groups) else list(groups)
    rows = "".join(_bar(name, groups[name]) for name in shown)
    left_out = f" The {len(shown)} worst of {len(groups)}." if _many(groups) else ""
    return (
        f'<h2>{escape(title)}</h2><p class="soft key"><i></i>right <b></b>right among more columns{left_out}</p>'
        f'<div class="wide"><table class="bars">{rows}</table></div>'
    )


def _many(groups: Mapping[str, Share]) -> bool:
    return len(groups) > SHOWN_GROUPS


def _bar(name: str, share: Share) -> str:
    strict, more = 100 * share.strict_share, 100 * (share.lenient_share - share.strict_share)
    return (
        f'<tr><th>{escape(name)}</th><td><div class="bar"><i style="width:{strict:.1f}%"></i>'
        f'<b style="width:{more:.1f}%"></b></div></td>'
        f'<td class="number">{percent(share.strict_share)} of {share.cases}</td></tr>'
    )


def _reliability(report: Report) -> str:
    """Bars of the share right with a mark where the stated confidence lies: calibrated is where they meet."""
    rows = "".join(
        f'<tr><th class="number">{span}</th><td><div class="bar"><i style="width:{100 * each.right:.1f}%"></i>'
        f'<u style="left:{100 * each.confidence:.1f}%"></u></div></td>'
        f'<td class="number">{right} of {answers}, stated {stated}</td></tr>'
        for each, (span, answers, stated, right) in zip(report.reliability, reliability(report), strict=True)
    )
    return (
        '<h2>By confidence</h2><p class="soft key"><i></i>right <u></u>confidence stated</p>'
        f'<div class="wide"><table class="bars">{rows}</table></div>'
    )


def _flips(report: Report) -> str:
    gained, lost = (escape(", ".join(ids)) or "none" for ids in (report.flips.gained, report.flips.lost))
    return f"<h2>Since the previous report</h2><p>Now right: {gained}</p><p>No longer right: {lost}</p>"
