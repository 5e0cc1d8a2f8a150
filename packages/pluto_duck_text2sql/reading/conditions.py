"""What restricts the rows: stored values, periods, comparisons, flags, what never happened, what exists."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import is_calendar, newest_day
from pluto_duck_text2sql.data.links import Mention, Target
from pluto_duck_text2sql.data.presence import Presence
from pluto_duck_text2sql.data.qualifiers import FLAG
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.data.yes_no import denied, yes_of
from pluto_duck_text2sql.language.words import table_stems, tokenise
from pluto_duck_text2sql.reading.against import Against
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.deeds import TRADED
from pluto_duck_text2sql.reading.slots import Choice, Unreadable
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Expr,
    Missing,
    Product,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.expressions import contrary
from pluto_duck_text2sql.trees.phrases import (
    NO_TABLE,
    TIE,
    counted_from,
    flat,
    hit_label,
    range_text,
    shown_name,
)
from pluto_duck_text2sql.trees.units import as_stored, unit_said
from pluto_duck_text2sql.trees.years import year_said

_RIGHT_BEFORE = 1
"""How many words stand between a noun and the value right after it: `customers in Ireland`."""
_WHATEVER = frozenset("something anything ever".split())


class Conditions(Against):
    """Builds the conditions of a query."""

    def _conditions(self, query: Query) -> list[Cond]:
        conditions: list[Cond] = [*self._value_conditions(query), *self._period_conditions(query)]
        conditions += self._cycle_conditions(query)
        conditions = self._absent(query, conditions)
        conditions += [made for cue, item in self.slots.compares if (made := self._comparison(cue, item, query))]
        conditions += self._presences(query)
        conditions += self._flags(query)
        conditions += self._numbered(query)
        conditions += [made for each in self.slots.likes if (made := self._like(*each))]
        conditions += self._term_conditions(query)
        conditions += self._existence(query, conditions)
        return self._into_deeds(query, conditions)

    def _value_conditions(self, query: Query) -> list[Cond]:
        """One condition for each column; several values of one column are alternatives."""
        by_column: dict[tuple[Col, bool], list[str]] = {}
        for item, negated in self.slots.values:
            hit = self._hit(item, query)
            self._claim(
                item, hit.score, f"{item.text} → {shown_name((hit.schema, hit.table))}.{hit.column} = {hit.value!r}"
            )
            by_column.setdefault((Col((hit.schema, hit.table), hit.column), negated), []).append(hit.value)
        made: list[Cond] = []
        for (column, negated), values in by_column.items():
            unique = tuple(dict.fromkeys(values))
            if len(unique) == 1:
                made.append(Compare(column, "!=" if negated else "=", unique[0]))
            elif not negated and self._wants_both() and column.table != query.anchor:
                made += [Related(column.table, (Compare(column, "=", value),)) for value in unique]
            else:
                made.append(Among(column, unique, negated))
        return [Either(tuple(made))] if len(made) == len(self.slots.values) == 2 and self._are_joined() else made

    def _are_joined(self) -> bool:
        """Whether an `or` stands between the two values that are said."""
        one, other = sorted((item for item, _ in self.slots.values), key=lambda each: each.start)
        return any(cue.kind == "or" and one.end <= cue.start < other.start for cue in self.cues)

    def _presences(self, query: Query) -> list[Cond]:
        made = []
        for each in self.presences:
            condition = self._presence(each, query)
            self.claimed.update(range(each.start, each.end) if self._present(each, query) else ())
            made += [condition] if condition else []
        return made

    def _presence(self, presence: Presence, query: Query) -> Cond | None:
        """`with a known reason`: the column holds something; where nothing is named, what groups or is shown does."""
        column = self._present(presence, query)
        if column is None:
            return None
        if presence.counted:
            return Compare(column, ">" if presence.known else "=", 0)
        hits = self.reader.catalog.values.lookup("unknown", 50)
        said = [h.value for h in hits if ((h.schema, h.table), h.column) == (column.table, column.name)]
        if said and not self._has_gaps(column):
            return Compare(column, "!=" if presence.known else "=", said[0])
        missing = Missing(column, negated=presence.known)
        return None if missing in query.where else missing

    def _present(self, presence: Presence, query: Query) -> Col | None:
        if presence.targets:
            best = self.reader.resolver.best(presence.targets, [query.anchor, *self.near], None)
            target = next((each for _, each in best if self._may_miss(each)), best[0][1])
            return Col(target.table.key, target.column.name) if target.column else None
        named = [each for each in (*query.group, *query.select) if isinstance(each, Col)]
        return next((each for each in named if self._has_gaps(each)), None)

    def _may_miss(self, target: Target) -> bool:
        return target.column is not None and self._has_gaps(Col(target.table.key, target.column.name))

    def _wants_both(self) -> bool:
        """Whether one thing must have all of the values, each in a row of its own: both Jazz and Classical."""
        said = [token.lower for token in self.tokens]
        return "both" in said or any(said[n : n + 3] == ["as", "well", "as"] for n in range(len(said)))

    def _term_conditions(self, query: Query) -> list[Cond]:
        """What the glossary's restrictions ask, each of the table nearest to what is asked."""
        near, made = [query.anchor, *self.near], list[Cond]()
        for item, is_negated in self.slots.filters:
            self.claimed.update(range(item.start, item.end))
            option = min(item.term.options if item.term else (), key=lambda each: self._steps_to(each, near))
            whole = option[0] if len(option) == 1 else Every(option)
            made += [contrary(whole)] if is_negated else option
        return made

    def _kept(self, item: Mention) -> tuple[Cond, ...]:
        """What the glossary asks of the rows that a mention names, for whoever relates to them."""
        self.slots.filters = [each for each in self.slots.filters if each[0] is not item]
        return item.term.options[0] if item.term and item.term.options else ()

    def _steps_to(self, option: tuple[Cond, ...], near: list[TableKey]) -> float:
        tables = {each.table for each in columns_in(option)}
        return sum(min(self.reader.joins.distance(a, b) + 0.1 * n for n, a in enumerate(near)) for b in tables)

    def _hit(self, item: Mention, query: Query) -> ValueHit:
        """The stored value meant: of a column named beside it, else of the nearest table."""
        beside = self._named_beside(item)
        near = [query.anchor, *self.near]
        told = [each for each in self.mentions if self._has_table(each) and self._leads_to(each, item)]
        of = {t.table.key for each in told[-1:] for t in each.targets[:1]}
        of -= set() if told and item.start - told[-1].end <= _RIGHT_BEFORE else {query.anchor}

        def score(hit: ValueHit) -> float:
            key = (hit.schema, hit.table)
            distance = min(self.reader.joins.distance(each, key) + 0.1 * n for n, each in enumerate(near))
            table = self.reader.catalog.table(*key)
            preferred = 0.02 * table.preference if table else 0.0
            return (
                hit.score
                + preferred
                + 0.6 * ((key, hit.column) in beside)
                + 0.3 * (key in of)
                - 0.15 * min(distance, 8)
            )

        scored = sorted(
            ((score(hit), hit) for hit in item.hits), key=lambda pair: (-pair[0], pair[1].table, pair[1].column)
        )
        labels = list(dict.fromkeys(hit_label(hit) for value, hit in scored if value >= scored[0][0] - TIE))
        if len(labels) > 1:
            self.choices.append(Choice(item.text, tuple(labels[:4])))
        forced = [hit for _, hit in scored if self.forced and hit_label(hit) == self.forced]
        self.weakest = min(self.weakest, scored[0][1].score)
        return (forced or [scored[0][1]])[0]

    def _named_beside(self, item: Mention) -> set[tuple[TableKey, str]]:
        beside = [
            each
            for each in self.mentions
            if each is not item and min(abs(each.end - item.start), abs(each.start - item.end)) <= 2
        ]
        for each in beside:
            if each.targets and each in self.slots.also:
                self.claimed.update(range(each.start, each.end))
        return {(t.table.key, t.column.name) for each in beside for t in each.targets if t.column and t.score >= 0.5}

    def _period_conditions(self, query: Query) -> list[Cond]:
        made: list[Cond] = []
        for period in self.periods:
            year = self._year_column(period, query)
            if year:
                made.append(year)
                continue
            try:
                column = self._time(self._time_owner(period, query.anchor), period)
            except Unreadable:
                continue
            self.claimed.update(range(period.start, period.end))
            start, end = period.resolve(self._counted_from(period, column))
            made.append(self._during(column, start, end))
            said, where = self.text(period.start, period.end), f"{shown_name(column.table)}.{column.name}"
            self.lines.append(f"{said} → {range_text(start, end)} of {where}")
            if period.relative:
                self.assumptions.append(counted_from(self._anchor_day(column)))
        fixed = list(dict.fromkeys(each for each in made if isinstance(each, During)))
        kept = [each for each in fixed if not any(_is_part(other, each) for other in fixed)]
        fixed = fixed if any(cue.kind == "versus" for cue in self.cues) else kept
        others = [each for each in made if not isinstance(each, During)]
        if len(fixed) > 1 and self._wants_both() and all(self._is_of_many(each, query) for each in fixed):
            return [*others, *(Related(each.left.table, (each,)) for each in fixed if isinstance(each.left, Col))]
        return [*others, Either(tuple(fixed))] if len(fixed) > 1 else [*others, *fixed]

    def _cycle_conditions(self, query: Query) -> list[Cond]:
        """`on weekends`: the weekday of the time that periods of the same rows would be of."""
        made = list[Cond]()
        for cycle in (each for each in self.cycles if each.restricts):
            column = self._time(query.anchor, cycle)
            self.claimed.update(range(cycle.start, cycle.end))
            made.append(cycle.condition(column))
            self.lines.append(
                f"{self.text(cycle.start, cycle.end)} → weekday of {shown_name(column.table)}.{column.name}"
            )
        return made

    def _is_of_many(self, condition: During, query: Query) -> bool:
        """Whether what is listed has many rows of which the condition may hold."""
        column = condition.left
        is_measured = any(is_total(each) and not _counts_rows(each, query) for each in query.select)
        return not is_measured and isinstance(column, Col) and self.reader.joins.belongs(column.table, query.anchor)

    def _year_column(self, period: Period, query: Query) -> Cond | None:
        """A bare year means a column of years where there is no time column."""
        if not period.bare_year:
            return None
        near = [query.anchor, *self.near]
        has_time = any(c.is_time for key in near for c in (self.reader.catalog.table(*key) or NO_TABLE).columns)
        targets = [each for each in self.reader.names.find(("year",)) if each.column]
        scored = self.reader.resolver.best(targets, near, None)
        if has_time or not scored:
            return None
        column = year_said(scored[0][1].table, {token.stem for token in self.tokens}) or scored[0][1].column
        assert column is not None
        self.claimed.update(range(period.start, period.end))
        start, _ = period.resolve(self.reader.today)
        year = start.year if start else 0
        return Compare(Col(scored[0][1].table.key, column.name), "=", year if column.kind == "number" else str(year))

    def _during(self, column: Col, start: dt.date | None, end: dt.date | None) -> Cond:
        if start and end:
            return During(column, start, end)
        return Compare(column, ">=", start) if start else Compare(column, "<", end)

    def _counted_from(self, period: Period, column: Col) -> dt.date:
        """On a day that the question calls today, the last month is never that day's own."""
        day = self._anchor_day(column)
        return day - dt.timedelta(days=1) if period.complete and self.counted_from else day

    def _anchor_day(self, column: Col) -> dt.date:
        """The day that the question counts from, else today, or the data's last day where the data ends earlier."""
        return self._said_day() or self.reader.catalog.last_day(*column.table, column.name, self.reader.today)

    def _said_day(self) -> dt.date | None:
        """The day itself, or the last on which something happened; None where the question says neither."""
        said = self.counted_from
        if said is None or not said.of:
            return said.day if said else None
        stems = tuple(token.stem for token in tokenise(said.of))
        days = (self._last_day_of(each) for each in self.reader.resolver.best(self._named(stems), self.near, None))
        return next((each for each in days if each), None)

    def _named(self, stems: tuple[str, ...]) -> list[Target]:
        """What the words name together, else the last of them that names something."""
        parts = [stems, *((each,) for each in reversed(stems))]
        return next((found for part in parts if (found := list(self.reader.names.find(part)))), [])

    def _last_day_of(self, scored: tuple[float, Target]) -> dt.date | None:
        """The last day in a time column, or in that which dates a table's rows."""
        target = scored[1]
        column = Col(target.table.key, target.column.name) if target.column else None
        times = self.reader.resolver.time_column([target.table.key], frozenset()) if column is None else []
        column = column or next((each for _, each in times if each.table == target.table.key), None)
        if column is None or not self._is_time(column):
            return None
        return newest_day(self.reader.catalog.column(*column.table, column.name))

    def _comparison(self, cue: Cue, item: Mention | None, query: Query) -> Cond | None:
        self.claimed.update(range(cue.start, cue.end))
        if item is not None and self._has_table(item) and cue.kind == "cmp":
            table = self._table(item)
            if table and table.key != query.anchor:
                distinct = bool(cue.data.get("distinct"))
                return Related(table.key, self._kept(item), count=(cue.data["op"], cue.data["n"]), distinct=distinct)
            if table and query.select and (query.group or all(isinstance(each, Col) for each in query.select)):
                self.is_certain |= bool(query.group)
                self._having.append(Compare(Agg("count", Rows(table.key)), cue.data["op"], cue.data["n"]))
                return None
        often = self._often(cue, query) if item is None else None
        if often:
            return often
        defined = self._defined_beside(cue, item)
        if defined and cue.kind == "cmp":
            self._having.append(Compare(defined, cue.data["op"], cue.data["n"]))
            return None
        total = self.compared.get(cue.start)
        if total is not None and cue.kind != "between":
            of_all = Query(next(columns_in(total)).table, (total,))
            self._having.append(Compare(total, cue.data["op"], of_all if cue.kind == "cmp_avg" else cue.data["n"]))
            return None
        if cue.kind == "cmp" and item is None and (self._says_money(cue) or self._says_total(cue)):
            money = self._money_compared(cue, query)
            if money or self._having:
                return money
        if cue.kind == "cmp_avg":
            return self._against_average(cue, item, query)
        column = self._compared_column(cue, item, query)
        if column is None:
            return None
        if cue.kind == "between":
            low, high = (self._as_stored(cue, cue.data[each], column) for each in "ab")
            self.lines.append(f"{shown_name(column.table)}.{column.name} from {low:g} to {high:g}")
            raise_low, raise_high = Compare(column, ">=", low), Compare(column, "<=", high)
            self._extra.append(raise_high)
            return raise_low
        return Compare(column, cue.data["op"], self._as_stored(cue, cue.data["n"], column))

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

    @property
    def _extra(self) -> list[Cond]:
        if not hasattr(self, "_extras"):
            self._extras: list[Cond] = []
        return self._extras

    def _numbered(self, query: Query) -> list[Cond]:
        """`zip code 197`, `class 10018`: a number right after a column's name is its value."""
        made: list[Cond] = []
        for n, token in enumerate(self.tokens):
            if not token.lower[:1].isdigit() or token.quoted or n in self.claimed or self.words.taken(n):
                continue
            words = [self.tokens[n - 1].lower] if n else []
            end = n - 1 if words and words[0] in ("is", "number", "equals", "was") else n
            before = next(
                (each for each in self.mentions if each.end == end and any(t.column for t in each.targets)), None
            )
            column = self._column(before, ("number", "text")) if before else None
            if column is None:
                continue
            self.claimed.add(n)
            if before in self.slots.shown and (len(self.slots.shown) > 1 or self.slots.entity):
                self.slots.shown.remove(before)
            made.append(Compare(column, "=", token.number if self._holds_numbers(column) else token.text))
        return made

    def _flags(self, query: Query) -> list[Cond]:
        """`discontinued products`, `are active`: a two-valued column named as an adjective holds its true value."""
        made: list[Cond] = []
        for item in [*self.slots.also, *self.slots.shown]:
            flags = [
                each for each in item.targets if each.column and each.score >= 0.9 and yes_of(each.column) is not None
            ]
            near = [e for e in flags if e.table.key in (query.anchor, *self.near) or is_calendar(e.table)]
            if near and near[0].column:
                column = Col(near[0].table.key, near[0].column.name)
                if column not in query.select or len(query.select) == 1:
                    self._claim(item, 1.0, f"{item.text} → {shown_name(column.table)}.{column.name} is true")
                    negated = self.never is not None and self.never.end <= item.start <= self.never.end + 1
                    made.append(
                        denied(column, near[0].column) if negated else Compare(column, "=", yes_of(near[0].column))
                    )
        return made

    def _absent(self, query: Query, conditions: list[Cond]) -> list[Cond]:
        """With what there must be none of: `never bought a Latin track` is no such row that is Latin."""
        absent = self._absences(query)
        if self.never and not absent and not self.slots.absent and self._all_after_never():
            deed = self._deed(self.never.start)
            absent = [Related(deed, negated=True)] if deed else []
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

    def _like(self, cue: Cue, text: str, item: Mention | None, negated: bool) -> Cond | None:
        column = self._column(item, ("text",)) if item else None
        if column is None and self.entity:
            column = self.reader.resolver.label(self.entity)[0]
        if column is None:
            return None
        return Compare(column, "not like" if negated else "like", cue.data["like"].format(text))

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


def _counts_rows(shown: Expr, query: Query) -> bool:
    return shown == Agg("count", Rows(query.anchor))


def _said(condition: Cond) -> Cond:
    """The condition itself, where "never" before it made its contrary of it."""
    if isinstance(condition, Compare) and condition.operator == "!=":
        return replace(condition, operator="=")
    return replace(condition, negated=False) if isinstance(condition, Among) else condition


def _is_part(one: During, whole: During) -> bool:
    """Whether a period is a part of another: `in 2012 … in March 2012` is March."""
    return one != whole and one.left == whole.left and whole.start <= one.start and one.end <= whole.end
