"""What the rest of a follow-up names: restrictions, measures, groups, sort keys, and the words left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from pluto_duck_text2sql.corrections.denials import says_not
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.presence import Presence
from pluto_duck_text2sql.followups.surroundings import Surroundings
from pluto_duck_text2sql.followups.trees import kind_of
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.words import FILLER, STOP, Token, stem
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    Expr,
    Product,
    Query,
    Rows,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import conditions, subject, tables


class Fragment(Surroundings):
    """Words of a follow-up, as its edits ask for them."""

    @cached_property
    def bounded(self) -> set[int]:
        """Where the bounds begin that a column of the rows took: `longer than 120 minutes`."""
        return set()

    def beside(self, found: Sequence[Cond]) -> set[int]:
        """The words that only say which columns the conditions are about: `the Web channel`, `invoices billed to`."""
        lefts = {getattr(each, "left", None) for each in found}
        tables_ = {each.table for each in lefts if isinstance(each, Col)} | set(tables(self.earlier))
        tables_ |= {step.target for step in self.reader.joins.tree(subject(self.earlier), tables_) or ()}
        places: set[int] = set()
        for item in self.mentions:
            own = any(t.column and Col(t.table.key, t.column.name) in lefts for t in item.targets)
            rows = self._has_table(item) and any(t.column is None and t.table.key in tables_ for t in item.targets)
            leads = any(0 <= value.start - item.end <= 2 for value, _ in self.slots.values)
            part = leads and any(t.table.key in tables_ and t.score < 0.9 for t in item.targets)
            places |= self.span(item) if own or rows or part else set()
        return places

    def names_rows(self, item: Mention) -> bool:
        """Whether a mention is the name of a table."""
        return self._has_table(item)

    def found_groups(self) -> list[Expr]:
        """The columns to group by."""
        try:
            return self._groups()
        except Unreadable:
            return []

    def keyed(self, found: list[Expr]) -> list[Expr]:
        """Labels of rows with the keys of their tables, so that namesakes stay apart."""
        made: list[Expr] = []
        for each in found:
            table = self.reader.catalog.table(*each.table) if isinstance(each, Col) else None
            if table and each in self.reader.resolver.label(table) and table.key != subject(self.earlier):
                made += [Col(table.key, name) for name in self.reader.resolver.key(table)]
            made.append(each)
        return list(dict.fromkeys(made))

    def bucket(self, grain: GrainMention, query: Query) -> Bucket | None:
        """A grain of the date that the question before speaks of."""
        try:
            return self._bucket(grain, query.anchor)
        except Unreadable:
            return None

    def when(self, query: Query) -> list[Cond]:
        """The conditions of the periods named."""
        return self._period_conditions(query)

    @property
    def is_bare_measure(self) -> bool:
        """Whether it names a measure and nothing else: no restriction, no group, no order."""
        slots = self.slots
        named = slots.measures or self.cues_of("agg", "howmuch")
        others = (
            slots.values or slots.groups or slots.compares or slots.absent or slots.likes or slots.also or slots.best
        )
        return bool(named) and not others and not self.periods and not self.grains

    @property
    def measures_its_rows(self) -> bool:
        """Whether it is a function of the rows before and nothing else: `what's the average`, `average price`."""
        if not (self.is_bare_measure and self.cues_of("agg")) or self.slots.entity or self.slots.shown:
            return False
        named = [item for _, item, _ in self.slots.measures if item]
        tables_ = {t.table.key for item in named for t in item.targets if t.column and t.score >= _NAMED}
        return subject(self.earlier) in tables_ if named else bool(self._measured_before(self.earlier))

    def functions(self, query: Query) -> list[Agg]:
        """`the average`, `the total amount`: functions of what their own words name, else of what was measured."""
        made = []
        for cue in self.cues_of("agg"):
            if not any(item and item.start >= cue.end for _, item, _ in self.slots.measures):
                of = self._measured_before(query) if self.is_function_alone(cue) else None
                of = of or self._named_within(cue) or self._measured_before(query)
                made += [Agg(cue.data["fn"], of)] if of else []
        return made or self._extremes(query)

    def is_function_alone(self, cue: Cue) -> bool:
        """Whether a cue says which function and of nothing: `the total`, not `the total amount`."""
        return all(token.stem in _FUNCTIONS or token.lower in STOP for token in self.tokens[cue.start : cue.end])

    def _measured_before(self, query: Query) -> Expr | None:
        own = [each for shown in query.select for each in nodes_in(shown) if isinstance(each, Agg)]
        rows = [each for each in query.select if isinstance(each, Col) and self._is_number(each)]
        found = [each.of for each in own if not isinstance(each.of, Rows)]
        return next(iter([*found, *rows]), None)

    def _extremes(self, query: Query) -> list[Agg]:
        """`the highest price instead`, `and the maximum?`"""
        cue, item = self.slots.best, self.slots.best_of
        if cue is None or cue.kind != "super" or cue.data.get("n") or (item and item.text.lower() in _UNITS):
            return []
        of = self.named(item, ("number",)) if item else self._measured_before(query)
        return [Agg("max" if cue.data.get("desc", True) else "min", of)] if of else []

    @property
    def only_ranks(self) -> bool:
        """Whether it says an order or a cut, and no columns."""
        ranks = bool(self.slots.best or self.cues_of("direction", "sort", "sort_adj"))
        bounds = {n for cue, _ in self.slots.compares for n in range(cue.start, cue.end)}
        counts = any(token.number for n, token in enumerate(self.tokens) if n not in bounds)
        return (ranks or counts) and not self.slots.shown and not self.slots.entity

    @property
    def says_function(self) -> bool:
        return bool(self.cues_of("agg", "count", "howmuch"))

    @property
    def asks_a_total(self) -> bool:
        """Whether it asks for a number, not for rows."""
        return bool(self.slots.measures) or self.says_function

    def is_rate(self, item: Mention) -> bool:
        """Whether `rate` or `share` follows, or money is meant, so that any column will do."""
        return self._rate(item) is not None or self._sounds_of_money(item)

    def numbers_of(self, query: Query) -> list[Expr]:
        """The numbers that a listing shows."""
        shown = [each for each in query.select if isinstance(each, Col)]
        return [each for each in shown if self._is_number(each)]

    def compared_before(self, cue: Cue) -> bool:
        """Whether a number is named that the bound may be of."""
        return any(
            each.end <= cue.start + 1 and any(t.column and t.column.kind == "number" for t in each.targets)
            for each in self.mentions
        )

    def shown_measure(self, item: Mention) -> list[Agg]:
        try:
            made = self._shown_measure(item, [])
        except Unreadable:
            return []
        return [each for each in made if isinstance(each, Agg)]

    def product(self) -> Product | None:
        """`price times quantity`."""
        words = [token.lower for token in self.tokens]
        place = next((n for n, word in enumerate(words) if word in ("times", "x", "multiplied")), None)
        if place is None:
            return None
        left = [each for each in self.mentions if each.end <= place]
        right = [each for each in self.mentions if each.start > place]
        made = [self.named(each, ("number",)) for each in (*left[-1:], *right[:1])]
        return Product(made[0], made[1]) if len(made) == 2 and made[0] and made[1] else None

    def ranked_by(self, item: Mention, query: Query) -> Expr | None:
        """The measure or number that rows are ranked by, where a ranking names one."""
        shown = [each for each in query.select if is_total(each)]
        counted = [each for each in shown if isinstance(each, Agg) and isinstance(each.of, Rows)]
        if self._has_table(item):
            tables_ = {t.table.key for t in item.targets if t.column is None}
            return next((each for each in counted if isinstance(each.of, Rows) and each.of.table in tables_), None)
        column = self.named(item, ("number", "time"))
        if column is None or kind_of(column, self.reader) not in ("number", "time"):
            return None
        of = [each for each in shown if column in columns_in(each)]
        return of[0] if of else self.reader.resolver.default_aggregate(column) if query.group else column

    def order_key(self, query: Query) -> tuple[Expr | None, set[int]]:
        """What the rows are to be sorted by, and the words that say so."""
        items = [item for item, _ in self.slots.orders if item]
        items += [each for each in self.slots.shown if self.cues_of("sort")] if not items else []
        for item in items:
            by = self.ranked_by(item, query) or self._label_shown(item, query) or self.named(item)
            if by is not None:
                return by, self.span(item)
        return None, set()

    def _label_shown(self, item: Mention, query: Query) -> Expr | None:
        """What the rows shown are called by: `sort by customer`."""
        of = {t.table.key for t in item.targets if t.column is None}
        named = {Col(t.table.key, t.column.name) for t in item.targets if t.column and t.score >= 0.6}
        shown = [each for each in query.select if isinstance(each, Col)]
        return next((each for each in shown if each in named or (self._has_table(item) and each.table in of)), None)

    def measured(self) -> list[Agg]:
        """The aggregates that the fragment asks for in so many words."""
        try:
            return [each for each in self._measures() if isinstance(each, Agg)]
        except Unreadable:
            return []

    def restrictions(self, query: Query) -> Iterator[Cond]:
        """The conditions that are no periods."""
        values = [*self._value_conditions(query), *self._cycle_conditions(query), *self._named_in_part(query)]
        yield from self._without_such(query, values, self._absences(query))
        for cue, item in self.slots.compares:
            made = self._comparison(cue, item, query)
            if made:
                self.bounded.add(cue.start)
                yield made
        yield from self._extra
        yield from self._presences(query)
        yield from self._flags(query)
        yield from self._numbered()
        yield from self._of_so_many(query)
        yield from (made for each in self.slots.likes if (made := self._like(*each)))

    def _of_so_many(self, query: Query) -> Iterator[Cond]:
        """`only rooms with two beds`, `and for 2 adults?`: as many as a number of the rows' own says."""
        for n, token in enumerate(self.tokens):
            item = next((each for each in self.mentions if each.start == n + 1), None)
            is_free = token.number is not None and n not in self.claimed and not self.words.taken(n)
            column = self.counted_by(item) if item and is_free else None
            bound = any(isinstance(each, Compare) and each.left == column for each in conditions(query))
            if item and column and (bound or (n and self.tokens[n - 1].lower in _HAVING)):
                self.claimed.update((n, *self.span(item)))
                self.slots.shown = [each for each in self.slots.shown if each is not item]
                yield Compare(column, "=", token.number)

    def _named_in_part(self, query: Query) -> Iterator[Cond]:
        """`same for Oresund` after the Canal Lounge, `only VHI` after each insurer: the one name in the same column of
        which the words are a part."""
        bound = [each for each in conditions(query) if isinstance(each, Compare) and each.operator == "="]
        columns = {each.left for each in bound if isinstance(each.left, Col) and isinstance(each.right, str)}
        columns |= {each for each in query.group if isinstance(each, Col)}
        free = [n for n, token in enumerate(self.tokens) if n not in self.claimed and not self._is_idle(token)]
        if not free or free[-1] - free[0] >= len(free) + 1 or self.mentions or not columns:
            return
        text = self.text(free[0], free[-1] + 1)
        values = self.reader.catalog.values
        hits = [*values.lookup(text, _MOST_HITS), *values.lookup_part(tuple(self.tokens[n].stem for n in free))]
        held = {Compare(Col((hit.schema, hit.table), hit.column), "=", hit.value) for hit in hits}
        named = [each for each in held if each.left in columns]
        named = [each for each in named if normal(str(each.right)) == normal(text)] or named
        if len(named) == 1:
            self.claimed.update(free)
            yield replace(named[0], operator="!=") if self._is_left_out(free[0], str(named[0].right)) else named[0]

    def _is_left_out(self, place: int, value: str) -> bool:
        """Whether a denial stands before a name that denies nothing itself: `drop the not defined one`."""
        denials = sum(cue.end <= place for cue in self.cues_of("not", "never"))
        return denials > says_not(value)

    def left_over(self, used: set[int]) -> list[str]:
        """The words that say something and that nothing explains."""
        spoken = {n for cue in self.cues if cue.kind in _WEAK for n in range(cue.start, cue.end)}
        known = used | self.claimed | spoken
        return [
            token.text
            for n, token in enumerate(self.tokens)
            if n not in known and (self._is_spoken_for(n) or not self._is_idle(token))
        ]

    def _is_idle(self, token: Token) -> bool:
        """Whether a word says nothing by itself; `IT` in capitals is a name, where not all is written so."""
        shouts = len(self.tokens) > 1 and all(each.text.isupper() for each in self.tokens)
        is_name = token.text.isupper() and len(token.text) > 1 and not shouts
        return not is_name and (token.lower in STOP or token.stem in FILLER)

    def _is_spoken_for(self, place: int) -> bool:
        """Whether the word is part of a cue, a period or a grain."""
        every: list[Cue | Period | GrainMention | Presence] = [*self.cues, *self.periods, *self.grains]
        every += self.presences
        return any(each.start <= place < each.end for each in every)


_NAMED, _MOST_HITS = 0.55, 50
_HAVING = frozenset("with for of has have had having and".split())
"""What a number of something stands behind that rows have: no cut to so many rows."""
_FUNCTIONS = frozenset(map(stem, "total sum overall combined average mean avg typical median".split()))
_UNITS = frozenset("year quarter month week weekday day hour".split())
"""What a superlative before it says no number of: `the busiest month`."""
_WEAK = frozenset(("group", "distinct", "both", "or", "net"))
