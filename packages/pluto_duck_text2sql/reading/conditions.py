"""What restricts the rows: stored values, periods, comparisons, flags, what never happened, what exists."""

from __future__ import annotations

from pluto_duck_text2sql.reading.absences import Absences
from pluto_duck_text2sql.reading.deeds import TRADED
from pluto_duck_text2sql.tree import Cond, Every, Query, Related, TableKey, columns_in
from pluto_duck_text2sql.trees.expressions import contrary
from pluto_duck_text2sql.trees.phrases import flat

_WHATEVER = frozenset("something anything ever".split())


class Conditions(Absences):
    """Builds the conditions of a query."""

    def _conditions(self, query: Query) -> list[Cond]:
        conditions: list[Cond] = [*self._value_conditions(query), *self._period_conditions(query)]
        conditions += self._cycle_conditions(query)
        conditions = self._absent(query, conditions)
        conditions += [made for cue, item in self.slots.compares if (made := self._comparison(cue, item, query))]
        conditions += self._presences(query)
        conditions += self._flags(query)
        conditions += self._numbered()
        conditions += [made for each in self.slots.likes if (made := self._like(*each))]
        conditions += self._term_conditions(query)
        conditions += self._existence(query, conditions)
        return self._into_deeds(query, conditions)

    def _term_conditions(self, query: Query) -> list[Cond]:
        """What the glossary's restrictions ask, each of the table nearest to what is asked."""
        near, made = [query.anchor, *self.near], list[Cond]()
        for item, is_negated in self.slots.filters:
            self.claimed.update(range(item.start, item.end))
            option = min(item.term.options if item.term else (), key=lambda each: self._steps_to(each, near))
            whole = option[0] if len(option) == 1 else Every(option)
            made += [contrary(whole)] if is_negated else option
        return made

    def _steps_to(self, option: tuple[Cond, ...], near: list[TableKey]) -> float:
        tables = {each.table for each in columns_in(option)}
        return sum(min(self.reader.joins.distance(a, b) + 0.1 * n for n, a in enumerate(near)) for b in tables)

    def _existence(self, query: Query, conditions: list[Cond]) -> list[Cond]:
        """Tables that only restrict (`students who have a dog`), unless something else already reaches them."""
        extra = list(self._extra)
        reached = {each.table for part in (query, tuple(conditions)) for each in columns_in(flat(part))} | {
            query.anchor
        }
        reached |= {each.table for each in conditions if isinstance(each, Related) and not each.negated}
        undone = {each.table for each in conditions if isinstance(each, Related) and each.negated}
        for item in self.slots.also:
            if set(range(item.start, item.end)) <= self.claimed or not self._has_table(item):
                continue
            table = self._table(item)
            path = self.reader.joins.path(query.anchor, table.key) if table and table.key not in reached else None
            if table and path and undone.isdisjoint(step.target for step in path[:-1]):
                extra.append(Related(table.key))  # who never booked a class need no booking of one
        deed = self._deed(len(self.tokens)) if self.never is None and self._trades_anything() else None
        return [*extra, Related(deed)] if deed and deed not in reached and deed != query.anchor else extra

    def _trades_anything(self) -> bool:
        """`clients who bought something`, `who ever ordered`: that there was a purchase, whatever it was of."""
        beside = ((n - 1, n + 1) for n, token in enumerate(self.tokens) if token.stem in TRADED)
        return any(self.tokens[n].lower in _WHATEVER for pair in beside for n in pair if 0 <= n < len(self.tokens))
