"""`insurance included`, `including the insurance`: an amount with another that is kept beside it.

What is called a total or gross already is left as it is. Taxes are taxes.py's: these may be in an amount or not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.taxes import GROSS, amounts
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import Agg, Col, Plus, Query, mapped

_ENDS = r"(?=\)?(?:\W*$|[,;:.?!]| (?:by|per|for|in|from|each|on|last|this|during|since|until)\b))"
_WHAT = r"(?P<{}>[a-z]+(?: [a-z]+)?)"
_SAID = Pattern(
    r",? ?\(?\b(?:(?:including|inclusive of|plus|counting in|together with) (?:the |any |all |our )?"
    rf"{_WHAT.format('what')}{_ENDS}"
    rf"|(?:the )?{_WHAT.format('what2')} (?:included|on top|added)\b)\)?",
    re.IGNORECASE,
)


class Extras(Compounds):
    """Answers questions about amounts with what comes on top of them."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The amounts so; None where nothing that is kept beside them is said to be in them."""
        said = _SAID.search(question)
        stems = frozenset(name_stems(said["what"] or said["what2"])) if said else frozenset()
        if said is None or not self._is_amount(stems):
            return None
        part = self._part(tidy(question[: said.start()] + question[said.end() :]), run)
        query = self._with(part.tree, stems) if part else None
        if part is None or query is None or query == part.tree:
            return None
        made = self.candidate(query, [part], (), run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _is_amount(self, stems: frozenset[str]) -> bool:
        return any(_called(amounts(table), table, stems) for table in self.reader.catalog.tables)

    def _with(self, query: Query, stems: frozenset[str]) -> Query:
        """The tree with what comes on top wherever amounts are added up."""

        def added(node: Any) -> Any:
            of = node.of if isinstance(node, Agg) and node.function in ("sum", "avg", "median", "max", "min") else None
            table = self.reader.catalog.table(*of.table) if isinstance(of, Col) else None
            if not isinstance(of, Col) or table is None or GROSS & set(table.stems(of.name)):
                return node
            beside = [each for each in _called(amounts(table), table, stems) if each != of.name]
            return replace(node, of=Plus(of, Col(of.table, beside[0]))) if len(beside) == 1 else node

        return mapped(query, added, (Agg,))


def _called(columns: Sequence[Column], table: Table, stems: frozenset[str]) -> list[str]:
    """The names of those columns that are called so."""
    return [each.name for each in columns if stems <= set(table.stems(each.name))]
