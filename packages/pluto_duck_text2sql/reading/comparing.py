"""What restricts rows by how much or how many: `more than 5 orders`, `over 90 seconds`, `turnover over 1000`."""

from __future__ import annotations

from functools import cached_property

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.period_conditions import SaidPeriods
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Expr, Query, Related, Rows, columns_in
from pluto_duck_text2sql.trees.phrases import shown_name
from pluto_duck_text2sql.trees.units import as_stored, unit_said


class Comparisons(SaidPeriods):
    """Conditions by how much or how many, in the unit of what is compared."""

    def _comparison(self, cue: Cue, item: Mention | None, query: Query) -> Cond | None:
        """What a comparison restricts rows by; None where it restricts groups, or says nothing of a column."""
        self.claimed.update(range(cue.start, cue.end))
        rows = self._table(item) if item is not None and self._has_table(item) and cue.kind == "cmp" else None
        if item and rows and rows.key != query.anchor:
            distinct = bool(cue.data.get("distinct"))
            return Related(rows.key, self._kept(item), count=(cue.data["op"], cue.data["n"]), distinct=distinct)
        if often := self._often(cue, query) if item is None else None:
            return often
        if bound := self._bound_of_groups(cue, item, rows, query):
            self._having.append(bound)
            return None
        if cue.kind == "cmp" and item is None and (self._says_money(cue) or self._says_total(cue)):
            money = self._money_compared(cue, query)
            if money or self._having:
                return money
        if cue.kind == "cmp_avg":
            return self._against_average(cue, item, query)
        return self._bound_of_column(cue, item, query)

    def _bound_of_groups(self, cue: Cue, item: Mention | None, rows: Table | None, query: Query) -> Compare | None:
        """How many rows each has that is shown, a measure of the glossary, or a total that was told before."""
        if rows and query.select and (query.group or all(isinstance(each, Col) for each in query.select)):
            self.is_certain |= bool(query.group)
            return Compare(Agg("count", Rows(rows.key)), cue.data["op"], cue.data["n"])
        defined = self._defined_beside(cue, item)
        if defined and cue.kind == "cmp":
            return Compare(defined, cue.data["op"], cue.data["n"])
        total = self.compared.get(cue.start)
        if total is None or cue.kind == "between":
            return None
        of_all = Query(next(columns_in(total)).table, (total,))
        return Compare(total, cue.data["op"], of_all if cue.kind == "cmp_avg" else cue.data["n"])

    def _bound_of_column(self, cue: Cue, item: Mention | None, query: Query) -> Compare | None:
        """A column at most, at least, or between."""
        column = self._compared_column(cue, item)
        if column is None:
            return None
        if cue.kind != "between":
            return Compare(column, cue.data["op"], self._as_stored(cue, cue.data["n"], column))
        low, high = (self._as_stored(cue, cue.data[each], column) for each in "ab")
        self.lines.append(f"{shown_name(column.table)}.{column.name} from {low:g} to {high:g}")
        self._extra.append(Compare(column, "<=", high))
        return Compare(column, ">=", low)

    def _as_stored(self, cue: Cue, number: float, column: Col) -> float:
        """The number in the column's unit, where another one is said after it: `three quarters of an hour`."""
        unit = unit_said(self.tokens[cue.end].lower) if cue.end < len(self.tokens) else ""
        table = self.reader.catalog.table(*column.table)
        stored = table.column(column.name) if table and unit else None
        if stored is None:
            return number
        self.claimed.add(cue.end)
        made = as_stored(number, unit, stored)
        if made != number:
            self.is_certain = True
            self.lines.append(f"{number:g} {unit} → {made:g} of {shown_name(column.table)}.{column.name}")
        return made

    def _defined_beside(self, cue: Cue, item: Mention | None) -> Expr | None:
        """The glossary's measure that is compared: `turnover over 1000`, `more than 1000 of turnover`."""
        before = [each for each in self.mentions if each.term and 0 <= cue.start - each.end <= 1]
        return self._defined(item) or (self._defined(before[-1]) if before and item is None else None)

    @cached_property
    def _extra(self) -> list[Cond]:
        """What comparisons say besides: the upper ends of ranges."""
        return []

    def _kept(self, item: Mention) -> tuple[Cond, ...]:
        """What the glossary asks of the rows that a mention names, for whoever relates to them."""
        self.slots.filters = [each for each in self.slots.filters if each[0] is not item]
        return item.term.options[0] if item.term and item.term.options else ()
