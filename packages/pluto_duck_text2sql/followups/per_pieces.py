"""The figure before in the place of which one divided stands: `and cost per click?` after the spend of each channel."""

from __future__ import annotations

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.frames.per_piece import counted_by
from pluto_duck_text2sql.language.words import FILLER, STOP
from pluto_duck_text2sql.tree import Agg, Col, Query, Ratio, mapped
from pluto_duck_text2sql.trees.parts import measures

_PER = ("per", "each", "every")


def divided(turn: Turn) -> Draft | None:
    """The amount that is named by the number of what its rows count, in the groups before; None where none is asked."""
    found, tokens = _pieces(turn), turn.fragment.tokens
    figures = measures(turn.earlier)
    if found is None or len(figures) != 1 or not isinstance(figures[0], Agg):
        return None
    place, counted = found
    amount = _amount(turn, place, counted)
    if amount is None:
        return None
    quotient = Ratio(Agg("sum", amount), Agg("sum", counted))
    made: Query = mapped(turn.earlier, lambda node: quotient if node == figures[0] else node)
    return Draft(turn.earlier).changed(made, f"measured → {listed([quotient])}", range(len(tokens)))


def _pieces(turn: Turn) -> tuple[int, Col] | None:
    """Where `per` stands, and the column that counts what it says last."""
    tokens = turn.fragment.tokens
    place = next((n for n, token in enumerate(tokens[:-1]) if token.lower in _PER), None)
    if place is None or any(each.lower not in STOP and each.stem not in FILLER for each in tokens[place + 2 :]):
        return None
    counted = counted_by(turn.reader, tokens[place + 1].lower)
    return (place, counted) if counted else None


def _amount(turn: Turn, place: int, counted: Col) -> Col | None:
    """The number named before it that the same rows keep."""
    before = (each for each in turn.fragment.mentions if each.end <= place)
    named = (turn.fragment.named(each, ("number",)) for each in before)
    return next((each for each in named if each and each.table == counted.table and each != counted), None)
