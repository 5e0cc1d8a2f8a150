"""The figure before in the place of which one divided stands: `and cost per click?` after the spend of each channel,
`per order instead` after the revenue of each country.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.frames.per_piece import counted_by
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import FILLER, STOP
from pluto_duck_text2sql.tree import Agg, Col, Query, Ratio, Rows, mapped
from pluto_duck_text2sql.trees.parts import measures, subject

_PER = ("per", "each", "every")
_OF_THAT = Pattern(r"\b(?:is|was|does|makes?|of|and|give) (?:that|this|it) (?:per|for each|for every)\b", re.IGNORECASE)


def divided(turn: Turn) -> Draft | None:
    """The amount that is named by the number of what its rows count, in the groups before; None where none is asked."""
    place, figures = _last_per(turn), measures(turn.earlier)
    if place is None or len(figures) != 1 or not isinstance(figures[0], Agg):
        return None
    quotient = _by_column(turn, place) or _by_rows(turn, place, figures[0])
    if quotient is None:
        return None
    made: Query = mapped(turn.earlier, lambda node: quotient if node == figures[0] else node)
    used = range(len(turn.fragment.tokens))
    return Draft(turn.earlier).changed(made, f"measured → {listed([quotient])}", used)


def _last_per(turn: Turn) -> int | None:
    """Where `per` stands, with one word behind it."""
    tokens = turn.fragment.tokens
    place = next((n for n, token in enumerate(tokens[:-1]) if token.lower in _PER), None)
    if place is None or any(each.lower not in STOP and each.stem not in FILLER for each in tokens[place + 2 :]):
        return None
    return place


def _by_column(turn: Turn, place: int) -> Ratio | None:
    """The amount named by what a column counts: `cost per click`."""
    counted = counted_by(turn.reader, turn.fragment.tokens[place + 1].lower)
    amount = _amount(turn, place, counted) if counted else None
    return Ratio(Agg("sum", amount), Agg("sum", counted)) if amount and counted else None


def _by_rows(turn: Turn, place: int, figure: Agg) -> Ratio | None:
    """The sum before by the number of the rows that it is of, or that these belong to: `per order`. Of rows that have
    a name each would be a group, where it does not say `how much is that per customer`."""
    named = [each for each in turn.fragment.mentions if each.start == place + 1 and turn.fragment.names_rows(each)]
    table = turn.fragment.table_of(named[0]) if named else None
    rows = subject(turn.earlier)
    steps = turn.reader.joins.path(rows, table.key) if table else None
    key = turn.reader.resolver.key(table) if table else []
    if table is None or figure.function != "sum" or len(key) != 1 or any(each.multiplies for each in steps or ()):
        return None
    own = Col(table.key, key[0])
    is_named = turn.reader.resolver.label(table) != [own]
    if steps is None or (is_named and not _OF_THAT.search(turn.frame.text)):
        return None
    counted: Rows | Col = Rows(rows) if table.key == rows else own
    return Ratio(figure, Agg("count", counted, distinct=table.key != rows, where=figure.where))


def _amount(turn: Turn, place: int, counted: Col) -> Col | None:
    """The number named before it that the same rows keep."""
    before = (each for each in turn.fragment.mentions if each.end <= place)
    named = (turn.fragment.named(each, ("number",)) for each in before)
    return next((each for each in named if each and each.table == counted.table and each != counted), None)
