"""When the one shown did something: `when did that one open?` after the practice with the most no-shows."""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.referents import rows_meant
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem
from pluto_duck_text2sql.tree import Col, Query

_ASKS = Pattern(
    rf"{LEAD}(?:when|on (?:which|what) day|what day) (?:did|was|were|is|does)"
    r" (?:it|he|she|they|(?:that|this) [a-z]+) (?:first |been )?(?P<verb>[a-z]+)(?: up)?$",
    re.IGNORECASE,
)


def when_it_did(turn: Turn) -> Draft | None:
    """The day on which the only row that is shown did what is asked; None where no date of its own is called so."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    inside = shown_rows(query, turn.reader) if said and query.limit == 1 else None
    of = rows_meant(query, turn.reader)
    table = turn.reader.catalog.table(*of)
    if said is None or inside is None or table is None or inside.left.table != of:
        return None
    dates = [each for each in table.columns if each.is_time and stem(said["verb"].lower()) in table.stems(each.name)]
    if len(dates) != 1:
        return None
    day = Col(of, dates[0].name)
    line = f"rows → {of[1]}: {listed([day])}"
    return Draft(query).changed(Query(of, (day,), (inside,)), line, range(len(turn.fragment.tokens)))
