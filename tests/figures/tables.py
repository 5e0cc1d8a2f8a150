"""The figures as tables of the docs' pages: a page names a table between two marks, and it is written there."""

import re

from tests.figures.counting import BY_KIND
from tests.figures.suites import LOOKED_AT, NEVER, SUITES

BLOCK = re.compile(r"(?<=<!-- figures: )(?P<name>\w+)(?P<mark>[^>]*-->\n).*?(?=<!-- end of figures -->)", re.DOTALL)
KINDS = (
    ("first, plain questions", ("easy", "plain")),
    ("in a benchmark's words", ("benchmark",)),
    ("as people ask", ("people",)),
    ("in time", ("time",)),
    ("turns of dialogues", ("dialogue", "first", "follow_up")),
    ("without an answer: refused or asked back", ("unanswerable",)),
    ("that two readings fit: asked back or refused", ("ambiguous",)),
)
"""Lines of the table by kind, and which kinds of the suites each is."""
RIGHT = (
    ("**never looked at**: `trades`, nine businesses", "", NEVER, ("trades",)),
    ("`fresh`, in everyday words", "", NEVER, ("fresh",)),
    ("`newcomers`, `samples`: databases as people have them", "", NEVER, ("newcomers", "samples")),
    ("`flat`, single files", "", NEVER, ("flat",)),
    ("`threads`, `strangers`: turns of dialogues that others led", "", NEVER, ("threads", "strangers")),
    ("**looked at**: `analysts`, five databases", "80 %", LOOKED_AT, ("analysts",)),
    ("`trades`, nineteen businesses", "", LOOKED_AT, ("trades",)),
    ("`threads`; `dialogues` of our own", "70 %", LOOKED_AT, ("threads", "dialogues")),
    ("**without an answer**: `unheld`, refused or asked back", "85 %", LOOKED_AT, ("unheld",)),
    ("`unanswerable`: 130 without an answer, and 100 look-alikes that have one", "", LOOKED_AT, ("unanswerable",)),
)
"""Lines of the short table: what, what is wanted, the part and the suites."""
SURE = ("trades", "newcomers", "samples", "flat", "threads", "strangers", "together")


def filled(page, figures):
    """A page with each of its tables as the figures have it."""
    return BLOCK.sub(lambda found: found["name"] + found["mark"] + TABLES[found["name"]](figures), page)


def suites_table(figures):
    """Every suite: what is asked, and how much of it is right."""
    known = figures["suites"]
    rows = [(f"`{each.name}`", each.asked, *(_share(known[each.name], part) for part in PARTS)) for each in SUITES]
    return _table(("suite", "what is asked", *PARTS), rows)


def right_table(figures):
    """The short table of a newcomer's page: the suites that tell what to expect, beside what is wanted."""
    known = figures["suites"]
    rows = [
        (told, wanted, "; ".join(_share(known[each], part) for each in names)) for told, wanted, part, names in RIGHT
    ]
    sure = figures["sure"]["together"]
    told = f"{100 * sure['surest_half']:.1f} %; {sure['error']:.3f}"
    last = ("**how sure**: the surer half right, calibration error, of `trades`, `cold`, `fresh` never looked at",)
    return _table(("", "wanted", "measured"), [*rows, (*last, "90 %; 0.05", told)])


def kinds_table(figures):
    """The suites that tell their kinds of questions, by kind."""
    head = [f"`{suite}`, {part}" for suite in BY_KIND for part in PARTS]
    rows = [
        (told, *(_cell(figures["kinds"][suite], kinds, part) for suite in BY_KIND for part in PARTS))
        for told, kinds in KINDS
    ]
    return _table(("right, of", *head), rows)


def sure_table(figures):
    """How sure answers to what was never looked at say they are, and how often they are right."""
    head = ("", "answers", "right", "said on average", "calibration error", "surest half right")
    return _table(head, [_sure_row(name, figures["sure"][name]) for name in SURE])


def _sure_row(name, found):
    told = "`trades`, `cold` and `fresh` as one" if name == "together" else f"`{name}`"
    shares = [f"{100 * found[each]:.1f} %" for each in ("right", "said")]
    return told, str(found["answers"]), *shares, f"{found['error']:.3f}", f"{100 * found['surest_half']:.1f} %"


def _cell(kinds, names, part):
    found = [kinds[name][part] for name in names if part in kinds.get(name, {})]
    return f"{sum(right for right, _ in found)} of {sum(of for _, of in found)}" if found else ""


def _share(parts, part):
    right, of = parts.get(part, (0, 0))
    return f"{right:,} of {of:,} ({100 * right / of:.0f} %)" if of else ""


def _table(head, rows):
    lines = [_line(head), f"|{'---|' * len(head)}", *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells):
    return f"|{''.join(f' {each} |' if each else ' |' for each in cells)}"


PARTS = (LOOKED_AT, NEVER)
TABLES = {"suites": suites_table, "right": right_table, "kinds": kinds_table, "sure": sure_table}
