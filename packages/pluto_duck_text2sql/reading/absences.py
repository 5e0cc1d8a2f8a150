"""What restricts rows by what there is none of: `never bought a Latin track`, `without an owner`."""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.qualifiers import FLAG
from pluto_duck_text2sql.data.yes_no import denied, yes_of
from pluto_duck_text2sql.language.words import table_stems
from pluto_duck_text2sql.reading.comparing import Comparisons
from pluto_duck_text2sql.reading.deeds import TRADED
from pluto_duck_text2sql.tree import (
    Among,
    Col,
    Compare,
    Cond,
    During,
    Missing,
    Product,
    Query,
    Related,
    TableKey,
    columns_in,
)


class Absences(Comparisons):
    """Conditions by what there is none of."""

    def _absent(self, query: Query, conditions: list[Cond]) -> list[Cond]:
        """With what there must be none of: `never bought a Latin track` is no such row that is Latin."""
        absent = self._absences(query)
        if self.never and not absent and not self.slots.absent and self._all_after_never():
            deed = self._deed(self.never.start)
            absent = [Related(deed, negated=True)] if deed else []
        return self._without_such(query, conditions, absent)

    def _without_such(self, query: Query, conditions: list[Cond], absent: list[Cond]) -> list[Cond]:
        """What there is none of, with what is said of it: `never bought a Latin track`."""
        bare = [each for each in absent if isinstance(each, Related) and each.negated and not each.where]
        theirs = [each for each in conditions if self._is_elsewhere(each, query)]
        if len(bare) != 1 or not theirs or not self._all_after_never(query.anchor):
            return [*conditions, *absent]
        farthest = max(
            (next(columns_in(each)).table for each in theirs),
            key=lambda key: self.reader.joins.distance(query.anchor, key),
        )
        rest = [each for each in (*conditions, *absent) if each not in theirs and each is not bare[0]]
        return [*rest, Related(farthest, tuple(map(_said, theirs)), negated=True)]

    def _is_elsewhere(self, condition: Cond, query: Query) -> bool:
        """Whether a plain condition is on another table than the one listed."""
        plain = isinstance(condition, Compare | Among | During)
        return plain and next(columns_in(condition)).table != query.anchor

    def _all_after_never(self, but: TableKey | None = None) -> bool:
        """Whether values, those of the table `but` aside, and periods all come after the word that there are none."""
        values = [item for item, _ in self.slots.values if but not in {(hit.schema, hit.table) for hit in item.hits}]
        starts = [*(item.start for item in values), *(each.start for each in self.periods)]
        return self.never is not None and all(start > self.never.start for start in starts)

    def _absences(self, query: Query) -> list[Cond]:
        made = [each for item in self.slots.absent if (each := self._absence(item, query))]
        sold = self.never is not None and any(token.stem in TRADED for token in self.tokens[self.never.end - 1 :])
        line = self._sale_lines() if sold else None
        named = {each.table for each in made if isinstance(each, Related)}
        if line and line != query.anchor and all(self.reader.joins.reaches(line, key) for key in named):
            farther = not named or all(
                self.reader.joins.distance(query.anchor, line) > self.reader.joins.distance(query.anchor, key)
                for key in named
            )
            own = any(item in self.slots.absent and self._names_sales(item) for item in self.slots.absent)
            if farther and not own:
                return [Related(line, negated=True)]
        return list(made)

    def _names_sales(self, item: Mention) -> bool:
        return any(
            target.column is None and target.score >= 0.9 and set(table_stems(target.table.name)) & TRADED
            for target in item.targets
        )

    def _sale_lines(self) -> TableKey | None:
        """The table whose rows are things sold: the one with a price and a quantity, or of orders."""
        options = [each for each in self.reader.resolver.money() if isinstance(each, Product)]
        if options:
            return options[0].price.table
        amounts = self.reader.resolver.money()
        return next(columns_in(amounts[0])).table if amounts else None

    def _absence(self, item: Mention, query: Query) -> Cond | None:
        if self._has_table(item):
            table = self._table(item)
            if table and table.key != query.anchor:
                return Related(table.key, self._kept(item), negated=True)
            return None
        times = [t for t in item.targets if t.column and t.column.is_time and t.table.key == query.anchor]
        column = Col(query.anchor, times[0].column.name) if times and times[0].column else self._column(item)
        if column is None:
            return None
        flag = next(
            (each for each in item.targets if each.column and Col(each.table.key, each.column.name) == column), None
        )
        if flag and flag.column and flag.score >= FLAG and yes_of(flag.column) is not None:
            return denied(column, flag.column)
        if column.table == query.anchor:
            return Missing(column)
        return Related(column.table, negated=True)


def _said(condition: Cond) -> Cond:
    """The condition itself, where "never" before it made its contrary of it."""
    if isinstance(condition, Compare) and condition.operator == "!=":
        return replace(condition, operator="=")
    return replace(condition, negated=False) if isinstance(condition, Among) else condition
