"""Second pass: which table, column or date each mention means, by the tables already in play.

Where two fit equally well a Choice is noted, so that the analyst can ask, or try the other one.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.abbreviations import spelt_out
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import root, stem
from pluto_duck_text2sql.reading.roles import Roles
from pluto_duck_text2sql.reading.slots import Choice, Unreadable
from pluto_duck_text2sql.times.cycles import Cycle
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import (
    Col,
    Expr,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.phrases import (
    NO_TABLE,
    TIE,
    label_of,
    shown_name,
)
from pluto_duck_text2sql.trees.years import own_year, year_columns

_BEGINS, _OWN = 0.55, 0.3
_LEAST_CODE = 3
_WHOLE = frozenset(map(stem, ("total", "grand")))
"""What a word scores that a longer name of a table begins with: `claims` of claim documents."""
_NAMED = 0.95
"""How well a word must name a table for it to be the one of several that is meant."""


def _only_begins(target: Target) -> bool:
    """Whether the word says no more of a table than what its rows belong to."""
    return target.column is None and target.score <= _BEGINS


def _names_table(target: Target) -> bool:
    return target.column is None and target.score >= _NAMED


def _things(ties: list[Target]) -> list[Target]:
    """Of equally good meanings those that are no mere links between rows: amenities are no `has_amenity`."""
    return [each for each in ties if each.column or not _only_links(each.table)] or ties


def _only_links(table: Table) -> bool:
    """Whether a table has no column of its own, only keys of two others."""
    keys = {name for each in table.foreign_keys for name in each.columns}
    return len(keys) > 1 and all(each.name in keys for each in table.columns)


def _beside(ties: list[Target], adjacent: TableKey | None) -> list[Target]:
    """Of equally good meanings those of the table that a word right beside names: the `manufacturer name`."""
    return [each for each in ties if each.table.key == adjacent] or ties


class Naming(Roles):
    """Decides what mentions mean."""

    def _times_of_periods(self) -> None:
        """`born before 1955`: a time column right before a period says which date is meant, and is not shown."""
        starts = {period.start for period in self.periods}
        for item in list(self.slots.shown):
            times = [each for each in item.targets if each.column and each.column.is_time]
            if times and item.end in starts:
                self.slots.shown.remove(item)
                self.claimed.update(range(item.start, item.end))

    def _entity(self) -> Table | None:
        item = self.slots.entity
        if item is None:
            return self._entity_by_role()
        tables = [each for each in item.targets if each.column is None]
        best = self._choose(item.text, tables, [], None)
        self._claim(item, f"{item.text} → {shown_name(best.table.key)}")
        return best.table

    def _entity_by_role(self) -> Table | None:
        """`which sales manager …`: a stored role or kind asked for like a table means the rows that have it; of the
        only table wherever it stands: `how many movies`."""
        only = self._only_table()
        if only is not None:
            return only
        if self.slots.shown or not self.slots.values or self.slots.groups or self.slots.measures:
            return None
        item = self.slots.values[0][0]
        asked = item.start > 0 and self.tokens[item.start - 1].lower in ("which", "what", "the", "all")
        tables = {(hit.schema, hit.table) for hit in item.hits}
        return self.reader.catalog.table(*next(iter(tables))) if asked and len(tables) == 1 else None

    def _only_table(self) -> Table | None:
        """The only table, where the question asks for such of its rows as a value tells, or for their number."""
        every, slots = self.reader.catalog.tables, self.slots
        counts = all(function == "count" and item is None for function, item, _ in slots.measures)
        is_such = bool(slots.values) and not slots.shown and counts
        return every[0] if len(every) == 1 and is_such and slots.best is None else None

    def _note_tables(self) -> None:
        """Tables named anywhere draw the columns towards them; so does what the glossary's terms are of."""
        self.near += [key for key in self._tables_of_terms() if key not in self.near]
        for item in [
            *self.slots.also,
            *self.slots.groups,
            *self.slots.absent,
            *self._compared_and_measured(),
        ]:
            for target in item.targets[:1]:
                if target.column is None and target.table.key not in self.near:
                    self.near.append(target.table.key)

    def _tables_of_terms(self) -> list[TableKey]:
        measured = [each.term.measure for each in self.terms if each.term.measure]
        named = [each.term.targets[0].table.key for each in self.terms if len(each.term.targets) == 1]
        return list(dict.fromkeys([*(each.table for part in measured for each in columns_in(part)), *named]))

    def _compared_and_measured(self) -> list[Mention]:
        compared = [item for _, item in self.slots.compares if item]
        return [*compared, *(item for _, item, _ in self.slots.measures if item)]

    def _choose(self, about: str, targets: list[Target], near: list[TableKey], adjacent: TableKey | None) -> Target:
        """The best target here; equally good ones are noted as a choice."""
        scored = self.reader.resolver.best(targets, near, adjacent)
        if not scored:
            raise Unreadable(about)
        likely = _beside(self._of_named(_things(self._likeliest(scored)[:4])), adjacent)
        ties = self._as_told(self._by_label(likely))
        labels = tuple(label_of(target) for target in ties)
        chosen = next((t for _, t in scored if self.forced and label_of(t) == self.forced), ties[0])
        if len(ties) > 1 and not _only_begins(ties[0]):
            self.choices.append(Choice(about, labels))
        self.weakest = min(self.weakest, chosen.score)
        return chosen

    def _likeliest(self, scored: list[tuple[float, Target]]) -> list[Target]:
        """The equally good ones at the top of a list that is not empty."""
        return self._within_reach([target for score, target in scored if score >= scored[0][0] - TIE])

    def _of_named(self, ties: list[Target]) -> list[Target]:
        """Of equally good columns those of a table that a word names: the balance across checking accounts."""
        named = {each.table.key for item in self.mentions for each in item.targets if _names_table(each)}
        return [each for each in ties if each.column and each.table.key in named] or ties

    def _within_reach(self, ties: list[Target]) -> list[Target]:
        """Of equally good ones those that keys join to most of what the question names besides.

        `revenue by channel` means the channel of the orders, though costs have one, too.
        """
        if len({target.table.key for target in ties}) < 2:
            return ties
        besides = [each.targets for each in self.mentions if each.targets and ties[0] not in each.targets]
        reached = [self._reached(target.table.key, besides) for target in ties]
        return [target for target, n in zip(ties, reached, strict=True) if n == max(reached)]

    def _reached(self, home: TableKey, besides: list[tuple[Target, ...]]) -> int:
        """How many of the mentions have a meaning that keys join to a table."""
        reaches = self.reader.joins.reaches
        return sum(any(reaches(home, each.table.key) for each in some) for some in besides)

    def _as_told(self, ties: list[Target]) -> list[Target]:
        """Of equally good ones the one that a word of the question tells apart: `average pressure` is the mean one."""
        said = roots_said(" ".join(token.text for token in self.tokens)) if len(ties) > 1 else ()
        names = [{*map(root, each.table.stems(each.column.name))} if each.column else set() for each in ties]
        apart = (name - set().union(*(each for each in names if each is not name)) for name in names)
        told = [each for each, own in zip(ties, apart, strict=True) if not own.isdisjoint(said)]
        return told if len(told) == 1 else ties

    def _by_label(self, ties: list[Target]) -> list[Target]:
        """Of equally good columns of one table, the one its rows are called by, or the total of the parts."""
        if len({target.table.key for target in ties}) > 1 or any(target.column is None for target in ties):
            return ties
        labels = {column.name for column in self.reader.resolver.label(ties[0].table)}
        whole = [target for target in ties if target.column and _WHOLE & {*target.table.stems(target.column.name)}]
        called = [target for target in ties if target.column and target.column.name in labels]
        keys = [target for target in ties if target.column and (target.column.name,) == target.table.primary_key]
        return called or (whole if len(whole) == 1 else keys) or ties

    def _claim(self, item: Mention, line: str) -> None:
        self.claimed.update(range(item.start, item.end))
        if line not in self.lines:
            self.lines.append(line)

    def _adjacent(self, item: Mention) -> TableKey | None:
        """The table named right before (`customer name`) or after `of` (`name of the customer`)."""
        for other in self.mentions:
            between = range(min(other.end, item.end), max(other.start, item.start))
            words = {self.tokens[n].lower for n in between if not other.start <= n < other.end}
            is_before = other.end == item.start
            is_of = (
                other.start > item.end and words and words <= {"of", "the", "each", "every", "all", "any", "for", "in"}
            )
            tables = [each for each in other.targets if each.column is None and each.score >= 0.6]
            if other is not item and tables and (is_before or is_of):
                return tables[0].table.key
        return None

    def _column(self, item: Mention, kinds: tuple[str, ...] = ()) -> Col | None:
        """The column a mention means, preferring those of a kind; None where it names none."""
        targets = self.reader.resolver.targets_of(item, tables=False)
        fitting = [each for each in targets if each.column and each.column.kind in kinds] if kinds else []
        if kinds == ("number",) and len(fitting) > 1:
            fitting = self._at_the_right_grain(fitting)
        if not targets:
            return None
        target = self._choose(item.text, fitting or targets, self.near, self._adjacent(item))
        assert target.column is not None
        self._claim(item, f"{item.text} → {shown_name(target.table.key)}.{target.column.name}")
        return Col(target.table.key, target.column.name)

    def _adjective_column(self, words: tuple[str, ...]) -> Col | None:
        own = self._own_time() if words[0] == "date" else None
        if own:
            return own
        targets = [
            replace(each, score=each.score - 0.1 * place)
            for place, word in enumerate(words)
            for each in self.reader.names.find((stem(word),))
            if each.column and (each.column.kind == "number" or each.column.is_time)
        ]
        if not targets:
            return None
        near = self.near or [target.table.key for target in targets[:1]]
        best = self.reader.resolver.best(targets, near, None)[0][1]
        assert best.column is not None
        return Col(best.table.key, best.column.name)

    def _own_time(self) -> Col | None:
        """When the rows asked for happened: the newest of them are no youngest people."""
        said = frozenset(token.stem for token in self.tokens)
        times = self.reader.resolver.time_column(self.near[:1], said) if self.near else []
        return next((each for _, each in times if each.table == self.near[0]), None)

    def _at_the_right_grain(self, targets: list[Target]) -> list[Target]:
        """Measures that the groups and filters do not repeat come first: revenue by product is that of the lines."""
        wanted = self._wanted_tables()
        whole = [each for each in targets if not self._repeats(each.table.key, wanted)]
        return whole or targets

    def _repeats(self, anchor: TableKey, wanted: list[TableKey]) -> bool:
        steps = self.reader.joins.tree(anchor, wanted)
        return steps is None or any(step.multiplies for step in steps)

    def _wanted_tables(self) -> list[TableKey]:
        wanted = list(self.near)
        for item in [*self.slots.groups, *(each for each, _ in self.slots.values)]:
            if item.hits:
                keys = {(hit.schema, hit.table) for hit in item.hits}
                if len(keys) == 1:
                    wanted += keys
            elif item.targets and item.targets[0].table.key not in wanted:
                best = self.reader.resolver.best(item.targets, self.near, None)
                if best and best[0][0] > 0.3:
                    wanted.append(self._likeliest(best)[0].table.key)
        return wanted

    def _table(self, item: Mention) -> Table | None:
        targets = self.reader.resolver.targets_of(item, tables=True)
        if not targets:
            return None
        target = self._choose(item.text, targets, self.near, None)
        self._claim(item, f"{item.text} → {shown_name(target.table.key)}")
        return target.table

    def _time(self, anchor: TableKey, at: Period | GrainMention | Cycle) -> Col:
        termed = {n for each in self.terms for n in range(each.start, each.end)}
        termed |= {n for each in self.periods for n in range(each.start, each.end)}
        free = [token for n, token in enumerate(self.tokens) if n not in termed]
        said = frozenset(word for token in free for word in (token.stem, token.lower))
        said |= {stem(f"{one.stem}{other.lower}") for one, other in pairwise(self.tokens)}  # signed up: signup
        said |= {each for token in free if token.text.isupper() for each in self._meant_by(token.lower)}
        options = self.reader.resolver.time_column([anchor, *self.near], said) or self._years(anchor, at, said)
        if not options:
            raise Unreadable("time")
        ties = [f"{shown_name(col.table)}.{col.name}" for score, col in options if score >= options[0][0] - TIE]
        if len(ties) > 1:
            self.choices.append(Choice("date", tuple(ties)))
        forced = [col for _, col in options if f"{shown_name(col.table)}.{col.name}" == self.forced]
        return (forced or [options[0][1]])[0]

    def _years(
        self, anchor: TableKey, at: Period | GrainMention | Cycle, said: frozenset[str]
    ) -> list[tuple[float, Col]]:
        """Of rows that keep no dates the years that they keep, for what is of whole years."""
        table = self.reader.catalog.table(*anchor)
        if table is None or isinstance(at, Cycle) or at.grain != "year":
            return []
        own = own_year(table)
        told = ((len(said & {*table.stems(each.name)}) + _OWN * (each == own), each) for each in year_columns(table))
        return sorted(((score, Col(anchor, each.name)) for score, each in told), key=lambda pair: -pair[0])

    def _meant_by(self, code: str) -> set[str]:
        """The stems of dates that a code may be short for: EXP, put for expired, of an expiry."""
        tables = self.reader.catalog.tables
        times = (table.stems(each.name) for table in tables for each in table.columns if each.is_time)
        begun = {each for stems in times for each in stems if len(code) >= _LEAST_CODE and each.startswith(code)}
        return {stem(spelt_out(code)), *begun}

    def _stems_of(self, column: Expr) -> tuple[str, ...]:
        table = self.reader.catalog.table(*column.table) if isinstance(column, Col) else None
        return table.stems(column.name) if table and isinstance(column, Col) else ()

    def _is_time(self, expression: Expr) -> bool:
        column = self.reader.catalog.column(*expression.table, expression.name) if isinstance(expression, Col) else None
        return bool(column and column.is_time)

    def _is_number(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        return bool(
            found and found.kind == "number" and not self.reader.resolver.is_key(table or NO_TABLE, column.name)
        )

    def _holds_numbers(self, column: Col) -> bool:
        found = self.reader.catalog.column(*column.table, column.name)
        return bool(found and found.kind == "number")

    def _has_gaps(self, column: Col) -> bool:
        found = self.reader.catalog.column(*column.table, column.name)
        return bool(found and found.null_fraction)
