"""What the rest of a follow-up names, read by the reader's passes with the earlier query's tables in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from pluto_duck_text2sql.conditions import Conditions
from pluto_duck_text2sql.cues import Cue
from pluto_duck_text2sql.followups.trees import conditions, is_measure, kind_of, subject, tables, times
from pluto_duck_text2sql.links import Mention
from pluto_duck_text2sql.normal import normal
from pluto_duck_text2sql.periods import GrainMention, Period
from pluto_duck_text2sql.phrases import hit_label
from pluto_duck_text2sql.reader import Reader
from pluto_duck_text2sql.roles import Unreadable
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    Expr,
    Product,
    Query,
    Rows,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.values import ValueHit
from pluto_duck_text2sql.words import FILLER, STOP, tokenise

_ALREADY = 0.6
_SHOWN = 0.25
_GROUPING = frozenset(("by", "per", "each", "every", "across"))


class Fragment(Conditions):
    """Words of a follow-up in the surroundings of the query before."""

    def __init__(self, reader: Reader, text: str, earlier: Query) -> None:
        super().__init__(reader, tokenise(text), None)
        self.earlier = earlier
        self._assign()
        self.near = tables(earlier)
        self.entity = None
        self._note_tables()

    def _hit(self, item: Mention, query: Query) -> ValueHit:
        """The stored value meant: of a column already restricted or shown, of one named beside it, of the nearest."""
        bound = {each.left for each in conditions(query) if isinstance(each, Compare | Among)}
        shown = {each for each in (*query.select, *query.group) if isinstance(each, Col)}
        beside = self._named_beside(item)

        def score(hit: ValueHit) -> float:
            key, column = (hit.schema, hit.table), Col((hit.schema, hit.table), hit.column)
            distance = min(self.reader.joins.distance(each, key) + 0.1 * n for n, each in enumerate(self.near))
            known = _ALREADY * (column in bound) + _SHOWN * (column in shown)
            return hit.score + known + _ALREADY * ((key, hit.column) in beside) - 0.15 * min(distance, 8)

        best = max(sorted(item.hits, key=hit_label), key=score)
        self.weakest = min(self.weakest, best.score)
        return best

    def _is_value(self, item: Mention) -> bool:
        """`only the refunded ones`: a value stored in the tables at hand, though another table is called so."""
        if super()._is_value(item):
            return True
        near = tables(self.earlier)
        grouped = item.start > 0 and self.tokens[item.start - 1].lower in _GROUPING
        held = any(hit.score == 1.0 and (hit.schema, hit.table) in near for hit in item.hits)
        return held and not grouped and not any(t.table.key in near and t.score >= 0.9 for t in item.targets)

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

    def beside(self, found: Sequence[Cond]) -> set[int]:
        """The words that only say which columns the conditions are about: `the Web channel`, `invoices billed to`."""
        lefts = {getattr(each, "left", None) for each in found}
        tables_ = {each.table for each in lefts if isinstance(each, Col)} | set(tables(self.earlier))
        places: set[int] = set()
        for item in self.mentions:
            own = any(t.column and Col(t.table.key, t.column.name) in lefts for t in item.targets)
            rows = self._has_table(item) and any(t.column is None and t.table.key in tables_ for t in item.targets)
            leads = any(0 <= value.start - item.end <= 2 for value, _ in self.slots.values)
            part = leads and any(t.table.key in tables_ and t.score < 0.9 for t in item.targets)
            places |= self.span(item) if own or rows or part else set()
        return places

    def _absence(self, item: Mention, query: Query) -> Cond | None:
        """`without the discontinued ones`: a flag that is not set, else what is missing."""
        for target in item.targets:
            yes = self._true_value(target) if target.column and target.score >= 0.9 else None
            if yes is not None and target.column and target.table.key in self.near:
                self.claimed.update(range(item.start, item.end))
                return Compare(Col(target.table.key, target.column.name), "!=", yes)
        return super()._absence(item, query)

    @cached_property
    def table(self) -> TableKey | None:
        """The table that the fragment is about, where it names one."""
        item = self.slots.entity or next((each for each in self.slots.also if self._has_table(each)), None)
        try:
            found = self._table(item) if item else None
        except Unreadable:
            return None
        return found.key if found else None

    def names_rows(self, item: Mention) -> bool:
        """Whether a mention is the name of a table."""
        return self._has_table(item)

    def span(self, item: Mention | Cue | None) -> set[int]:
        """The places of a mention's words."""
        return set(range(item.start, item.end)) if item else set()

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

    def _time(self, anchor: TableKey, at: Period | GrainMention) -> Col:
        """The date that the question before speaks of, unless another one is named."""
        named = [t for each in self.mentions for t in each.targets if t.column and t.column.kind == "time"]
        known = [getattr(each, "left", None) for each in times(self.earlier, self.reader)]
        known += [each.of for each in self.earlier.select if isinstance(each, Bucket)]
        found = [each for each in known if isinstance(each, Col)]
        if found and not any(each.score >= 0.6 for each in named):
            return found[0]
        return super()._time(self.table or anchor, at)

    def cues_of(self, *kinds: str) -> list[Cue]:
        return [cue for cue in self.cues if cue.kind in kinds]

    @property
    def says_function(self) -> bool:
        return bool(self.cues_of("agg", "count", "howmuch"))

    @property
    def asks_a_total(self) -> bool:
        """Whether it asks for a number, not for rows."""
        return bool(self.slots.measures) or self.says_function

    def is_key(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        return bool(table and self.reader.resolver.is_key(table, column.name))

    def is_rate(self, item: Mention) -> bool:
        """Whether `rate` or `share` follows, or money is meant, so that any column will do."""
        return self._rate(item) is not None or self._sounds_of_money(item)

    def holds_amounts(self, column: Col) -> bool:
        """Whether it holds numbers that measure something."""
        return self._is_number(column)

    def stems_of(self, column: Col) -> set[str]:
        table = self.reader.catalog.table(*column.table)
        return set(table.stems(column.name)) if table else set()

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
        shown = [each for each in query.select if is_measure(each)]
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

    def named(self, item: Mention, kinds: tuple[str, ...] = ()) -> Col | None:
        try:
            return self._column(item, kinds)
        except Unreadable:
            return None

    def restrictions(self, query: Query) -> Iterator[Cond]:
        """The conditions that are no periods."""
        yield from self._value_conditions(query)
        for cue, item in self.slots.compares:
            made = self._comparison(cue, item, query)
            if made:
                yield made
        yield from self._extra
        yield from self._absences(query)
        yield from self._flags(query)
        yield from self._numbered(query)
        yield from (made for each in self.slots.likes if (made := self._like(*each)))

    def left_over(self, used: set[int]) -> list[str]:
        """The words that say something and that nothing explains."""
        spoken = {n for cue in self.cues if cue.kind in _WEAK for n in range(cue.start, cue.end)}
        known = used | self.claimed | spoken
        return [
            token.text
            for n, token in enumerate(self.tokens)
            if n not in known and (self._is_spoken_for(n) or not _is_idle(token.lower, token.stem))
        ]

    def _is_spoken_for(self, place: int) -> bool:
        """Whether the word is part of a cue, a period or a grain."""
        every: list[Cue | Period | GrainMention] = [*self.cues, *self.periods, *self.grains]
        return any(each.start <= place < each.end for each in every)


_WEAK = frozenset(("group", "distinct", "both", "or", "net"))


def _is_idle(word: str, stem: str) -> bool:
    return word in STOP or stem in FILLER
