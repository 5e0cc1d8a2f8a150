"""What part of each group's rows meets a condition: `share of late orders per shipper`, `percentage late, by shipper`.

Made of one question, `number of late orders per shipper`: what restricts its count restricts the upper part alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.corrections.bases import of_base
from pluto_duck_text2sql.frames.compounds import Compounds, grouped_last, split_order
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Expr,
    Later,
    Query,
    Ratio,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import home

_PART = r"(?P<part>share|percentage|percent|proportion|fraction|part|rate)"
_EACH = r"(?:by|per|for each|for every|in each|in every|across|grouped by)"
_RATE = Pattern(
    rf"^(?:(?:what|which)(?: is| was)? |show (?:me )?|give (?:me )?|list )?(?:the )?{_PART} of (?:all |the |our )*"
    rf"(?P<rows>.+?),? (?P<tail>{_EACH} .+?)(?:,? (?:as|in) (?:a |an )?(?P<as>fraction|percentage|percent|share))?$",
    re.IGNORECASE,
)
_NO_DAYS = (int, float, str, Col, Later, Query, Agg)
"""What a time is set against where no day is told, but another column, or what is later than it."""


class Rates(Compounds):
    """Answers questions about a part of each group."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The part of each group; None where the question asks no such, or `plain` shows it."""
        main, phrases = split_spec(question)
        ordered = split_order(same(main))
        found = _RATE.match(grouped_last(ordered.text))
        if found is None or _shows_part(plain):
            return None
        part = self._part(f"how many {found['rows']} {found['tail']}", run)
        percent = (found["as"] or found["part"]).lower().startswith("percent")
        query = rate(part.tree, 100 if percent else 1, self) if part else None
        query = of_base(query, question) if query else None
        made = self.candidate(ordered.of(query), [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def rate(tree: Query, scale: int, parts: Compounds) -> Query | None:
    """The part of each group's rows that meets what restricts the tree; None where it counts no rows, or all."""
    counts = [each for each in tree.select if is_total(each)]
    at = home(tree)
    plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
    if not plain or not tree.group or len(counts) != 1 or at is None:
        return None
    count = counts[0]
    if not isinstance(count, Agg) or count.function != "count" or count.where:
        return None
    doers = _doers(count, tree, parts)
    restricts = (*(each for each in tree.where if not _is_period(each, at)), *doers)
    if not restricts:
        return None
    whole = Agg("count", Rows(tree.anchor)) if doers else count
    part = Ratio(replace(whole, where=parts.of_rows(at, restricts)), whole, scale)
    select: tuple[Expr, ...] = tuple(part if each == count else each for each in tree.select)
    kept = tuple(each for each in tree.where if each not in restricts)
    order = tuple(each for each in tree.order if isinstance(each.by, Bucket | Col))
    anchor = at if tree.flat and not doers else tree.anchor  # what must be there is looked for from the rows counted
    return replace(tree, anchor=anchor, select=select, where=kept, order=order)


def _doers(count: Agg, tree: Query, parts: Compounds) -> tuple[Cond, ...]:
    """What makes some of the rows those that did something, where these are counted by what they did."""
    by = count.of
    if not isinstance(by, Col) or not count.distinct or parts.reader.joins.pointer(by.table, tree.anchor) != by:
        return ()
    return (Related(by.table),)


def _is_period(condition: Cond, at: TableKey) -> bool:
    """Whether it says when the rows themselves were; when somebody did something tells who did."""
    if any(isinstance(each, Col) and each.table != at for each in columns_in(condition)):
        return False
    dates = isinstance(condition, Compare) and not isinstance(condition.right, _NO_DAYS)
    return (
        isinstance(condition, During)
        or dates
        or (isinstance(condition, Either) and all(isinstance(each, During) for each in condition.any_of))
    )


def _shows_part(plain: Analysis) -> bool:
    """Whether an answer shows a part of each group already."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    return (
        tree is not None
        and bool(tree.group)
        and any(
            isinstance(each, Ratio) and isinstance(each.top, Agg) and bool(each.top.where)
            for each in nodes_in(tree.select)
        )
    )
