"""`before tax`, `excluding VAT`, `including tax`: the amount without the tax that is kept beside it, or with it.

Where a table keeps such an amount it is taken, else it is what two columns make: `total_amt` less `tax_amt`. An amount
of which no name tells whether the tax is in it (`amount`) is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import Agg, Col, Expr, Minus, Plus, Query, Rows, columns_in, mapped

_ENDS = r"(?=\)?(?:\W*$|[,;:.?!]| (?:by|per|for|in|from|each|on|last|this|during|since|until|and|as)\b))"
"""What is said of amounts ends there: `clients without tax number`, `orders with tax above 10` say nothing of them."""
_TAX = rf"(?:the )?(?:sales |value[- ]added )?(?:tax|taxes|vat|gst)\b{_ENDS}"
_BEFORE = Pattern(rf",? ?\(?\b(?:before|excluding|without|excl\.?|ex|net of|exclusive of) {_TAX}\)?", re.IGNORECASE)
_WITH = Pattern(
    rf",? ?\(?\b(?:(?:including|with|incl\.?|inclusive of|plus|after adding) {_TAX}"
    r"|(?:tax|taxes|vat|gst) included\b)\)?",
    re.IGNORECASE,
)
_TAXES = frozenset(map(stem, ("tax", "vat", "gst")))
_NO_AMOUNT = frozenset(map(stem, "rate percent percentage pct id number code class exempt free region office".split()))
GROSS = frozenset(map(stem, "total gross grand payable due inclusive including incl".split()))
_NET = frozenset(map(stem, "net subtotal sub exclusive excluding excl ex base before without".split()))
_LEFT = "No tax is kept beside the amount, which is told as it is."


class Taxes(Compounds):
    """Answers questions about amounts that say whether the tax is in them."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The amounts so; None where nothing is said of the tax, a column is called as the question says, or no amount
        is asked."""
        before = _BEFORE.search(question)
        said = before or _WITH.search(question)
        if said is None or any(self._is_called_so(each) for each in _leading(plain)):
            return None
        part = self._part(tidy(question[: said.start()] + question[said.end() :]), run)
        if part is None or not self._has_amounts(part.tree):
            return None
        query = self._taxed(part.tree, is_in=before is None)
        made = self.candidate(query, [part], (), run) if query != part.tree else None
        found = made or replace(part, assumptions=(*part.assumptions, _LEFT))
        return Analysis("answered", (found, *plain.candidates), links=plain.links)

    def _has_amounts(self, query: Query) -> bool:
        """Whether a number of the rows is shown, or what is made of such; how many there are is none."""
        shown = (each for each in query.select if not isinstance(each, Agg) or each.function != "count")
        return any(self._is_number(column) for each in shown for column in columns_in(each))

    def _is_number(self, column: Col | Rows) -> bool:
        stored = self.reader.catalog.column(*column.table, column.name) if isinstance(column, Col) else None
        return stored is not None and stored.kind == "number"

    def _is_called_so(self, column: Col) -> bool:
        stems = set(name_stems(column.name))
        return bool(stems & _TAXES and stems & (_NET | GROSS))

    def _taxed(self, query: Query, is_in: bool) -> Query:
        """With or without the tax, wherever an amount is shown or sorted by."""

        def changed(node: Any) -> Any:
            return replace(node, of=self._amount(node.of, is_in)) if isinstance(node, Agg) else node

        query = mapped(query, changed, (Agg,))
        return replace(query, select=tuple(self._amount(each, is_in) for each in query.select))

    def _amount(self, of: Expr, is_in: bool) -> Expr:
        table = self.reader.catalog.table(*of.table) if isinstance(of, Col) else None
        tax = _tax(table) if table else None
        own = tax.name if tax else ""
        if not isinstance(of, Col) or table is None or of.name == own:
            return of
        stems = set(table.stems(of.name))
        has, wants, lacks = (GROSS, _NET, _NET) if not is_in else (_NET, GROSS, GROSS)
        if stems & lacks or not stems & has:
            return of
        kept = [each.name for each in amounts(table) if each.name != own and set(table.stems(each.name)) & wants]
        if len(kept) == 1 or tax is None:
            return Col(of.table, kept[0]) if len(kept) == 1 else of
        beside = Col(of.table, tax.name)
        return Plus(of, beside) if is_in else Minus(of, beside)


def _leading(plain: Analysis) -> list[Col]:
    """The columns of the likeliest answer."""
    every = columns_in(plain.candidates[0].tree) if plain.candidates else ()
    return [each for each in every if isinstance(each, Col)]


def _tax(table: Table) -> Column | None:
    """The one amount of tax that a table keeps."""
    found = [each for each in amounts(table) if _TAXES & set(table.stems(each.name))]
    plain = [each for each in found if not (GROSS | _NET) & set(table.stems(each.name))]
    return plain[0] if len(plain) == 1 else None


def amounts(table: Table) -> list[Column]:
    """The numbers that a table keeps, but rates, keys and codes."""
    return [each for each in table.columns if each.kind == "number" and not _NO_AMOUNT & set(table.stems(each.name))]
