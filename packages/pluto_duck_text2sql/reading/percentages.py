"""What is told in percent of something adds up to no amount: `total commission` of a column `commission_pct`.

Such a sum counts against a tree (unasked.py), and where nothing else is found it is declined (decision.py), unless the
question itself speaks of percentages, or what it is taken of is known (percent_amounts.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pluto_duck_text2sql.language.words import Token, name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Query, all_nodes_in

_PERCENT = frozenset(map(stem, "percent percentage percentages pct perc".split()))


def added_percentages(query: Query, tokens: Iterable[Token]) -> Iterator[str]:
    """The columns of percentages that a tree adds up, where the question names none."""
    if _PERCENT.isdisjoint(token.stem for token in tokens):
        summed = (each.of for each in all_nodes_in(query) if isinstance(each, Agg) and each.function == "sum")
        yield from (of.name for of in summed if isinstance(of, Col) and not _PERCENT.isdisjoint(name_stems(of.name)))
