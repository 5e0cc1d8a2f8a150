"""Things told by what they did: `clients who bought something in 2024`, `orders worth more than 500 in total`.

A deed is a row of another table that belongs to the thing asked for. Conditions said of the deed go into it: its
period, its amount, its kind; several deeds that must all be there have each their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.words import MONEY, stem
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.ranking import Ranking
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Expr,
    Inside,
    Missing,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
)

TRADED = frozenset(stem(each) for each in "sold sell bought buy purchased purchase ordered order".split())
_WORTH = frozenset("worth totalling totaling costing valued total value amount".split())
_OFTEN, _TIMES = ("once", "twice"), ("time", "times")
_UNREACHED = 90


class Deeds(Ranking):
    """What belongs to the rows that are asked for."""

    def _deed(self, place: int) -> TableKey | None:
        """The table of what the thing asked for did, said last before `place`."""
        if self.entity is None:
            return None
        told = [each for each in self.mentions if each is not self.slots.entity and each.end <= place]
        for item in reversed([each for each in told if self._has_table(each)]):
            best = self.reader.resolver.best(self.reader.resolver.targets_of(item, tables=True), self.near, None)
            if self._belongs(best[0][1].table.key, self.entity.key):
                return best[0][1].table.key
            break
        start = self.slots.entity.end if self.slots.entity else 0
        traded = any(token.stem in TRADED for token in self.tokens[start:place])
        return self._sales_of(self.entity) if traded else None

    def _belongs(self, key: TableKey, owner: TableKey) -> bool:
        return self.reader.joins.belongs(key, owner)

    def _sales_of(self, owner: Table) -> TableKey | None:
        """The table whose rows are what the owner bought, the nearest that has an amount and a date of its own."""
        tables = {next(columns_in(each)).table for each in self.reader.resolver.money()}
        near = sorted((self.reader.joins.distance(owner.key, key), key) for key in tables)
        return next((key for far, key in near if far < _UNREACHED and self._belongs(key, owner.key)), None)

    def _time_owner(self, period: Period, anchor: TableKey) -> TableKey:
        """The table whose date a period is of: of the deed where one was told before it."""
        deed = self._deed(period.start)
        table = self.reader.catalog.table(*deed) if deed and deed != anchor else None
        has_time = table is not None and any(column.is_time for column in table.columns)
        return table.key if table and has_time else anchor

    def _amount(self, key: TableKey) -> Expr | None:
        """What a row of a table is worth."""
        options = self.reader.resolver.money()
        return next((each for each in options if next(columns_in(each)).table == key), None)

    def _often(self, cue: Cue, query: Query) -> Cond | None:
        """`ordered more than twice`, `sold only three times`: how many rows there are of what was done."""
        is_counted = any(each.lower in _TIMES for each in self.tokens[cue.end : cue.end + 1])
        if cue.kind != "cmp" or not (is_counted or self.tokens[cue.end - 1].lower in _OFTEN):
            return None
        deed = self._deed(cue.start)
        if deed is None or deed == query.anchor:
            return None
        self.claimed.update([cue.end] if is_counted else [])
        return Related(deed, count=(cue.data["op"], cue.data["n"]))

    def _says_money(self, cue: Cue) -> bool:
        before = {token.lower for token in self.tokens[max(cue.start - 2, 0) : cue.start]}
        return bool(cue.data.get("money")) or bool(before & _WORTH)

    def _says_total(self, cue: Cue) -> bool:
        """Whether a comparison is of a sum: `in total`, `spent more than`."""
        verb = any(token.stem in MONEY for token in self.tokens[max(cue.start - 2, 0) : cue.start])
        return verb or any(each.kind == "total" for each in self.cues)

    def _money_compared(self, cue: Cue, query: Query) -> Cond | None:
        """`above ten dollars`, `worth more than 500 in total`: of each deed's amount, or of their sum."""
        deed = self._deed(cue.start)
        summed = self._says_total(cue)
        own = self.entity.key if self.entity and self._says_money(cue) else None
        money = self._amount(deed) if deed else self._amount(own) if own else None
        if money is None and (summed or not isinstance(query.select[0], Col)):
            money = self._money()
        if money is None:
            return None
        if summed:
            self._having.append(Compare(Agg("sum", money), cue.data["op"], cue.data["n"]))
            return None
        return Compare(money, cue.data["op"], cue.data["n"])

    def _into_deeds(self, query: Query, conditions: Sequence[Cond]) -> list[Cond]:
        """What is said of a deed restricts the rows that must be there, or be counted."""
        deeds = [each for each in conditions if isinstance(each, Related) and not each.negated]
        counted = [each for each in deeds if each.count] or (deeds if len(deeds) > 1 else [])
        if not counted:
            return list(conditions)
        moved = [each for each in conditions if self._is_of(each, counted, query)]
        rest = [each for each in conditions if each not in moved]
        others = [each for each in rest if each not in counted]
        return [*others, *(replace(each, where=(*each.where, *moved)) for each in counted)]

    def _is_of(self, condition: Cond, deeds: Iterable[Related], query: Query) -> bool:
        """Whether a plain condition is on a deed's own table, or on one that its rows point at."""
        if not isinstance(condition, Compare | Among | During | Missing | Either):
            return False
        tables = {each.table for each in columns_in(condition)}
        if len(tables) != 1 or query.anchor in tables:
            return False
        path = self.reader.joins.path
        return all(
            not any(step.multiplies for step in path(deed.table, key) or ()) and path(deed.table, key) is not None
            for deed in deeds
            for key in tables
        ) and any(step.multiplies for key in tables for step in path(query.anchor, key) or ())

    def _of_members(self, query: Query) -> Query:
        """How many things have such a total: those counted are among the groups that meet it."""
        counts = query.select == (Agg("count", Rows(query.anchor)),) and not query.group
        owner = self.reader.catalog.table(*query.anchor) if counts else None
        home = next(columns_in(self._having[0].left)).table
        key = self._pointer(home, owner) if owner else None
        if owner is None or key is None:
            return query
        inside = [each for each in query.where if all(column.table != owner.key for column in columns_in(each))]
        kept = [each for each in inside if not isinstance(each, Related)]
        names = self.reader.resolver.key(owner)
        found = Query(home, (key,), tuple(kept), (key,), tuple(self._having))
        left = [each for each in query.where if each not in inside]
        return replace(query, where=(*left, Inside(Col(owner.key, names[0]), found)))

    def _pointer(self, home: TableKey, owner: Table) -> Col | None:
        return self.reader.joins.pointer(home, owner.key)
