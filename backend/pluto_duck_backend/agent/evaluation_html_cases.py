"""The wrong cases of an evaluation page: what was expected beside what came, and the choice of which to see.

Called by `evaluation_html`. Every text is escaped; names of kinds become classes by their number, never by their text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pluto_duck_backend.agent.evaluation_kinds import in_reading_order
from pluto_duck_backend.agent.evaluation_report import Head, Report, Scored
from pluto_duck_backend.agent.evaluation_style import filter_rules

LOST = "no longer right"


def wrong_cases(report: Report) -> Iterator[str]:
    """A heading, the filters, and one closed `details` for each case that is not right."""
    wrong, lost = report.wrong(), set(report.flips.lost)
    yield f"<h2>Wrong ({len(wrong)})</h2>"
    if not wrong:
        return
    outcomes = _outcomes(wrong, lost)
    kinds = {kind: f"k-{n}" for n, kind in enumerate(in_reading_order({k for each in wrong for k in each.kinds}))}
    yield _filters(wrong, lost, outcomes, kinds)
    yield '<p class="none">No wrong case is both.</p>'
    for each in wrong:
        yield _case(each, _classes(each, lost, outcomes, kinds), each.id in lost)


def _outcomes(wrong: Sequence[Scored], lost: set[str]) -> dict[str, str]:
    """The class of each outcome that a wrong case has, in the order of their first."""
    names = dict.fromkeys([*([LOST] if lost else []), *(each.outcome for each in wrong)])
    return {name: f"o-{name.replace(' ', '-')}" for name in names}


def _of_outcomes(each: Scored, lost: set[str]) -> list[str]:
    return [each.outcome, *([LOST] if each.id in lost else [])]


def _classes(each: Scored, lost: set[str], outcomes: dict[str, str], kinds: dict[str, str]) -> list[str]:
    return [outcomes[name] for name in _of_outcomes(each, lost)] + [kinds[kind] for kind in each.kinds]


def _filters(wrong: Sequence[Scored], lost: set[str], outcomes: dict[str, str], kinds: dict[str, str]) -> str:
    met = {(outcomes[o], kinds[k]) for each in wrong for o in _of_outcomes(each, lost) for k in each.kinds}
    counts = {name: sum(name in _of_outcomes(each, lost) for each in wrong) for name in outcomes}
    counts_of_kinds = {kind: sum(kind in each.kinds for each in wrong) for kind in kinds}
    rules = filter_rules(list(outcomes.values()), list(kinds.values()), met)
    return (
        f"<style>{rules}</style>"
        + _choice("Outcome", "o-any", outcomes, counts, len(wrong))
        + _choice("Kind", "k-any", kinds, counts_of_kinds, len(wrong))
    )


def _choice(title: str, any_: str, classes: dict[str, str], counts: dict[str, int], count: int) -> str:
    """Radio buttons, one for all; nothing where there is nothing to choose."""
    if len(classes) < 2:
        return ""
    buttons = [_button(title, any_, "all", count, " checked")]
    buttons += [_button(title, class_, name, counts[name], "") for name, class_ in classes.items()]
    return f"<fieldset><legend>{title}</legend>{''.join(buttons)}</fieldset>"


def _button(group: str, id_: str, name: str, count: int, checked: str) -> str:
    return (
        f'<input type="radio" name="{group}" id="{id_}"{checked} /><label for="{id_}">{escape(name)} '
        f'<span class="number">{count}</span></label>'
    )


def _case(each: Scored, classes: list[str], lost: bool) -> str:
    tags = f'<span class="tag out">{escape(each.outcome)}</span>' + (
        f'<span class="tag lost">{LOST}</span>' if lost else ""
    )
    return (
        f'<article class="{" ".join(classes)}"><details><summary><span class="id">{escape(each.id)}</span>{tags}'
        f'<span>{escape(each.question)}</span></summary><div class="body">{_body(each)}</div></details></article>'
    )


def _body(each: Scored) -> str:
    return (
        _line("", each.why)
        + _history(each.history)
        + f'<div class="sides"><section>{_expected(each)}</section><section>{_given(each)}</section></div>'
        + _facts(each)
    )


def _expected(each: Scored) -> str:
    if not each.answerable:
        return "<h3>Expected</h3><p>a refusal or a question back</p>"
    return (
        "<h3>Expected</h3>"
        + _code(each.expected_sql)
        + _table(each.expected_columns, each.expected, each.expected_count)
    )


def _given(each: Scored) -> str:
    given = _line("Error: ", each.error or "") + _words(each.answer) + _code(each.sql)
    rows = _table(each.columns, each.actual, each.actual_count) if each.sql or each.actual else ""
    return "<h3>Given</h3>" + given + rows + _reading(each.reading)


def _words(answer: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in answer.splitlines() if line.strip())


def _reading(reading: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in reading)
    return f'<h3>Read as</h3><ul class="soft">{items}</ul>' if reading else ""


def _history(history: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(question)}</li>" for question in history)
    return f"<h3>Asked before</h3><ol>{items}</ol>" if history else ""


def _facts(each: Scored) -> str:
    sure = [] if each.confidence is None else [f"confidence {100 * each.confidence:.0f} %"]
    facts = [*sure, f"{each.elapsed_ms:.0f} ms", ", ".join(each.kinds), each.db or "", each.dialogue or ""]
    return f'<p class="soft">{escape(" · ".join(filter(None, facts)))}</p>'


def _line(before: str, text: str) -> str:
    return f"<p>{before}{escape(text)}</p>" if text else ""


def _code(sql: str | None) -> str:
    return f"<pre>{escape(sql)}</pre>" if sql else ""


def _table(names: Sequence[str], rows: Head, count: int) -> str:
    if not rows:
        return "<p>no rows</p>"
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    cells = ("".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in rows)
    body = (f"<thead><tr>{head}</tr></thead>" if head else "") + "".join(f"<tr>{row}</tr>" for row in cells)
    more = f'<p class="soft">the first {len(rows)} of {count:,} rows</p>' if count > len(rows) else ""
    return f'<div class="wide"><table class="rows">{body}</table></div>{more}'


def _cell(cell: object) -> str:
    return "–" if cell is None else escape(str(cell))
