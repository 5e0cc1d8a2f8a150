"""Two sums that are divided are of the same rows: `ROAS on TikTok` is what ads on TikTok brought in by what they cost.

Called by `corrections` for every tree. A condition of the divisor alone would have the sum of all rows divided by that
of some, which no question asks. Pure.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.tree import Agg, Col, Query, Ratio


def of_the_same_rows(query: Query) -> Query:
    """The tree with the condition of a divisor as its own, where its one figure is a quotient of two sums."""
    ratio = query.select[-1] if query.select else None
    others = [each for each in query.select[:-1] if not isinstance(each, Col)]
    if others or query.then or not isinstance(ratio, Ratio) or not isinstance(ratio.bottom, Agg):
        return query
    top, bottom = ratio.top, ratio.bottom
    if not isinstance(top, Agg) or top.where or not bottom.where or not _are_sums_of_a_row(top, bottom):
        return query
    plain = replace(ratio, bottom=replace(bottom, where=()))
    order = tuple(replace(each, by=plain) if each.by == ratio else each for each in query.order)
    return replace(query, select=(*query.select[:-1], plain), where=(*query.where, *bottom.where), order=order)


def _are_sums_of_a_row(one: Agg, other: Agg) -> bool:
    """Whether they add up two different columns of the same rows."""
    if not isinstance(one.of, Col) or not isinstance(other.of, Col) or one.of == other.of:
        return False
    return one.function == other.function == "sum" and one.of.table == other.of.table
