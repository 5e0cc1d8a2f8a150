"""What is measured and by what it is grouped: aggregates, money, rates, shares, growth, buckets of time."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.qualifiers import FLAG
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, name_stems, name_words, stem, table_stems
from pluto_duck_text2sql.reading.naming import Naming
from pluto_duck_text2sql.reading.series import along
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Bucket,
    Col,
    Days,
    Expr,
    Order,
    Query,
    Ratio,
    Rows,
    Running,
    Share,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.phrases import (
    AMOUNT_WORDS,
    counts_pieces,
    said_as,
    shown_name,
)
from pluto_duck_text2sql.trees.resolve import AVERAGED
from pluto_duck_text2sql.trees.units import is_span, unit_said

_BESIDE = frozenset("with and plus including alongside along together".split())
_PIECES = frozenset(stem(each) for each in "items pieces copies articles goods".split())
_SOLD = frozenset(stem(each) for each in "sold ordered bought purchased".split())
_MONEY_PAID = frozenset(
    map(stem, "charge payment fee donation expense fine cost refund spend contribution deposit payout".split())
)
"""Rows called so are amounts: `total charges` is what they add up to."""
_MONEY_OWED = frozenset(map(stem, "bill invoice".split()))
"""An average one of these is an amount; in total there may be so many of them."""
_WORTH = frozenset("value worth amount".split())
_COUNT = stem("count")
_PLURAL = Pattern(r"[^siu]s$")
_NUMBER_OF = Pattern(r"(?:number|num|no)[ _]?of[ _]?", re.IGNORECASE)


def _says_how_many(name: str) -> bool:
    """Whether a column of this name counts things already: `quantity`, `dock_count`, `no_of_loans`, `nights`."""
    return bool(
        counts_pieces(name_stems(name)) or _COUNT in name_stems(name) or _NUMBER_OF.match(name) or _is_of_things(name)
    )


def _is_of_things(name: str) -> bool:
    """Whether a name is that of several things, which are no marks or prices: of nights, of seats, of days off."""
    words = name_words(name)
    last = words[-1:]
    if any(_PLURAL.search(each) and is_span(unit_said(each)) for each in words):
        return True
    return bool(last) and _PLURAL.search(last[0]) is not None and stem(last[0]) not in AVERAGED


def _is_of_rows(function: str, made: Expr | None) -> bool:
    """Whether a mean was asked of rows, which are counted then: `how old is the average member` counts nothing."""
    return function not in ("count", "howmuch") and isinstance(made, Agg) and made.function == "count"


_DAYS = frozenset(map(stem, "date day time moment month year week quarter".split()))
"""What is counted each once where it is what a question counts."""


class Measuring(Naming):
    """Builds queries that aggregate."""

    def _rates_of_entity(self) -> list[Agg]:
        """`return rate by category`: what looked like a table was the flag's name."""
        rate = self._rate(self.slots.entity) if self.slots.entity else None
        return [rate] if rate else []

    def _measures(self) -> list[Expr]:
        asked = [(function, self._measure(function, item, alone)) for function, item, alone in self.slots.measures]
        self.of_rows = {made for function, made in asked if _is_of_rows(function, made)}
        self.of_rows -= {made for function, made in asked if function == "count"}
        made = [each for _, each in asked]
        return list(dict.fromkeys(each for each in made or self._amounts() if each))

    def _amounts(self) -> list[Expr]:
        """`order value by month`: the amounts of what is listed, though no word says that they are added up."""
        amount = self._amount_of(self.slots.entity) if self.slots.entity else None
        amount = amount or (self._quantity() if self.slots.entity and self._are_pieces(self.slots.entity) else None)
        return [Agg("sum", amount)] if amount else []

    def _are_pieces(self, item: Mention) -> bool:
        """`items sold per brand`: how many pieces of them."""
        follows = self.tokens[item.end].stem if item.end < len(self.tokens) else ""
        is_term = any(each.term and each.start <= item.end < each.end for each in self.mentions)
        return self.tokens[item.end - 1].stem in _PIECES and follows in _SOLD and not is_term

    def _quantity(self) -> Expr | None:
        near = [self.entity.key] if self.entity else self.near
        targets = [
            each for each in self.reader.names.find(("quantity",)) if each.column and each.column.kind == "number"
        ]
        scored = self.reader.resolver.best(targets, near, None)
        best = next((target for _, target in scored if not near or target.table.key != near[0]), None)
        return Col(best.table.key, best.column.name) if best and best.column else None

    def _defined(self, item: Mention | None, function: str = "") -> Expr | None:
        """The measure of the user's glossary; `average` and the like of a sum are taken of the rows instead."""
        measure = item.term.measure if item and item.term else None
        if item is None or measure is None:
            return None
        self.claimed.update(range(item.start, item.end))
        is_own = isinstance(measure, Agg) and (measure.function == "sum" or isinstance(measure.of, Days | Age))
        taken = function in ("avg", "min", "max", "median", "stddev") and is_own
        return replace(measure, function=function) if taken else measure  # type: ignore[arg-type]

    def _measure(self, function: str, item: Mention | None, distinct: bool) -> Expr | None:
        """What is counted or put together of what is named; of money where nothing is."""
        if defined := self._defined(item, function):
            return defined
        if function == "count":
            return self._amounting(item) or self._counted(item, distinct)
        if function == "howmuch":
            return self._how_much_of(item)
        if item is None:
            money = (self._worth() if self._said_worth() else None) or self._money()
            return Agg(function, money) if money else None  # type: ignore[arg-type]
        if self._has_table(item):
            return self._of_named_rows(function, item)
        if self._is_money(item) and (money := self._money(item)):
            return Agg(function, money)  # type: ignore[arg-type]
        column = self._column(item, ("time", "number") if function in ("min", "max") else ("number",))
        return Agg(function, column) if column else None  # type: ignore[arg-type]

    def _how_much_of(self, item: Mention | None) -> Expr | None:
        """`how much did we sell to Acme`: a number that is named, else money."""
        if item and self._has_table(item):
            self.slots.also.append(item)
            table = self._table(item)
            self.near += [table.key] if table else []
        money = self._money()
        column = self._column(item, ("number",)) if item and not self._has_table(item) else None
        return Agg("sum", column) if column else Agg("sum", money) if money else None

    def _of_named_rows(self, function: str, item: Mention) -> Expr | None:
        """`the average order`: of what a row amounts to, else how many there are."""
        amount = self._amount_of(item) or self._called_alike(item) or self._of_payments(item, function)
        if amount:
            return self._of_lines(function, amount, item) or Agg(function, amount)  # type: ignore[arg-type]
        return self._counted(item, False)

    def _worth(self) -> Expr | None:
        """What a row of the table asked for is worth."""
        own = self.entity.key if self.entity else None
        return next((each for each in self.reader.resolver.money() if next(columns_in(each)).table == own), None)

    def _amount_of(self, item: Mention) -> Expr | None:
        """`average order value`: the amount of a row of that table."""
        follows = self.tokens[item.end].lower if item.end < len(self.tokens) else ""
        if follows not in AMOUNT_WORDS:
            return None
        self.slots.shown = [each for each in self.slots.shown if each.start != item.end]
        self.claimed.add(item.end)
        table = self._table(item)
        if table is None:
            return None
        self.near.insert(0, table.key)
        stored = [each for each in self.reader.resolver.money() if isinstance(each, Col) and each.table == table.key]
        return stored[0] if stored else self._money()

    def _of_lines(self, function: str, amount: Expr, item: Mention) -> Expr | None:
        """`average order value` where the amounts are those of an order's lines: their sum by the number of orders."""
        table, home = self._table(item), next(columns_in(amount)).table
        if function != "avg" or table is None or not self.reader.joins.belongs(home, table.key):
            return None
        return Ratio(Agg("sum", amount), Agg("count", Rows(table.key)))

    def _called_alike(self, item: Mention) -> Expr | None:
        """`average grade`: the amount of a row where table and amount have one name."""
        table = self._table(item)
        own = [each for each in item.targets if table and each.table.key == table.key and each.score >= FLAG]
        amount = next((each.column for each in own if each.column and each.column.kind == "number"), None)
        return Col(table.key, amount.name) if table and amount else None

    def _of_payments(self, item: Mention, function: str) -> Expr | None:
        """`total charges`, `average donation`: what rows that are called after money amount to."""
        table = self._table(item)
        called = set(table_stems(table.name)[-1:]) if table else set()
        is_worth = not _WORTH.isdisjoint(token.lower for token in self.tokens[max(item.start - 3, 0) : item.start])
        if table is None or not called & (
            _MONEY_PAID if function == "sum" and not is_worth else _MONEY_PAID | _MONEY_OWED
        ):
            return None
        own = [each for each in self.reader.resolver.money() if isinstance(each, Col) and each.table == table.key]
        self.is_certain |= bool(own)
        return own[0] if own else None

    def _amounting(self, item: Mention | None) -> Agg | None:
        """`total amount of unpaid bills`: what they amount to, where a column of theirs is called so."""
        said = [each for each in self.cues if each.kind == "count" and item and each.end <= item.start]
        if not item or not said or "amount" not in self.text(said[-1].start, said[-1].end).lower():
            return None
        table = self._table(item) if self._has_table(item) else None
        named = self.reader.names.find((stem("amount"),)) if table else ()
        own = [each.column for each in named if table and each.table.key == table.key and each.score >= FLAG]
        amount = next((each for each in own if each and each.kind == "number"), None)
        return Agg("sum", Col(table.key, amount.name)) if table and amount else None

    def _counted(self, item: Mention | None, distinct: bool) -> Agg | None:
        if item is None:
            return Agg("count", Rows(self.near[0])) if self.near else None
        if self._has_table(item):
            table = self._table(item)
            return Agg("count", Rows(table.key)) if table else None
        column = self._column(item)
        if column and not distinct and _says_how_many(column.name) and self._is_number(column):
            return Agg("sum", column)
        return Agg("count", column, distinct=distinct or not self._tells_deed(item, column)) if column else None

    def _tells_deed(self, item: Mention, column: Col) -> bool:
        """Whether a date tells that something was done, and its days are not what is counted: `delivered parcels`."""
        stored = self.reader.catalog.column(*column.table, column.name)
        words = {self.tokens[n].stem for n in range(item.start, item.end)}
        return stored is not None and stored.is_time and _DAYS.isdisjoint(words)

    def _sounds_of_money(self, item: Mention) -> bool:
        """`revenue in 2025` wants a sum, whether a column is called so or not; so does a measure of the glossary."""
        if item.term and item.term.measure:
            return True
        return any(self.tokens[n].stem in MONEY for n in range(item.start, item.end))

    def _is_money(self, item: Mention) -> bool:
        words = {self.tokens[n].stem for n in range(item.start, item.end)}
        strong = [each for each in item.targets if each.score >= 0.9 and each.column and each.column.kind == "number"]
        reaches = self.reader.joins.reaches
        reachable = [each for each in strong if not self.near or reaches(self.near[0], each.table.key)]
        return bool(words & MONEY) and not reachable

    def _money(self, item: Mention | None = None) -> Expr | None:
        """Revenue at the grain that the groups and the entity need: the first whose rows nothing repeats."""
        wanted = [key for key in self._wanted_tables() if key]
        options = self.reader.resolver.money()
        best: tuple[float, Expr] | None = None
        for place, option in enumerate(options):
            anchor = next(iter(columns_in(option))).table
            steps = self.reader.joins.tree(anchor, wanted)
            if steps is None:
                continue
            cost = place + 20 * any(step.multiplies for step in steps) + 0.3 * sum(step.cost for step in steps)
            if best is None or cost < best[0]:
                best = (cost, option)
        if best is None:
            return None
        said = item.text if item else "money"
        self.lines.append(f"{said} → {said_as(best[1])}")
        if item:
            self.claimed.update(range(item.start, item.end))
        self.claimed.update(n for n, token in enumerate(self.tokens) if token.stem in MONEY)
        return best[1]

    def _groups(self) -> list[Expr]:
        groups: list[Expr] = []
        for item in self.slots.groups:
            for each in self._group(item):
                if self._is_time(each) and (self.grains or (self.periods and len(self.slots.groups) > 1)):
                    continue  # `by month, by order date`: which date the months are of
                if each not in groups:
                    groups.append(each)
        return groups

    def _group(self, item: Mention) -> list[Expr]:
        if self._has_table(item):
            table = self._table(item)
            return list(self.reader.resolver.label(table)) if table else []
        column = self._column(item)
        return [column] if column else []

    def _aggregate(self, measures: list[Expr], groups: list[Expr]) -> Query:
        """The measures by groups and grains; how many rows there are where none is named."""
        measures = self._with_shown(measures, groups)
        anchor = next(columns_in(measures[0])).table
        if anchor not in self.near:
            self.near.append(anchor)
        buckets = self._buckets(anchor)
        keys = [*buckets, *groups]
        shown = [self._wrapped(each, keys) for each in measures]
        keyed = self._keyed(groups)
        select = (*keys, *(each for some in shown for each in some))
        order = tuple(Order(each) for each in buckets)
        within = [key for each in select if isinstance(each, Running) for key in each.by if isinstance(key, Bucket)]
        return Query(anchor, select, group=tuple(dict.fromkeys((*buckets, *within, *keyed))), order=order)

    def _with_shown(self, measures: list[Expr], groups: list[Expr]) -> list[Expr]:
        """The measures with the numbers that are named; money, or a count, where there are none."""
        for item in list(self.slots.shown):
            measures = [*measures, *self._shown_measure(item, groups)]
        measures = [each for each in measures if each not in self.of_rows] or measures
        money = self._money() if not measures and self._said_money() else None
        if measures or money:
            return measures or [Agg("sum", money)]  # type: ignore[arg-type]
        if self.entity is None and not groups:
            raise Unreadable("no measure")
        return [Agg("count", Rows(self.entity.key if self.entity else next(columns_in(groups[0])).table))]

    def _buckets(self, anchor: TableKey) -> list[Expr]:
        """The grains asked for; that of the periods where two are compared."""
        buckets: list[Expr] = [self._bucket(grain, anchor) for grain in self.grains]
        if not buckets and len(self.periods) > 1 and any(cue.kind == "versus" for cue in self.cues):
            return [Bucket(self.periods[0].grain, self._time(anchor, self.periods[0]))]
        return buckets

    def _keyed(self, groups: list[Expr]) -> list[Expr]:
        """Groups by a label also group by its table's key, so that namesakes stay apart."""
        keyed: list[Expr] = []
        for each in groups:
            table = self.reader.catalog.table(*each.table) if isinstance(each, Col) else None
            named = table is not None and any(self._has_table(item) for item in self.slots.groups)
            if table and named and each in self.reader.resolver.label(table):
                keyed += [Col(table.key, name) for name in self.reader.resolver.key(table)]
            keyed.append(each)
        return list(dict.fromkeys(keyed))

    def _rate(self, item: Mention) -> Agg | None:
        """`return rate`: the mean of a flag, where the word before `rate` names one."""
        follows = self.tokens[item.end].lower if item.end < len(self.tokens) else ""
        last = self.tokens[item.end - 1].lower
        if follows != "rate" and last != "rate":
            return None
        words = [self.tokens[n].stem for n in range(item.start, item.end) if self.tokens[n].lower != "rate"]
        named = [each for word in words for each in self.reader.names.find((word,)) if each.column]
        flags = [each for each in named if each.column and each.column.kind == "flag"]
        best = self.reader.resolver.best(flags, self.near, None)
        if not best or not best[0][1].column:
            return None
        target = best[0][1]
        self._claim(item, f"{item.text} rate → mean of {shown_name(target.table.key)}.{best[0][1].column.name}")
        self.claimed.add(item.end)
        return Agg("avg", Col(target.table.key, best[0][1].column.name))

    def _shown_measure(self, item: Mention, groups: list[Expr]) -> list[Expr]:
        """A number named without an aggregate: summed or averaged; another column becomes a group."""
        if named := self._defined(item) or self._rate(item):
            return [named]
        if self._is_money(item) and (money := self._money(item)):
            return [Agg("sum", money)]
        column = self._column(item, ("number",))
        if column is None:
            return []
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        if table and found and found.kind == "number" and not self.reader.resolver.is_key(table, column.name):
            return [self.reader.resolver.default_aggregate(column)]
        if column not in groups:
            groups.insert(0, column)
        return []

    def _wrapped(self, measure: Expr, keys: list[Expr]) -> list[Expr]:
        """The measure as share, growth, running total or moving average where a cue asks."""
        kinds = {cue.kind: cue for cue in self.cues}
        if "share" in kinds and keys:
            return [Share(measure, kinds["share"].data["scale"])]
        seen = along(measure, keys, self.cues, self.lags_year, self.text(0, len(self.tokens)).lower())
        return [measure, seen] if seen != measure and self._shown_beside() else [seen]

    def _shown_beside(self) -> bool:
        """`revenue by month with its growth`: the measure is named before, and the change or total so far put to it."""
        cue = next((each for each in self.cues if each.kind in ("growth", "running", "moving")), None)
        named = [each for each in self.mentions if cue and each.end <= cue.start and each in self._measured()]
        between = {token.lower for token in self.tokens[named[-1].end : cue.start]} if cue and named else set()
        return bool(between & _BESIDE)

    def _measured(self) -> list[Mention]:
        return [*self.slots.shown, *(item for _, item, _ in self.slots.measures if item), *self._entities()]

    def _entities(self) -> list[Mention]:
        return [self.slots.entity] if self.slots.entity else []

    def _bucket(self, grain: GrainMention, anchor: TableKey) -> Bucket:
        self.claimed.update(range(grain.start, grain.end))
        dated = self.dated.get(grain.start)
        column = Col(dated.table.key, dated.column.name) if dated and dated.column else self._time(anchor, grain)
        self.lines.append(f"{grain.grain} → {shown_name(column.table)}.{column.name}")
        return Bucket(grain.grain, column)
