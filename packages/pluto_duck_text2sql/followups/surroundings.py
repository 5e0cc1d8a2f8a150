"""The reader's passes in the surroundings of an earlier query: values, dates, measures mean what is nearest to it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.qualifiers import FLAG
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.data.yes_no import denied, is_yes_or_no
from pluto_duck_text2sql.followups.trees import times
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.words import MONEY, STOP, stem, table_words, tokenise
from pluto_duck_text2sql.reading.conditions import Conditions
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.detection import OFTEN
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.times.cycles import Cycle
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    Expr,
    Missing,
    Query,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.parts import conditions, measures, subject, tables
from pluto_duck_text2sql.trees.phrases import hit_label, said_as

_ALREADY = 0.6
_CALLED = 0.55
_NAMED, _PLURAL = 0.75, 0.9
"""How well words fit what is called by them, and how well a plural the value that it is of."""
_SHOWN = 0.25
_BRINGS_IN = frozenset(map(stem, "sell sold bring brought earn earned generate spend spent".split()))
"""What is done with money by what has a price: how much it sold for is not its price."""
_PRICES = frozenset(map(stem, ("price", "fee", "charge", "cost")))
_AMOUNTS = frozenset(map(stem, ("amount", "value")))
_COUNTS = frozenset(map(stem, "count cnt number num no nr qty of".split()))
_GROUPING = frozenset(("by", "per", "each", "every", "across"))


class Surroundings(Conditions):
    """Words of a follow-up, read with the tables and columns of the query before in play."""

    def __init__(self, reader: Reader, text: str, earlier: Query, *, narrows: bool = False) -> None:
        self.narrows = narrows
        super().__init__(reader, tokenise(text), None)
        self.earlier = earlier
        self._assign()
        self._excludes()
        self.near = tables(earlier)
        self.entity = None
        self._note_tables()

    def _tells_kind(self, place: int) -> bool:
        """`only yearly riders`, `just those on monthly`: what rows are held to is a kind of them where it is stored."""
        word = self.tokens[place].lower
        is_kind = (
            self.narrows and word in OFTEN and any(h.score == 1.0 for h in self.reader.catalog.values.lookup(word, 1))
        )
        return is_kind or super()._tells_kind(place)

    def _hit(self, item: Mention, query: Query) -> ValueHit:
        """The stored value meant: of a column already restricted or shown, of one named beside it, of the nearest."""
        bound = {each.left for each in conditions(query) if isinstance(each, Compare | Among)}
        shown = {each for each in (*query.select, *query.group) if isinstance(each, Col)}
        beside, rows = self._named_beside(item), self._rows_after(item)

        def score(hit: ValueHit) -> float:
            key, column = (hit.schema, hit.table), Col((hit.schema, hit.table), hit.column)
            distance = min(self.reader.joins.distance(each, key) + 0.1 * n for n, each in enumerate(self.near))
            known = _ALREADY * (column in bound) + _SHOWN * (column in shown)
            named = _ALREADY * ((key, hit.column) in beside or key in rows)
            return hit.score + known + named - 0.15 * min(distance, 8)

        best = max(sorted(item.hits, key=hit_label), key=score)
        self.weakest = min(self.weakest, best.score)
        return best

    def _rows_after(self, item: Mention) -> set[TableKey]:
        """The tables that the word right after a value is the name of: `the London branch`."""
        after = [t for each in self.mentions if each.start == item.end for t in each.targets]
        return {t.table.key for t in after if t.column is None and t.score >= _NAMED}

    def _is_value(self, item: Mention) -> bool:
        """`only the refunded ones`: a value stored in the tables at hand, though another table is called so; `just the
        emergencies`: one that is stored in the singular, where no name is told by as many words."""
        if super()._is_value(item) or (self.narrows and self._is_kind_of_next(item)):
            return True
        near = tables(self.earlier)
        grouped = item.start > 0 and self.tokens[item.start - 1].lower in _GROUPING
        best = max((each.score for each in item.targets), default=0.0)
        least = 1.0 if best >= _NAMED else _PLURAL
        held = any(hit.score >= least and (hit.schema, hit.table) in near for hit in item.hits)
        return held and not grouped and not any(t.table.key in near and t.score >= 0.9 for t in item.targets)

    def _is_kind_of_next(self, item: Mention) -> bool:
        """`only email campaigns`: a value stored of what is named right after it, whatever else is called so."""
        held = {(hit.schema, hit.table): hit.column for hit in item.hits if hit.score >= 1.0}
        after = [t for each in self.mentions if each.start == item.end for t in each.targets if t.score >= _NAMED]
        return any(t.table.key in held and t.column in (None, t.table.column(held[t.table.key])) for t in after)

    def _value_conditions(self, query: Query) -> list[Cond]:
        """The conditions of stored values; all spellings of a value that is stored in several."""
        return [self._spelt(each) for each in super()._value_conditions(query)]

    def _spelt(self, condition: Cond) -> Cond:
        if not isinstance(condition, Compare) or condition.operator not in ("=", "!="):
            return condition
        left, right = condition.left, str(condition.right)
        hits = [hit for item, _ in self.slots.values for hit in item.hits if normal(hit.value) == normal(right)]
        values = tuple(
            dict.fromkeys(each.value for each in hits if Col((each.schema, each.table), each.column) == left)
        )
        several = len(values) > 1 and isinstance(left, Col)
        return Among(left, values, condition.operator == "!=") if several and isinstance(left, Col) else condition

    def _measure(self, function: str, item: Mention | None, distinct: bool) -> Expr | None:
        """`the total amount of their orders`, `how much did they spend`: amounts, not rows."""
        if function == "howmuch" and item and self._sounds_of_money(item):
            return super()._measure(function, None, distinct)
        before = [cue for cue in self.cues_of("agg") if item and cue.end <= item.start <= cue.end + 3]
        if before and item and self._has_table(item):
            self.near.insert(0, next(t.table.key for t in item.targets if t.column is None))
            of = self._named_within(before[-1])
            self.near.pop(0)
            if of and function != "count":
                self.claimed.update(self.span(item))
                return Agg(before[-1].data["fn"], of)
        return super()._measure(function, item, distinct)

    def _money(self, item: Mention | None = None) -> Expr | None:
        """`how much money was that`: what the rows asked about before were worth, where their own table says it."""
        own = self._own_money() if item is None else None
        if own is None:
            return super()._money(item)
        self.lines.append(f"money → {said_as(own)}")
        self.claimed.update(n for n, token in enumerate(self.tokens) if token.stem in MONEY)
        return own

    def _own_money(self) -> Expr | None:
        rows = subject(self.earlier)
        brings_in = bool(_BRINGS_IN & {token.stem for token in self.tokens})
        money = [each for each in self.reader.resolver.money() if next(columns_in(each)).table == rows]
        table = self.reader.catalog.table(*rows)
        prices = [
            Col(rows, column.name)
            for column in (table.columns if table else ())
            if table and column.kind == "number" and _PRICES & set(table.stems(column.name))
        ]
        return next(iter([*money, *(() if brings_in else (*prices, *own_amounts(table)))]), None)

    def _absences(self, query: Query) -> list[Cond]:
        """What is missing, where the fragment names it; `without customers from Germany` excludes a value."""
        near = tables(self.earlier)
        for item in list(self.slots.absent):
            known = any(t.column is None and t.table.key in near for t in item.targets)
            if known and self.slots.values:
                self.slots.absent.remove(item)
                self.claimed.update(self.span(item))
        return super()._absences(query) if self.slots.absent else []

    def _excludes(self) -> None:
        """Values after `without customers from …` are those that are excluded."""
        near = tables(self.earlier)
        absent = [t.table.key for item in self.slots.absent for t in item.targets if t.column is None]
        if any(key in near for key in absent):
            self.slots.values = [(item, True) for item, _ in self.slots.values]

    def _absence(self, item: Mention, query: Query) -> Cond | None:
        """`without the discontinued ones`: a flag that is not set, `without kids`: none, else what is missing."""
        if counted := self.counted_by(item):
            self.claimed.update(range(item.start, item.end))
            return Compare(counted, "=", 0)
        for target in item.targets:
            flag = target.column if target.column and target.score >= FLAG and target.table.key in self.near else None
            if flag and is_yes_or_no(flag):
                self.claimed.update(range(item.start, item.end))
                return denied(Col(target.table.key, flag.name), flag)
        made = super()._absence(item, query)
        left = made.left if isinstance(made, Missing) and not made.negated else None
        column = self.reader.catalog.column(*left.table, left.name) if isinstance(left, Col) else None
        return denied(left, column) if isinstance(left, Col) and column and is_yes_or_no(column) else made

    def _time(self, anchor: TableKey, at: Period | GrainMention | Cycle) -> Col:
        """The date that the question before speaks of, unless another one is named."""
        named = [t for each in self.mentions for t in each.targets if t.column and t.column.is_time]
        known = [getattr(each, "left", None) for each in times(self.earlier, self.reader)]
        known += [each.of for each in self.earlier.select if isinstance(each, Bucket)]
        found = [each for each in known if isinstance(each, Col)]
        if found and not any(each.score >= 0.6 for each in named):
            return found[0]
        measured = self._other_rows_measured()
        if measured is not None:
            return super()._time(measured, at)
        return self._time_of_state() or self._time_of_rows(self.table or self._dated_rows(), anchor, at)

    def _time_of_rows(self, rows: TableKey | None, anchor: TableKey, at: Period | GrainMention | Cycle) -> Col:
        """Of the rows asked about their own date, where no word names that of what they point at: the scores of 2024
        are not those of the accounts that were made in 2024."""
        found = super()._time(rows or anchor, at)
        if rows is None or found.table == rows or not self._is_dated(rows) or self._is_said(found):
            return found
        steps = self.reader.joins.neighbours(rows)
        points = any(step.target == found.table and not step.multiplies for step in steps)
        dates = self.reader.resolver.time_column([rows], frozenset())
        own = [each for score, each in dates if each.table == rows and score >= 0]
        return own[0] if points and own else found

    def _is_said(self, column: Col) -> bool:
        """Whether a word of the fragment is in a column's name or its table's."""
        table = self.reader.catalog.table(*column.table)
        words = {token.stem for token in self.tokens} - STOP
        return bool(table and words & {*table.stems(column.name), *map(stem, table_words(table.name))})

    def _other_rows_measured(self) -> TableKey | None:
        """The dated rows that a figure is of, where they are others: what customers spent in 2024 is of orders."""
        if not any(cue.kind in ("howmuch", "agg") for cue in self.cues):
            return None
        try:
            found = {each.table for each in columns_in(tuple(self._measures()))}
        except Unreadable:
            return None
        rows = found.pop() if len(found) == 1 else None
        if rows is None or rows == subject(self.earlier):
            return None
        steps = self.reader.joins.neighbours(rows)
        belong = (each.target for each in steps if not each.multiplies and each.target != subject(self.earlier))
        return next((each for each in (rows, *belong) if self._is_dated(each)), None)

    def _is_dated(self, key: TableKey) -> bool:
        table = self.reader.catalog.table(*key)
        return table is not None and any(each.is_time for each in table.columns)

    def _time_of_state(self) -> Col | None:
        """The day on which the rows before came to be as they are: when those that are cancelled were cancelled."""
        rows = subject(self.earlier)
        table = self.reader.catalog.table(*rows)
        times_ = [each for each in table.columns if each.is_time] if table else []
        said = [
            stem(str(each.right))
            for each in conditions(self.earlier)
            if isinstance(each, Compare) and each.operator == "="
        ]
        had = [each.left for each in conditions(self.earlier) if isinstance(each, Missing) and each.negated]
        told = [each for each in times_ if table and not set(said).isdisjoint(table.stems(each.name))]
        told += [each for each in times_ if each not in told and Col(rows, each.name) in had]
        return Col(rows, told[0].name) if len(told) == 1 else None

    def _table(self, item: Mention) -> Table | None:
        """The rows that are counted already, where a word may be theirs and is no other table's own name."""
        targets = self.reader.resolver.targets_of(item, tables=True)
        own = tuple(each for each in targets if each.table.key == subject(self.earlier) and each.score >= _CALLED)
        is_own = bool(own) and max(each.score for each in targets) < _PLURAL
        return super()._table(replace(item, targets=own) if is_own else item)

    def _dated_rows(self) -> TableKey | None:
        """The table whose rows are counted or added up, if only to sort by, whichever the query begins with."""
        sorted_by = next((each for each in measures(self.earlier) if each not in self.earlier.select), None)
        rows = subject(replace(self.earlier, select=(sorted_by,)) if sorted_by else self.earlier)
        table = self.reader.catalog.table(*rows)
        return rows if table and any(each.is_time for each in table.columns) else None

    @cached_property
    def table(self) -> TableKey | None:
        """The table that the fragment is about, where it names one."""
        item = self.slots.entity or next((each for each in self.slots.also if self._has_table(each)), None)
        found = self.table_of(item) if item else None
        return found.key if found else None

    def table_of(self, item: Mention) -> Table | None:
        """The table that a mention names; None where none is the likeliest."""
        try:
            return self._table(item)
        except Unreadable:
            return None

    def span(self, item: Mention | Cue | None) -> set[int]:
        """The places of a mention's words."""
        return set(range(item.start, item.end)) if item else set()

    def cues_of(self, *kinds: str) -> list[Cue]:
        return [cue for cue in self.cues if cue.kind in kinds]

    def _named_within(self, cue: Cue) -> Expr | None:
        """The number that words of the cue itself name: `total amount`."""
        words = [token.stem for token in self.tokens[cue.start : cue.end]]
        targets = [
            t for word in words for t in self.reader.names.find((word,)) if t.column and t.column.kind == "number"
        ]
        best = [t for _, t in self.reader.resolver.best(targets, self.near, None) if t.table.key in self.near]
        column = best[0].column if best else None
        return Col(best[0].table.key, column.name) if column else None

    def counted_by(self, item: Mention) -> Col | None:
        """The number of the rows at hand that is called as what is counted: `beds`, `guest_cnt`."""
        said = {token.stem for token in self.tokens[item.start : item.end]}
        columns = [
            Col(each.table.key, each.column.name)
            for each in item.targets
            if each.column and each.table.key in self.near
        ]
        called = [each for each in columns if said <= self.stems_of(each) <= said | _COUNTS]
        counts = [each for each in called if self._is_number(each)]
        return counts[0] if len(counts) == 1 else None

    def stems_of(self, column: Col) -> set[str]:
        table = self.reader.catalog.table(*column.table)
        return set(table.stems(column.name)) if table else set()

    def is_key(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        return bool(table and self.reader.resolver.is_key(table, column.name))

    def holds_amounts(self, column: Col) -> bool:
        """Whether it holds numbers that measure something."""
        return self._is_number(column)

    def named(self, item: Mention, kinds: tuple[str, ...] = ()) -> Col | None:
        try:
            return self._column(item, kinds)
        except Unreadable:
            return None


def own_amounts(table: Table | None) -> list[Expr]:
    """What a row is worth, before the money of other tables: its one amount, or the one that every row has."""
    numbers = [each for each in table.columns if each.kind == "number"] if table else []
    found = [each for each in numbers if table and _AMOUNTS & set(table.stems(each.name))]
    found = found if len(found) == 1 else [each for each in found if each.null_fraction == 0]
    return [Col(table.key, each.name) for each in found] if table and len(found) == 1 else []
