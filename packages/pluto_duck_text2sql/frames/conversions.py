"""Conversion rates: `conversion rate by device` is the percentage of sessions with an order.

Where visits are kept and one kind of purchase points at them, and nothing stored is called a conversion. The number of
visits is a question of its own; what part of them has a purchase stands in its place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.rewording.busiest import belongs
from pluto_duck_text2sql.tree import Agg, Query, Ratio, Related, Rows, TableKey, mapped

_RATE = Pattern(
    r"(?:^what(?:'s| is| was) )?(?:\b(?:the|our) )?(?:\b(?:overall|average|total) )?\b(?:conversion rates?|cvr)\b",
    re.IGNORECASE,
)
_CONVERSION = stem("conversion")
_VISITS = frozenset(map(stem, ("session", "visit")))
_PURCHASES = frozenset(map(stem, "order purchase sale transaction booking reservation".split()))


class Conversions(Compounds):
    """Answers questions for what part of the visits ended in a purchase."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rate, in the groups and the period asked for; None where none is asked for, or nothing here tells it."""
        main, phrases = split_spec(question)
        pair = self._pair() if _RATE.search(main) else None
        if pair is None:
            return None
        rows = " ".join(table_words(pair[0].name))
        part = self._part(_RATE.sub(f"number of {rows}", main), run)
        query = part_with(part.tree, pair[0].key, Related(pair[1].key)) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _pair(self) -> tuple[Table, Table] | None:
        """The visits and the purchases that point at them; None where there are others, or conversions are stored."""
        tables, named = self.reader.catalog.tables, self.reader.names.called
        if named((_CONVERSION,)) or named((_CONVERSION, stem("rate"))):
            return None
        visits = [each for each in tables if _VISITS.intersection(table_stems(each.name)[-1:])]
        sold = [each for each in tables if _PURCHASES.intersection(table_stems(each.name)[-1:])]
        pairs = [(visit, each) for visit in visits for each in sold if belongs(each, visit)]
        return pairs[0] if len(pairs) == 1 else None


def part_with(tree: Query, rows: TableKey, others: Related, scale: int = 100) -> Query | None:
    """The tree with what part of its rows `others` belong to in place of their number; None where it counts none."""

    def change(node: Any) -> Any:
        if not isinstance(node, Agg) or node.of != Rows(rows):
            return node
        return Ratio(Agg("count", node.of, where=(*node.where, others)), node, scale)

    made: Query = mapped(tree, change)
    return replace(made, anchor=rows) if made != tree and not tree.outer else None
