"""Comparisons with an average: of all, of the row's own group, or a multiple of it.

`longer than the average track of their own genre`, `more than twice the average`, `whose average price is above the
average of all`.
"""

from __future__ import annotations

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.reading.cues import ADJECTIVES, Cue
from pluto_duck_text2sql.reading.deeds import Deeds
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Fold, Own, Query, columns_in
from pluto_duck_text2sql.trees.units import DURATIONS, is_span, unit_said

_OWN = frozenset("own same their its his her respective".split())
_ITSELF = frozenset("own respective same".split())


class Against(Deeds):
    """Compares with averages."""

    def _against_average(self, cue: Cue, item: Mention | None, query: Query) -> Cond | None:
        """A row's number against the average of all rows, or of those of its own group."""
        times = float(cue.data.get("times", 1.0))
        shares = self._shared(cue)
        column = self._own_amount(cue, item) or self._compared_column(cue, None if shares is item else item)
        if column is None:
            return None
        by = self._own_group(shares, column) if shares else None
        if by is not None:
            return Compare(column, cue.data["op"], Own(Agg("avg", column), by, times))
        if times != 1.0:
            return Compare(column, cue.data["op"], Fold(times, Query(column.table, (Agg("avg", column),))))
        return Compare(column, cue.data["op"], Agg("avg", column))

    def _own_amount(self, cue: Cue, item: Mention | None) -> Col | None:
        """`orders worth more than the average order`: what a row of the table asked for is worth."""
        worth = self._says_money(cue) or (item is not None and self._has_table(item))
        amount = self._amount(self.entity.key) if worth and self.entity and self._adjective_of(cue) is None else None
        named = item is not None and not self._has_table(item)
        return amount if isinstance(amount, Col) and not named else None

    def _shared(self, cue: Cue) -> Mention | None:
        """`of their own genre`, `in its category`: what the rows of the same group share."""
        after = [each for each in self.mentions if each.start >= cue.end and each.start]
        return next((each for each in after if self.tokens[each.start - 1].lower in _OWN), None)

    def _own_group(self, item: Mention, column: Col) -> Col | None:
        """The column that tells the groups apart."""
        if self._has_table(item):
            table = self._table(item)
            by = self._pointer(column.table, table) if table else None
        else:
            by = self._column(item)
        if by is not None:
            self.slots.also = [each for each in self.slots.also if each is not item]
            self.claimed.update(n for n, token in enumerate(self.tokens) if token.lower in _ITSELF)
        return by

    def _compared_column(self, cue: Cue, item: Mention | None) -> Col | None:
        """The number compared: named after, measured by the adjective, or the last one named before."""
        kinds = ("number",)
        if item is not None and not self._has_table(item):
            return self._column(item, kinds)
        measured = self._adjective_of(cue) or self._span_of(cue)
        if measured:
            return measured
        before = [
            each
            for each in self.mentions
            if each.end <= cue.start + 1
            and any(t.column and t.column.kind in kinds for t in each.targets)
            and not all(self._is_table_or_key(t) for t in each.targets if t.column is None or t.column.kind in kinds)
        ]
        if not before:
            return None
        nearest = before[-1]
        if nearest in self.slots.shown and len(self.slots.shown) > 1 and cue.start - nearest.end <= 2:
            self.slots.shown.remove(nearest)
        return self._column(nearest, kinds)

    def _is_table_or_key(self, target: Target) -> bool:
        """Whether it is nothing that can be more or less than a number."""
        return target.column is None or self.reader.resolver.is_key(target.table, target.column.name)

    def _span_of(self, cue: Cue) -> Col | None:
        """What lasts `over five minutes`: the duration of the thing asked for."""
        spans = cue.end < len(self.tokens) and is_span(unit_said(self.tokens[cue.end].lower))
        return self._adjective_column(DURATIONS) if spans else None

    def _adjective_of(self, cue: Cue) -> Col | None:
        """What `longer`, `cheaper` measure, of the thing asked for."""
        adjective = cue.data.get("adj")
        return self._adjective_column(ADJECTIVES[adjective][0]) if adjective in ADJECTIVES else None

    def _measures_compared(self) -> None:
        """`suppliers whose average price is above …`: a total of each thing asked for is compared, and not shown."""
        for measured in list(self.slots.measures):
            function, item, _ = measured
            cue = self._compared_by(item) if item else None
            if cue is None or item is None or function == "count" or not self._is_of_entity(item):
                continue
            made = self._measure(*measured)
            home = next(columns_in(made)).table if made else None
            if made and home and self.entity and self._belongs(home, self.entity.key):
                self.slots.measures.remove(measured)
                self.compared[cue.start] = made
            elif function == "sum" and len(self.slots.measures) > 1:
                self.slots.measures.remove(measured)
        if any(function == "count" for function, _, _ in self.slots.measures):
            self.slots.shown = [each for each in self.slots.shown if not self._compared_by(each)]

    def _compared_by(self, item: Mention) -> Cue | None:
        """The comparison that follows a name right away: where rows are counted, it is not shown."""
        return next((cue for cue, _ in self.slots.compares if self._is_before(item, cue)), None)

    def _is_of_entity(self, item: Mention) -> bool:
        return self.slots.entity is not None and self.slots.entity.start < item.start

    def _is_before(self, item: Mention, cue: Cue) -> bool:
        between = {token.lower for token in self.tokens[item.end : cue.start]}
        return item.end <= cue.start and between <= {"is", "are", "was", "were", "that", "of"}
