"""Rows as they are, and the best of them: listings, superlatives, top n, top n of each group."""

from __future__ import annotations

from pluto_duck_text2sql.corrections.shapes import FEW
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.cues import ADJECTIVES, Cue
from pluto_duck_text2sql.reading.measuring import Measuring
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Col,
    Days,
    Expr,
    Missing,
    Order,
    Query,
    Ratio,
    Rows,
    TableKey,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS, said_as

_MERIT = Pattern(r"\b(?:best|top|worst|biggest|largest|smallest|greatest|bottom)\b")

_LARGEST = Pattern(r"largest|biggest|highest|smallest|lowest|greatest|maximum|minimum|max|min")


class Listing(Measuring):
    """Builds queries that list rows."""

    def _listing(self) -> Query:
        shown = self._listed(self.entity)
        if not shown:
            raise Unreadable("nothing to show")
        anchor = self.entity.key if self.entity else next(columns_in(shown[0])).table
        if anchor not in self.near:
            self.near.append(anchor)
        return Query(anchor, tuple(shown), distinct=self.distinct)

    def _lists_each(self) -> bool:
        """`the name and detail of each staff member`: a row for each, of which nothing is counted or added up."""
        computes = any(cue.kind in ("share", "growth", "running", "moving", "versus") for cue in self.cues)
        alone = self.slots.each and len(self.slots.groups) == 1 and self._has_table(self.slots.groups[0])
        if not alone or computes or self.grains or not self.slots.shown or self.slots.entity is not None:
            return False
        table = self._table(self.slots.groups[0])
        if table is None or not all(self._is_told_of_each(item, table) for item in self.slots.shown):
            return False
        self.near.append(table.key)
        return True

    def _is_told_of_each(self, item: Mention, table: Table) -> bool:
        """Whether what is shown is a row's own, or a text, which nothing adds up."""
        if self._is_money(item) or self._defined(item):
            return False
        best = max((each.score for each in item.targets if each.column), default=0.0)
        columns = [(each.table.key, each.column) for each in item.targets if each.column and each.score == best]
        return any(key == table.key or column.kind != "number" for key, column in columns)

    def _listed(self, table: Table | None) -> list[Expr]:
        self._drop_names_of_values()
        columns = [column for item in self.slots.shown for column in self._shown_columns(item, table)]
        owned = any(self.tokens[item.start - 1].lower in ("its", "their") for item in self.slots.shown if item.start)
        if columns and owned and table and self.slots.entity and self.slots.entity.start < self.slots.shown[0].start:
            columns = [*self.reader.resolver.label(table), *columns]
        if columns:
            return list(dict.fromkeys(columns))
        return list(self.reader.resolver.label(table)) if table else []

    def _drop_names_of_values(self) -> None:
        """`whose sex is F`, `Colorado state`: a column named beside its value is no column to show."""
        for item in list(self.slots.shown):
            columns = {(t.table.key, t.column.name) for t in item.targets if t.column}
            for value, _ in self.slots.values:
                beside = 0 <= value.start - item.end <= 2 or item.start == value.end
                others = len(self.slots.shown) > 1 or self.slots.entity is not None
                hits = {((hit.schema, hit.table), hit.column) for hit in value.hits}
                if beside and others and columns & hits and item in self.slots.shown:
                    self.slots.shown.remove(item)
                    self.claimed.update(range(item.start, item.end))

    def _shown_columns(self, item: Mention, table: Table | None) -> list[Col]:
        """The column a mention means; `name` of people who have two means both."""
        said = {self.tokens[n].stem for n in range(item.start, item.end)}
        label = self.reader.resolver.label(table) if table else []
        own = [each for each in item.targets if table and each.column and each.table.key == table.key]
        pair = len(label) == 2 and table is not None and stem("name") in table.stems(label[0].name)
        if table and said == {stem("name")} and label and (pair or not own):
            self._claim(item, f"{item.text} → {' and '.join(column.name for column in label)}")
            return label
        column = self._column(item)
        return [column] if column else []


