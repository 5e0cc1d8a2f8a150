"""A board as one HTML file to send: charts are inline SVG, nothing is loaded, nothing runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from pluto_duck_backend.agent.charting.images import image_of
from pluto_duck_backend.agent.reporting.markup import head, items, table
from pluto_duck_backend.agent.wording import show
from pluto_duck_backend.app.services.execution.job import now

_NAMED = re.compile(r'(\bid="|\burl\(#|\bhref="#)')
_STYLE = """
body { max-width: 90rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
article { border: 1px solid #8884; border-radius: .5rem; padding: .75rem 1rem; min-width: 0; }
article h2 { margin: 0; } figure { margin: .5rem 0; } .scroll { max-height: 18rem; }
.one { font-size: 2.5rem; font-variant-numeric: tabular-nums; margin: .5rem 0; }
.bad { border-left: .25rem solid #c62828; padding-left: .75rem; } .changed { border-left-color: #b26a00; }
.facts { color: GrayText; font-size: .875rem; } details { font-size: .9rem; }
"""


def document(board: dict[str, Any]) -> str:
    """The file of a board as `BoardService.show` gives it."""
    count = len(board["tiles"])
    told = f"{count} {'tile' if count == 1 else 'tiles'}, written {moment(now())}"
    cards = "".join("".join(_card(tile)) for tile in board["tiles"]) or "<p>Nothing is pinned to this board.</p>"
    return (
        f"{head(board['title'], _STYLE)}<h1>{escape(board['title'])}</h1>\n<p class=facts>{told}</p>\n"
        f"<main>{cards}</main>\n</html>\n"
    )


def moment(at: str) -> str:
    """A record's time for people."""
    return f"{at[:10]} {at[11:16]} UTC"


def _card(tile: dict[str, Any]) -> Iterator[str]:
    result, failure = tile["result"], tile["failure"]
    yield f"<article><h2>{escape(tile['title'])}</h2>\n"
    if failure:
        kept = "What is shown is the result before that." if result else "It has no result yet."
        yield f"<p class=bad>Failed at {moment(failure['at'])}: {escape(failure['message'])} {kept}</p>\n"
    if tile["changed"]:
        yield f"<p class='bad changed'>The data is not as it was when this was pinned: {escape(tile['changed'])}.</p>\n"
    if result:
        yield from _result(result, tile)
    elif not failure:
        yield "<p>Not run yet.</p>\n"
    yield items(tile["caveats"])
    yield from _proof(tile)
    yield "</article>\n"


def _result(result: dict[str, Any], tile: dict[str, Any]) -> Iterator[str]:
    names, rows, count = [column["name"] for column in result["columns"]], result["rows"], result["row_count"]
    if count == 1 and len(names) == 1 and tile["display"] != "table":
        yield f"<p class=one>{escape(show(rows[0][0]))}</p>\n"
    elif result["chart"]:
        yield f"<figure>{_drawn(result['chart'], tile['tile_id'])}</figure>\n"
        yield f"<details><summary>Rows</summary>{''.join(table(names, rows))}</details>\n"
    else:
        yield "".join(table(names, rows)) or "<p>No rows match.</p>\n"
    left = f", the first {len(rows):,} shown" if count > len(rows) else ""
    yield f"<p class=facts>{count:,} {'row' if count == 1 else 'rows'}{left}, run {moment(result['ran_at'])}</p>\n"


def _drawn(chart: dict[str, Any], tile_id: str) -> str:
    """Charts of one file must not share the names of their clips and gradients."""
    return _NAMED.sub(rf"\g<1>{tile_id}-", image_of(chart, "svg").decode())


def _proof(tile: dict[str, Any]) -> Iterator[str]:
    asked = f"<p>{escape(tile['question'])}</p>" if tile["question"] else ""
    reads = f"<p>Reads {escape(', '.join(tile['reads']))}</p>" if tile["reads"] else ""
    read = f"{asked}{items(tile['reading'])}{reads}<pre>{escape(tile['sql'])}</pre>"
    yield f"<details><summary>SQL and reading</summary>{read}</details>\n"