class Ranking(Listing):
    """Builds queries that rank."""

    def _superlative(self, measures: list[Expr]) -> Query:
        """The best rows or groups, or the extreme value itself where it is of nothing that is named."""
        cue = self.slots.best
        assert cue is not None
        self._ranks_itself(cue)
        by, descends = self._ranked_by(cue)
        descending = bool(cue.data.get("desc", True)) if descends is None else descends
        if by and is_total(by):
            self.near.append(next(columns_in(by)).table)
        by = self._of_groups(by)
        is_of_all = isinstance(by, Col) and self.entity is None and (self.slots.groups or self._plain_grains())
        subject = None if is_of_all else self._subject(by)
        if subject is None:
            return self._extreme(by, descending, measures)
        place = cue.data.get("nth") or cue.data.get("n")
        limit = int(place) if place else self._default_limit()
        total = self._total_ranked_by(by, *subject)
        if total is not None or by is None:
            return self._ranked_groups(subject[0], total or Agg("count", Rows(self.near[0])), descending, limit, cue)
        return self._ranked_rows(*subject, Order(by, descending), limit, cue)

    def _total_ranked_by(self, by: Expr | None, keys: list[Expr], table: Table | None) -> Expr | None:
        """The total by which groups are ranked; None where rows are, by a column of theirs."""
        if by is None and not self.near:
            raise Unreadable("nothing to rank by")
        if by is None or is_total(by):
            return by
        if self.entity is None and self._is_category(keys[0]):
            return self.reader.resolver.default_aggregate(by)
        return Agg("sum", by) if self._needs_sum(by, table) else None

    def _ranked_rows(self, keys: list[Expr], table: Table | None, order: Order, limit: int, cue: Cue) -> Query:
        """The first rows by a column of theirs, which is shown where it was named after `top`."""
        by = order.by
        anchor = table.key if table else next(columns_in(by)).table
        shown = self._listed(table) or list(keys)
        per = self._per(anchor)
        named = [by] if cue.data.get("top") and self.slots.best_of and isinstance(by, Col) and by not in shown else []
        select = (*per, *(each for each in shown if each not in per), *named)
        return Query(anchor, select, order=(order,), limit=limit, nth="nth" in cue.data, per=per)

    def _of_groups(self, by: Expr | None) -> Expr | None:
        """`the channel with the highest revenue per order`: what is ranked are groups of rows, by their total."""
        others = [column for item in self.slots.shown if (column := self._column(item)) and column != by]
        ranks_groups = isinstance(by, Col) and self.entity is None and self.slots.each and bool(self.slots.groups)
        if isinstance(by, Col) and ranks_groups and others and self._is_category(others[0]):
            return self.reader.resolver.default_aggregate(by)
        return by

    def _ranks_itself(self, cue: Cue) -> None:
        """`our best customer`, `top customers`: the table after it is what is ranked, not what is counted."""
        item, said = self.slots.best_of, self.text(cue.start, cue.end).casefold()
        grouped = bool(self.slots.groups) and not self.slots.each
        alone = self.entity is None and not self.slots.shown and not grouped and not self.grains
        amount = item is not None and item.end < len(self.tokens) and self.tokens[item.end].lower in AMOUNT_WORDS
        if item and alone and not amount and self._has_table(item) and _MERIT.search(said):
            self.entity, self.slots.entity, self.slots.best_of = self._table(item), item, None
            self.near = [self.entity.key] if self.entity else self.near

    def _ranked_by(self, cue: Cue) -> tuple[Expr | None, bool | None]:
        """What is ranked by, and the direction an adjective fixes."""
        item = self.slots.best_of
        if cue.kind == "super_adj":
            return self._by_adjective(cue)
        if cue.kind == "bestselling":
            quantity = self._quantity()
            return (Agg("sum", quantity) if quantity else None), None
        if cue.kind == "popular":
            return self._demand(), None
        if item is not None:
            return self._by_name(cue, item), None
        largest = self._largest_of(cue, self.entity) if self.entity else None
        return self._implied() or largest or self._merit(), None

    def _by_adjective(self, cue: Cue) -> tuple[Expr | None, bool]:
        """What `cheapest` measures, and its direction; the youngest have the greatest date of birth."""
        words, descends = ADJECTIVES[cue.data["adj"]]
        column = self._adjective_column(words)
        if "price" in words and self.entity and (column is None or column.table != self.entity.key):
            amounts = self.reader.resolver.money()
            column = next((e for e in amounts if isinstance(e, Col) and e.table == self.entity.key), column)
        if column is None:
            return None, descends
        return column, (not descends if "birth" in name_stems(column.name) else descends)

    def _by_name(self, cue: Cue, item: Mention) -> Expr | None:
        """What a name says that is ranked by: a measure of the glossary's, a rate, rows, money, else a column."""
        if found := self._defined(item, self._function_before(item) or "") or self._rate(item):
            return found
        if self._has_table(item):
            table = self._table(item)
            amount = self._largest_of(cue, table) if table else None
            return amount or (Agg("count", Rows(table.key)) if table else None)
        measured = [each for each in self.slots.measures if each[1] is item]
        if measured:
            return self._measure(*measured[0])
        if self._is_money(item) and (money := self._money(item)):
            return Agg("sum", money)
        column = self._column(item, ("number", "time"))
        return self._by_column(column, self._function_before(item)) if column else None

    def _by_column(self, column: Col, function: str | None) -> Expr:
        """A number or a time, put together where a word says how; of all else how many different ones there are."""
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        if table and found:
            is_measure = found.kind == "number" or found.is_time
            if not is_measure or self.reader.resolver.is_key(table, column.name):
                return Agg("count", column, distinct=True)
        return Agg(function, column) if function else column  # type: ignore[arg-type]

    def _largest_of(self, cue: Cue, table: Table) -> Expr | None:
        """`the largest invoice` is the one of the largest amount; `the most invoices` counts them."""
        if not _LARGEST.search(self.text(cue.start, cue.end).casefold()):
            return None
        return next((e for e in self.reader.resolver.money() if isinstance(e, Col) and e.table == table.key), None)

    def _function_before(self, item: Mention) -> str | None:
        near = [cue for cue in self.cues if cue.kind == "agg" and cue.end <= item.start <= cue.end + 1]
        return near[0].data["fn"] if near else None

    def _implied(self) -> Expr | None:
        """`who spent the most`: money; `with the most`, with a number shown: that number."""
        if self._said_money():
            money = self._money()
            return Agg("sum", money) if money else None
        for function, item, distinct in self.slots.measures:
            made = self._measure(function, item, distinct)
            if made:
                return made
        numbers = [each for each in self.slots.shown if each is not self.slots.entity]
        for item in reversed(numbers):
            column = self._column(item, ("number",))
            table = self.reader.catalog.table(*column.table) if column else None
            found = table.column(column.name) if table and column else None
            if found and found.kind == "number":
                self.slots.shown.remove(item)
                return column
        return None

    def _merit(self) -> Expr | None:
        """`our top customers`, with nothing said to rank by: the money they bring, else how often they occur."""
        money = self._money() if self.entity and self.reader.resolver.money() else None
        if money is None or self.entity is None or not self._multiplies(self.entity.key, next(columns_in(money)).table):
            return self._demand()
        self.assumptions.append(f"{self.entity.name} are ranked by {said_as(money)}.")
        self._is_merit = True
        return Agg("sum", money)

    def _demand(self) -> Expr | None:
        """`the most popular artist`: how often a row is sold, else how many rows of another table belong to it."""
        entity = self.entity
        if entity is None:
            return None
        lines = [next(columns_in(each)).table for each in self.reader.resolver.money()]
        children = self.reader.joins.children(entity.key)
        reached = [each for each in lines if self._multiplies(entity.key, each)] or (
            children if len(children) == 1 else []
        )
        return Agg("count", Rows(reached[0])) if reached else None

    def _multiplies(self, one: TableKey, many: TableKey) -> bool:
        """Whether several rows of `many` may belong to one of `one`, and one at most the other way round."""
        steps = self.reader.joins.path(many, one)
        return bool(steps) and not any(step.multiplies for step in steps or ())

    def _subject(self, by: Expr | None) -> tuple[list[Expr], Table | None] | None:
        """What is ranked: the bucket asked for, the entity, or a column."""
        asked = [grain for grain in self.grains if grain.asked]
        if asked:
            tables = [next(columns_in(by)).table] if by else self.near
            if not tables:
                raise Unreadable("nothing whose time is asked")
            return [self._bucket(asked[0], tables[0])], None
        if self.slots.groups and not self.slots.each and self.entity is None:
            return self._groups(), None
        shown = [column for item in self.slots.shown if (column := self._column(item)) and column != by]
        if self.entity is not None and (not shown or by is None or not is_total(by)):
            if by is None and shown:
                return list(shown), self.entity
            return list(self.reader.resolver.label(self.entity)), self.entity
        if shown:
            table = self.reader.catalog.table(*shown[0].table)
            return list(shown), (table if self.entity is None else self.entity)
        return (list(self.reader.resolver.label(self.entity)), self.entity) if self.entity else None

    def _default_limit(self) -> int:
        """`which five countries …`: the number before what is ranked, else one."""
        for item in [self.slots.entity, *self.slots.shown]:
            before = self.tokens[item.start - 1] if item and item.start else None
            if before and before.number and not self.words.taken(item.start - 1 if item else 0):
                return int(before.number)
        return FEW if self._is_merit and self._is_plural() else 1

    _is_merit = False

    def _is_plural(self) -> bool:
        """Whether what is ranked is named in the plural."""
        item = self.slots.entity
        word = self.tokens[item.end - 1].lower if item else ""
        return word.endswith("s") and not word.endswith("ss")

    def _is_category(self, key: Expr) -> bool:
        """Whether rows share this column's values, so that ranking by a number means ranking groups."""
        table = self.reader.catalog.table(*key.table) if isinstance(key, Col) else None
        column = table.column(key.name) if table and isinstance(key, Col) else None
        return bool(column and table and column.n_distinct and column.n_distinct < 0.5 * (table.row_count or 0))

    def _needs_sum(self, by: Expr, table: Table | None) -> bool:
        """A measure of a table whose rows belong to the ranked one's is added up for each."""
        if table is None:
            return True
        steps = self.reader.joins.tree(table.key, {each.table for each in columns_in(by)})
        return bool(steps) and any(step.multiplies for step in steps or ())

    def _ranked_groups(self, keys: list[Expr], by: Expr, descending: bool, limit: int, cue: Cue) -> Query:
        anchor = next(columns_in(by)).table
        if anchor not in self.near:
            self.near.append(anchor)
        per, by = self._per_row(self._per(anchor), keys, by)
        shows_value = cue.data.get("top") or bool(per) or self._asks_value()
        group: list[Expr] = [*per]
        for each in keys:
            table = self.reader.catalog.table(*each.table) if isinstance(each, Col) else None
            if table and self.entity and table.key == self.entity.key and each in self.reader.resolver.label(table):
                group += [Col(table.key, name) for name in self.reader.resolver.key(table)]
            group.append(each)
        select = (*per, *(each for each in keys if each not in per), *((by,) if shows_value else ()))
        known = tuple(Missing(each, negated=True) for each in keys if isinstance(each, Col) and self._has_gaps(each))
        order = (Order(by, descending),)
        return Query(
            anchor, select, known, tuple(dict.fromkeys(group)), order=order, limit=limit, per=per, nth="nth" in cue.data
        )

    def _per(self, anchor: TableKey) -> tuple[Expr, ...]:
        """`for each country`, `in every month`: the groups within which the best is wanted."""
        if not self.slots.each and not self._plain_grains():
            return ()
        return (*(self._bucket(grain, anchor) for grain in self._plain_grains()), *self._groups())

    def _per_row(self, per: tuple[Expr, ...], keys: list[Expr], by: Expr) -> tuple[tuple[Expr, ...], Expr]:
        """`the channel with the highest revenue per order`: an order has one channel, so each one's revenue is divided
        by its orders; no best channel of each order is wanted."""
        table = self.reader.catalog.table(*per[0].table) if per and isinstance(per[0], Col) else None
        if table is None or not isinstance(by, Agg) or by.function not in ("sum", "count"):
            return per, by
        is_row = list(per) == self.reader.resolver.label(table)
        homes = {each.table for each in columns_in(tuple(keys))}
        steps = self.reader.joins.tree(table.key, homes) if is_row and by.of != Rows(table.key) else None
        if steps is None or any(step.multiplies for step in steps):
            return per, by
        return (), Ratio(by, Agg("count", Rows(table.key)))

    def _asks_value(self) -> bool:
        said = " ".join(token.lower for token in self.tokens)
        return any(
            each in said
            for each in ("and how many", "and how much", "and its", "and the number", "and the total", "along with")
        )

    def _extreme(self, by: Expr | None, descending: bool, measures: list[Expr]) -> Query:
        """`the highest price`: a value, not a row."""
        if isinstance(by, Agg) and isinstance(by.of, Age | Days):
            by = by.of
        if by is None or is_total(by):
            if measures:
                return self._aggregate(measures, self._groups())
            raise Unreadable("ranking")
        anchor = next(columns_in(by)).table
        self.near.append(anchor)
        groups = [*(self._bucket(grain, anchor) for grain in self._plain_grains()), *self._groups()]
        shown = Agg("max" if descending else "min", by)
        return Query(anchor, (*groups, shown), group=tuple(groups))
