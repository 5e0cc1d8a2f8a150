"""From words to a query tree: every cue and mention gets a role from the words before it, then roles make a tree.

One left-to-right pass; no rule knows a database. Where two columns fit equally well the reader notes a choice, so
that the analyst can ask, or try the other one.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.cues import ADJECTIVES, Cue, find_cues
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.links import Mention, NameIndex, Target, find_mentions
from pluto_duck_text2sql.periods import GrainMention, Period, Words, find_grains, find_periods
from pluto_duck_text2sql.resolve import Resolver
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Expr,
    Growth,
    Minus,
    Missing,
    Order,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Running,
    Share,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.values import ValueHit
from pluto_duck_text2sql.words import FILLER, MONEY, STOP, Token, name_stems, stem, tokenise

_FILTERING = {
    "with",
    "whose",
    "where",
    "who",
    "that",
    "which",
    "in",
    "from",
    "for",
    "of",
    "at",
    "on",
    "to",
    "have",
    "has",
    "had",
}
_TIE = 0.04
_MONEY_NOUNS = frozenset(stem(each) for each in ["revenue", "sales", "turnover", "income", "earnings", "takings"])
_YES = ("1", "Y", "yes", "true", "T")
_TRADED = frozenset(stem(each) for each in "sold sell bought buy purchased purchase ordered order".split())
_QUANTITIES = frozenset(stem(each) for each in "quantity units".split())
_AMOUNT_WORDS = frozenset(("value", "amount", "total", "size", "values", "totals", "revenue"))
_LARGEST = re.compile(r"largest|biggest|highest|smallest|lowest|greatest|maximum|minimum|max|min")


class Unreadable(ValueError):
    """The question names nothing that a query could be made of; `unclaimed` are its unexplained words."""

    unclaimed: list[str] = []


@dataclass(frozen=True)
class Choice:
    """Two or more ways to read one thing: what it is about, and the labels, the chosen one first."""

    about: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """What came of a question."""

    query: Query
    lines: list[str]
    assumptions: list[str]
    choices: list[Choice]
    unclaimed: list[str]
    weakest: float
    mentions: list[Mention]


@dataclass
class _Slots:
    """The roles filled so far."""

    shown: list[Mention] = field(default_factory=list)
    measures: list[tuple[str, Mention | None, bool]] = field(default_factory=list)
    groups: list[Mention] = field(default_factory=list)
    orders: list[tuple[Mention | None, bool]] = field(default_factory=list)
    values: list[tuple[Mention, bool]] = field(default_factory=list)
    compares: list[tuple[Cue, Mention | None]] = field(default_factory=list)
    also: list[Mention] = field(default_factory=list)
    absent: list[Mention] = field(default_factory=list)
    likes: list[tuple[Cue, str, Mention | None, bool]] = field(default_factory=list)
    best: Cue | None = None
    best_of: Mention | None = None
    each: bool = False
    entity: Mention | None = None


class Reader:
    """Reads questions over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, names: NameIndex, today: dt.date) -> None:
        self.catalog = catalog
        self.joins = joins
        self.names = names
        self.today = today
        self.resolver = Resolver(catalog, joins)

    def read(self, question: str, forced: str | None = None) -> Reading:
        """The best reading; `forced` is the label of a choice to take. Raises Unreadable."""
        main, phrases = split_spec(question)
        if not phrases:
            return _Pass(self, tokenise(question), forced).reading()
        reading = _Pass(self, tokenise(main), forced).reading()
        columns = Columns(self, reading.query)
        query = columns.choose(phrases)
        if query is reading.query and columns.missed:
            return _Pass(self, tokenise(question), forced).reading()
        return replace(reading, query=query, unclaimed=[*reading.unclaimed, *columns.missed])


class _Pass:
    """One question on its way to a tree."""

    def __init__(self, reader: Reader, tokens: list[Token], forced: str | None) -> None:
        self.reader, self.tokens, self.forced = reader, tokens, forced
        self.words = Words(tokens)
        self.periods = find_periods(self.words)
        self.grains = find_grains(self.words)
        self.cues = find_cues(self.words)
        taken = [self.words.taken(n) for n in range(len(tokens))]
        self.mentions = find_mentions(tokens, taken, reader.names, reader.catalog)
        self._grains_that_are_columns()
        self._money_words()
        self._sums_that_are_names()
        self.slots = _Slots()
        self.choices: list[Choice] = []
        self.lines: list[str] = []
        self.assumptions: list[str] = []
        self.claimed: set[int] = set()
        self.weakest = 1.0
        self._having: list[Compare] = []

    def _money_words(self) -> None:
        """`revenue` is a mention also where no column is called so."""
        named = {n for each in self.mentions for n in range(each.start, each.end)}
        for n, token in enumerate(self.tokens):
            if n not in named and not self.words.taken(n) and token.stem in _MONEY_NOUNS:
                self.mentions.append(Mention(n, n + 1, text=token.text))
        self.mentions.sort(key=lambda each: each.start)

    def _sums_that_are_names(self) -> None:
        """`average invoice total`: after an aggregate and a table, `total` names the table's amount."""
        aggregates = [cue for cue in self.cues if cue.kind == "agg"]
        for cue, later in pairwise(aggregates):
            between = [each for each in self.mentions if cue.end <= each.start and each.end == later.start]
            if between and later.data["fn"] == "sum" and later.end == later.start + 1:
                self.cues.remove(later)

    def _grains_that_are_columns(self) -> None:
        """`by year` means the column where there is one called so, and no time column."""
        kept = []
        for grain in self.grains:
            targets = [
                each for each in self.reader.names.find((stem(grain.grain),)) if each.column and each.score >= 0.9
            ]
            if targets and not any(c.kind == "time" for t in self.reader.catalog.tables for c in t.columns):
                self.mentions.append(Mention(grain.end - 1, grain.end, tuple(targets), text=grain.grain))
                if not grain.asked:
                    self.cues.append(Cue(grain.start, grain.end - 1, "group"))
            else:
                kept.append(grain)
        self.grains = kept
        self.mentions.sort(key=lambda each: each.start)
        self.cues.sort(key=lambda each: each.start)

    # -- roles ---------------------------------------------------------------------------------------------------

    def reading(self) -> Reading:
        self._assign()
        try:
            query = self._build()
        except Unreadable as error:
            error.unclaimed = self._unclaimed()
            raise
        return Reading(
            query, self.lines, self.assumptions, self.choices, self._unclaimed(), self.weakest, self.mentions
        )

    def _assign(self) -> None:
        """Walk cues and mentions in order; the last cue and preposition decide what a mention is for."""
        role, pending = "show", None
        items: list[Cue | Mention] = sorted([*self.cues, *self.mentions], key=lambda each: each.start)
        for place, item in enumerate(items):
            before = items[place - 1] if place else None
            if isinstance(item, Cue):
                role, pending = self._cue(item, role, pending)
                continue
            role = self._role_by_preposition(item, before, role, pending)
            role, pending = self._mention(item, role, pending, before)
        if pending and pending.kind == "count":
            self.slots.measures.append(("count", None, False))
        if pending and pending.kind == "agg" and self._said_money() and not self.slots.measures:
            self.slots.measures.append((pending.data["fn"], None, False))
        if pending and pending.kind in ("super", "super_adj", "popular", "bestselling") and self.slots.best is None:
            self.slots.best = pending

    def _cue(self, cue: Cue, role: str, pending: Cue | None) -> tuple[str, Cue | None]:
        slots = self.slots
        match cue.kind:
            case "group":
                after_best = slots.best is not None and slots.best_of is None and not cue.data.get("each")
                if cue.data.get("each"):
                    slots.each = True
                return ("order" if after_best else "group"), None
            case "sort":
                return "order", cue
            case "sort_adj":
                self._sort_by_adjective(cue)
                return role, None
            case "direction":
                self._turn(cue.data["desc"])
                return role, None
            case "cmp" | "between" | "cmp_avg":
                slots.compares.append((cue, None))
                return ("compared" if cue.kind != "cmp_avg" else "averaged"), None
            case "super" | "super_adj" | "popular" | "bestselling":
                if self._orders_now(cue):
                    self._turn(cue.data.get("desc", ADJECTIVES.get(cue.data.get("adj", ""), ((), True))[1]))
                    return role, pending
                slots.best = slots.best or cue
                return role, cue
            case "howmuch":
                slots.measures.append(("howmuch", None, False))
                return "filter", cue
            case "never":
                self.never = cue
                return role, cue
            case "count" | "agg" | "not" | "distinct" | "like":
                return role, cue
        return role, pending

    def _sort_by_adjective(self, cue: Cue) -> None:
        """`cheapest first`: sorted by what the adjective measures."""
        self.sorted_by = cue

    sorted_by: Cue | None = None

    def _orders_now(self, cue: Cue) -> bool:
        return bool(self.slots.orders) and cue.kind == "super_adj"

    def _turn(self, descending: bool) -> None:
        if self.slots.orders:
            self.slots.orders[-1] = (self.slots.orders[-1][0], descending)

    def _role_by_preposition(self, item: Mention, before: Cue | Mention | None, role: str, pending: Cue | None) -> str:
        """`with`, `in`, `from` … begin a restriction; `and` and a comma go on with what was."""
        if pending or role in ("compared", "averaged") or before is None:
            return role
        between = [self.tokens[n].lower for n in range(before.end, item.start)]
        if role == "group" and between and not set(between) <= {"and", "the", "its", "their"}:
            return "show" if self.slots.entity is None else "filter"
        if role in ("show", "filter") and set(between) & _FILTERING and self.slots.entity is not None:
            return "filter"
        return role

    def _mention(self, item: Mention, role: str, pending: Cue | None, before: Any) -> tuple[str, Cue | None]:
        slots = self.slots
        if item.hits and (not item.targets or self._is_value(item)):
            if pending and pending.kind == "like":
                slots.likes.append((pending, item.text, self._column_before(before), False))
                return "filter", None
            slots.values.append((item, bool(pending and pending.kind in ("not", "never"))))
            kept = pending if pending and pending.kind not in ("not", "never") else None
            return ("filter" if role not in ("show", "group") else role), kept
        if pending:
            return self._with_pending(item, role, pending)
        if role == "compared":
            self._compare_after(item)
            return "filter", None
        if role == "averaged":
            if self._modifies_next(item):
                return role, None
            cue, _ = slots.compares[-1]
            slots.compares[-1] = (cue, item)
            return "filter", None
        if role == "group":
            if not self._modifies_next(item):
                slots.groups.append(item)
        elif role == "order":
            self._ordered(item)
        elif role == "filter":
            slots.also.append(item)
        else:
            self._show(item)
        return role, None

    def _modifies_next(self, item: Mention) -> bool:
        """`product category`, `product name`: the first of two adjoining names only says which one is meant."""
        after = next((each for each in self.mentions if each.start == item.end and each.targets), None)
        if after is None or not self._has_table(item):
            return False
        table = next(each for each in item.targets if each.column is None).table.key
        follows = self.tokens[after.start].lower
        own = any(each.column and each.table.key == table for each in after.targets) and follows not in _AMOUNT_WORDS
        if own or self._has_table(after):
            self.claimed.update(range(item.start, item.end))
            return True
        return False

    def _with_pending(self, item: Mention, role: str, pending: Cue) -> tuple[str, Cue | None]:
        slots = self.slots
        if pending.kind in ("agg", "howmuch") and self._modifies_next(item):
            return role, pending
        match pending.kind:
            case "count":
                slots.measures.append(("count", item, bool(pending.data.get("distinct"))))
                if self._has_table(item):
                    slots.entity = slots.entity or item
                return "show", None
            case "agg":
                slots.measures.append((pending.data["fn"], item, False))
                return "show", None
            case "howmuch":
                slots.measures.remove(("howmuch", None, False))
                slots.measures.append(("howmuch", item, False))
                return "filter", None
            case "never":
                slots.absent.append(item)
                return "filter", None
            case "super" | "super_adj" | "popular" | "bestselling":
                return self._best_of(item, role)
            case "distinct":
                slots.shown.append(item)
                self.distinct = True
                return role, None
            case "sort":
                self._ordered(item, descending=pending.data.get("dir") in ("descending", "decreasing"))
                return "order", None
        if role == "group":
            slots.groups.append(item)
        elif role == "show":
            self._show(item)
        else:
            slots.also.append(item)
        return role, None

    distinct = False
    never: Cue | None = None

    def _best_of(self, item: Mention, role: str) -> tuple[str, Cue | None]:
        """`top 5 products` ranks products; `the highest price`, `the most orders` rank by what follows."""
        slots, cue = self.slots, self.slots.best
        assert cue is not None
        ranks_rows = cue.data.get("top") or cue.kind in ("super_adj", "popular", "bestselling")
        if ranks_rows and slots.entity is None and (self._has_table(item) or cue.kind != "super_adj"):
            self._show(item)
            return "show", None
        if ranks_rows and cue.kind == "super_adj" and self._has_table(item):
            slots.also.append(item)
            return "filter", None
        slots.best_of = slots.best_of or item
        return "filter", None

    def _ordered(self, item: Mention, descending: bool = False) -> None:
        if self.slots.best is not None and self.slots.best_of is None:
            self.slots.best_of = item
        else:
            self.slots.orders.append((item, descending))

    def _show(self, item: Mention) -> None:
        if self._has_table(item) and self.slots.entity is None:
            self.slots.entity = item
        elif self._has_table(item) and not any(each.column for each in item.targets if each.score >= 0.9):
            self.slots.also.append(item)
        else:
            self.slots.shown.append(item)

    def _compare_after(self, item: Mention) -> None:
        """`more than 5 orders`: what is compared follows the number, unless it was named before."""
        cue, _ = self.slots.compares[-1]
        if item.start - cue.end <= 1:
            self.slots.compares[-1] = (cue, item)
        else:
            self.slots.also.append(item)

    def _has_table(self, item: Mention) -> bool:
        tables = [each.score for each in item.targets if each.column is None]
        columns = [each.score for each in item.targets if each.column is not None]
        return bool(tables) and max(tables) >= max(columns, default=0.0) - 0.05

    def _is_value(self, item: Mention) -> bool:
        """A span that is a name and a stored value is the value where it is written like one."""
        token = self.tokens[item.start]
        exact = any(hit.score == 1.0 for hit in item.hits)
        capital = token.text[:1].isupper() and item.start > 0
        return token.quoted or (exact and (capital or max(each.score for each in item.targets) < 0.75))

    def _column_before(self, before: Any) -> Mention | None:
        return (
            before
            if isinstance(before, Mention) and any(each.column for each in before.targets)
            else self._last_column()
        )

    def _last_column(self) -> Mention | None:
        named = [each for each in [*self.slots.shown, *self.slots.also] if any(t.column for t in each.targets)]
        return named[-1] if named else None

    # -- building ------------------------------------------------------------------------------------------------

    def _build(self) -> Query:
        self._times_of_periods()
        self.entity = self._entity()
        self.near: list[TableKey] = [self.entity.key] if self.entity else []
        self._note_tables()
        measures = self._measures()
        if self.slots.best is not None:
            return self._finish(self._superlative(measures))
        groups = self._groups()
        measures = [*measures, *self._rates_of_entity()]
        compares = any(cue.kind in ("growth", "running", "moving") for cue in self.cues)
        if measures or groups or self.grains or compares or any(self._is_money(each) for each in self.slots.shown):
            return self._finish(self._aggregate(measures, groups))
        return self._finish(self._listing())

    def _times_of_periods(self) -> None:
        """`born before 1955`: a time column right before a period says which date is meant, and is not shown."""
        starts = {period.start for period in self.periods}
        for item in list(self.slots.shown):
            times = [each for each in item.targets if each.column and each.column.kind == "time"]
            if times and item.end in starts:
                self.slots.shown.remove(item)
                self.claimed.update(range(item.start, item.end))

    def _rates_of_entity(self) -> list[Agg]:
        """`return rate by category`: what looked like a table was the flag's name."""
        rate = self._rate(self.slots.entity) if self.slots.entity else None
        return [rate] if rate else []

    def _entity(self) -> Table | None:
        item = self.slots.entity
        if item is None:
            return self._entity_by_role()
        tables = [each for each in item.targets if each.column is None]
        best = self._choose("table", tables, [], None)
        self._claim(item, best.score, f"{item.text} → {_shown(best.table.key)}")
        return best.table

    def _entity_by_role(self) -> Table | None:
        """`which sales manager …`: a stored role or kind asked for like a table means the rows that have it."""
        if self.slots.shown or not self.slots.values or self.slots.groups or self.slots.measures:
            return None
        item = self.slots.values[0][0]
        asked = item.start > 0 and self.tokens[item.start - 1].lower in ("which", "what", "the", "all")
        tables = {(hit.schema, hit.table) for hit in item.hits}
        return self.reader.catalog.table(*next(iter(tables))) if asked and len(tables) == 1 else None

    def _note_tables(self) -> None:
        """Tables named anywhere draw the columns towards them."""
        for item in [
            *self.slots.also,
            *self.slots.groups,
            *self.slots.absent,
            *self._compared_and_measured(),
        ]:
            for target in item.targets[:1]:
                if target.column is None and target.table.key not in self.near:
                    self.near.append(target.table.key)

    def _compared_and_measured(self) -> list[Mention]:
        compared = [item for _, item in self.slots.compares if item]
        return [*compared, *(item for _, item, _ in self.slots.measures if item)]

    def _choose(self, about: str, targets: list[Target], near: list[TableKey], adjacent: TableKey | None) -> Target:
        """The best target here; equally good ones are noted as a choice."""
        scored = self.reader.resolver.best(targets, near, adjacent)
        if not scored:
            raise Unreadable(about)
        top = scored[0][0]
        ties = [target for score, target in scored if score >= top - _TIE][:4]
        ties = self._by_label(ties)
        labels = tuple(_label(target) for target in ties)
        chosen = next((t for _, t in scored if self.forced and _label(t) == self.forced), ties[0])
        if len(ties) > 1:
            self.choices.append(Choice(about, labels))
        self.weakest = min(self.weakest, chosen.score)
        return chosen

    def _by_label(self, ties: list[Target]) -> list[Target]:
        """Of equally good columns of one table, the one its rows are called by."""
        if len({target.table.key for target in ties}) > 1 or any(target.column is None for target in ties):
            return ties
        labels = {column.name for column in self.reader.resolver.label(ties[0].table)}
        return [target for target in ties if target.column and target.column.name in labels] or ties

    def _claim(self, item: Mention, score: float, line: str) -> None:
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
        self._claim(item, target.score, f"{item.text} → {_shown(target.table.key)}.{target.column.name}")
        return Col(target.table.key, target.column.name)

    def _at_the_right_grain(self, targets: list[Target]) -> list[Target]:
        """Measures that the groups and filters do not repeat come first: revenue by product is that of the lines."""
        wanted = self._wanted_tables()
        return [replace(each, score=each.score - 0.5 * self._repeats(each.table.key, wanted)) for each in targets]

    def _repeats(self, anchor: TableKey, wanted: list[TableKey]) -> bool:
        steps = self.reader.joins.tree(anchor, wanted)
        return steps is None or any(step.multiplies for step in steps)

    def _table(self, item: Mention) -> Table | None:
        targets = self.reader.resolver.targets_of(item, tables=True)
        if not targets:
            return None
        target = self._choose(item.text, targets, self.near, None)
        self._claim(item, target.score, f"{item.text} → {_shown(target.table.key)}")
        return target.table

    def _measures(self) -> list[Agg]:
        made = [self._measure(function, item, distinct) for function, item, distinct in self.slots.measures]
        return list(dict.fromkeys(each for each in made if each))

    def _measure(self, function: str, item: Mention | None, distinct: bool) -> Agg | None:
        if function == "count":
            return self._counted(item, distinct)
        if function == "howmuch":
            if item and self._has_table(item):
                self.slots.also.append(item)
                table = self._table(item)
                self.near += [table.key] if table else []
            money = self._money()
            column = self._column(item, ("number",)) if item and not self._has_table(item) else None
            return Agg("sum", column) if column else Agg("sum", money) if money else None
        if item is None:
            money = self._money()
            return Agg(function, money) if money else None  # type: ignore[arg-type]
        if self._has_table(item):
            money = self._amount_of(item)
            if money:
                return Agg(function, money)  # type: ignore[arg-type]
            return self._counted(item, False)
        if self._is_money(item):
            money = self._money(item)
            if money:
                return Agg(function, money)  # type: ignore[arg-type]
        column = self._column(item, ("time", "number") if function in ("min", "max") else ("number",))
        return Agg(function, column) if column else None  # type: ignore[arg-type]

    def _amount_of(self, item: Mention) -> Expr | None:
        """`average order value`: the amount of a row of that table."""
        follows = self.tokens[item.end].lower if item.end < len(self.tokens) else ""
        if follows not in _AMOUNT_WORDS:
            return None
        self.slots.shown = [each for each in self.slots.shown if each.start != item.end]
        self.claimed.add(item.end)
        table = self._table(item)
        if table is None:
            return None
        self.near.insert(0, table.key)
        stored = [each for each in self.reader.resolver.money() if isinstance(each, Col) and each.table == table.key]
        return stored[0] if stored else self._money()

    def _counted(self, item: Mention | None, distinct: bool) -> Agg | None:
        if item is None:
            return Agg("count", Rows(self.near[0])) if self.near else None
        if self._has_table(item):
            table = self._table(item)
            return Agg("count", Rows(table.key)) if table else None
        column = self._column(item)
        if column and not distinct and set(name_stems(column.name)) & _QUANTITIES and self._is_number(column):
            return Agg("sum", column)
        return Agg("count", column, distinct=True) if column else None

    def _is_number(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        return bool(
            found and found.kind == "number" and not self.reader.resolver.is_key(table or _NO_TABLE, column.name)
        )

    def _is_money(self, item: Mention) -> bool:
        words = {self.tokens[n].stem for n in range(item.start, item.end)}
        strong = [each for each in item.targets if each.score >= 0.9 and each.column and each.column.kind == "number"]
        reachable = [
            each for each in strong if not self.near or self.reader.joins.distance(self.near[0], each.table.key) < 90
        ]
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
        self.lines.append(f"{said} → {_said(best[1])}")
        if item:
            self.claimed.update(range(item.start, item.end))
        self.claimed.update(n for n, token in enumerate(self.tokens) if token.stem in MONEY)
        return best[1]

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
                    wanted.append(best[0][1].table.key)
        return wanted

    def _groups(self) -> list[Expr]:
        groups: list[Expr] = []
        for item in self.slots.groups:
            for each in self._group(item):
                if each not in groups:
                    groups.append(each)
        return groups

    def _group(self, item: Mention) -> list[Expr]:
        if self._has_table(item):
            table = self._table(item)
            return list(self.reader.resolver.label(table)) if table else []
        column = self._column(item)
        return [column] if column else []

    def _aggregate(self, measures: list[Agg], groups: list[Expr]) -> Query:
        for item in list(self.slots.shown):
            measures = [*measures, *self._shown_measure(item, groups)]
        if not measures and self._said_money():
            money = self._money()
            measures = [Agg("sum", money)] if money else measures
        if not measures:
            if self.entity is None and not groups:
                raise Unreadable("no measure")
            anchor = self.entity.key if self.entity else next(columns_in(groups[0])).table
            measures = [Agg("count", Rows(anchor))]
        anchor = next(columns_in(measures[0])).table
        if anchor not in self.near:
            self.near.append(anchor)
        buckets: list[Expr] = [self._bucket(grain, anchor) for grain in self.grains]
        keys = [*buckets, *groups]
        shown = [self._wrapped(each, keys) for each in measures]
        keyed = self._keyed(groups)
        select = (*keys, *(each for some in shown for each in some))
        order = tuple(Order(each) for each in buckets)
        return Query(anchor, select, group=(*buckets, *keyed), order=order)

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
        self._claim(item, 1.0, f"{item.text} rate → mean of {_shown(target.table.key)}.{best[0][1].column.name}")
        self.claimed.add(item.end)
        return Agg("avg", Col(target.table.key, best[0][1].column.name))

    def _shown_measure(self, item: Mention, groups: list[Expr]) -> list[Agg]:
        """A number named without an aggregate: summed or averaged; another column becomes a group."""
        rate = self._rate(item)
        if rate:
            return [rate]
        if self._is_money(item):
            money = self._money(item)
            if money:
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

    def _wrapped(self, measure: Agg, keys: list[Expr]) -> list[Expr]:
        """The measure as share, growth, running total or moving average where a cue asks."""
        kinds = {cue.kind: cue for cue in self.cues}
        time = next((key for key in keys if isinstance(key, Bucket)), None)
        if "share" in kinds and keys:
            return [Share(measure, kinds["share"].data["scale"])]
        if "growth" in kinds and time:
            lag = 1
            return [measure, Growth(measure, time, lag)]
        if "running" in kinds and time:
            return [measure, Running(measure, time)]
        if "moving" in kinds and time:
            return [Running(measure, time, int(kinds["moving"].data.get("n", 3)))]
        return [measure]

    def _said_money(self) -> bool:
        return any(token.stem in MONEY for token in self.tokens)

    def _bucket(self, grain: GrainMention, anchor: TableKey) -> Bucket:
        self.claimed.update(range(grain.start, grain.end))
        column = self._time(anchor, grain)
        self.lines.append(f"{grain.grain} → {_shown(column.table)}.{column.name}")
        return Bucket(grain.grain, column)

    def _time(self, anchor: TableKey, at: Period | GrainMention) -> Col:
        said = frozenset(token.stem for token in self.tokens)
        options = self.reader.resolver.time_column([anchor, *self.near], said)
        if not options:
            raise Unreadable("time")
        ties = [f"{_shown(col.table)}.{col.name}" for score, col in options if score >= options[0][0] - _TIE]
        if len(ties) > 1:
            self.choices.append(Choice("date", tuple(ties)))
        forced = [col for _, col in options if f"{_shown(col.table)}.{col.name}" == self.forced]
        return (forced or [options[0][1]])[0]

    # -- superlatives --------------------------------------------------------------------------------------------

    def _superlative(self, measures: list[Agg]) -> Query:
        cue = self.slots.best
        assert cue is not None
        descending = bool(cue.data.get("desc", True))
        by, cue_descends = self._ranked_by(cue)
        descending = cue_descends if cue_descends is not None else descending
        if isinstance(by, Agg):
            self.near.append(next(columns_in(by)).table)
        if isinstance(by, Col) and self.entity is None and (self.slots.groups or self._plain_grains()):
            return self._extreme(by, descending, measures)
        subject = self._subject(by)
        if subject is None:
            return self._extreme(by, descending, measures)
        keys, table = subject
        limit = int(cue.data["n"]) if cue.data.get("n") else self._default_limit()
        if by is None or isinstance(by, Agg):
            if by is None and not self.near:
                raise Unreadable("nothing to rank by")
            by = by or Agg("count", Rows(self.near[0]))
            return self._ranked_groups(keys, by, descending, limit, cue)
        if self.entity is None and self._is_category(keys[0]):
            return self._ranked_groups(keys, self.reader.resolver.default_aggregate(by), descending, limit, cue)
        if self._needs_sum(by, table):
            return self._ranked_groups(keys, Agg("sum", by), descending, limit, cue)
        shown = self._listed(table) or list(keys)
        per = self._per(table.key if table else next(columns_in(by)).table)
        named = [by] if cue.data.get("top") and self.slots.best_of and isinstance(by, Col) and by not in shown else []
        return Query(
            table.key if table else next(columns_in(by)).table,
            (*per, *(each for each in shown if each not in per), *named),
            order=(Order(by, descending),),
            limit=limit,
            per=per,
        )

    def _ranked_by(self, cue: Cue) -> tuple[Expr | None, bool | None]:
        """What is ranked by, and the direction an adjective fixes."""
        item = self.slots.best_of
        if cue.kind == "bestselling":
            quantity = self._quantity()
            return (Agg("sum", quantity) if quantity else None), None
        if cue.kind == "popular":
            return None, None
        if cue.kind == "super_adj":
            words, descends = ADJECTIVES[cue.data["adj"]]
            column = self._adjective_column(words)
            if "price" in words and self.entity and (column is None or column.table != self.entity.key):
                amounts = self.reader.resolver.money()
                column = next((e for e in amounts if isinstance(e, Col) and e.table == self.entity.key), column)
            if column:
                birth = "birth" in name_stems(column.name)
                return column, (not descends if birth else descends)
            return None, descends
        if item is None:
            return self._implied(), None
        rate = self._rate(item)
        if rate:
            return rate, None
        if self._has_table(item):
            table = self._table(item)
            amount = self._largest_of(cue, table) if table else None
            return (amount or (Agg("count", Rows(table.key)) if table else None)), None
        measured = [each for each in self.slots.measures if each[1] is item]
        if measured:
            return self._measure(*measured[0]), None
        function = self._function_before(item)
        rate = self._rate(item)
        if rate:
            return rate, None
        if self._is_money(item):
            money = self._money(item)
            if money:
                return Agg("sum", money), None
        column = self._column(item, ("number", "time"))
        if column is None:
            return None, None
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        if (
            table
            and found
            and (found.kind not in ("number", "time") or self.reader.resolver.is_key(table, column.name))
        ):
            return Agg("count", column, distinct=True), None
        return (Agg(function, column) if function else column), None  # type: ignore[arg-type]

    def _largest_of(self, cue: Cue, table: Table) -> Expr | None:
        """`the largest invoice` is the one of the largest amount; `the most invoices` counts them."""
        if not _LARGEST.search(self._text(cue.start, cue.end).casefold()):
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

    def _quantity(self) -> Expr | None:
        near = [self.entity.key] if self.entity else self.near
        targets = [
            each for each in self.reader.names.find(("quantity",)) if each.column and each.column.kind == "number"
        ]
        scored = self.reader.resolver.best(targets, near, None)
        best = next((target for _, target in scored if not near or target.table.key != near[0]), None)
        return Col(best.table.key, best.column.name) if best and best.column else None

    def _adjective_column(self, words: tuple[str, ...]) -> Col | None:
        targets = [
            replace(each, score=each.score - 0.1 * place)
            for place, word in enumerate(words)
            for each in self.reader.names.find((stem(word),))
            if each.column and each.column.kind in ("number", "time")
        ]
        if not targets:
            return None
        near = self.near or [target.table.key for target in targets[:1]]
        best = self.reader.resolver.best(targets, near, None)[0][1]
        assert best.column is not None
        return Col(best.table.key, best.column.name)

    def _subject(self, by: Expr | None) -> tuple[list[Expr], Table | None] | None:
        """What is ranked: the bucket asked for, the entity, or a column."""
        asked = [grain for grain in self.grains if grain.asked]
        if asked:
            anchor = next(columns_in(by)).table if by else self.near[0]
            return [self._bucket(asked[0], anchor)], None
        if self.slots.groups and not self.slots.each and self.entity is None:
            return self._groups(), None
        shown = [column for item in self.slots.shown if (column := self._column(item)) and column != by]
        if self.entity is not None and (not shown or by is None or not isinstance(by, Agg)):
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
        return 1

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

    def _ranked_groups(self, keys: list[Expr], by: Agg, descending: bool, limit: int, cue: Cue) -> Query:
        anchor = next(columns_in(by)).table
        if anchor not in self.near:
            self.near.append(anchor)
        per = self._per(anchor)
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
        return Query(anchor, select, known, tuple(dict.fromkeys(group)), order=order, limit=limit, per=per)

    def _has_gaps(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        return bool(found and found.null_fraction)

    def _per(self, anchor: TableKey) -> tuple[Expr, ...]:
        """`for each country`, `in every month`: the groups within which the best is wanted."""
        if not self.slots.each and not self._plain_grains():
            return ()
        return (*(self._bucket(grain, anchor) for grain in self._plain_grains()), *self._groups())

    def _plain_grains(self) -> list[GrainMention]:
        return [grain for grain in self.grains if not grain.asked]

    def _asks_value(self) -> bool:
        said = " ".join(token.lower for token in self.tokens)
        return any(
            each in said
            for each in ("and how many", "and how much", "and its", "and the number", "and the total", "along with")
        )

    def _extreme(self, by: Expr | None, descending: bool, measures: list[Agg]) -> Query:
        """`the highest price`: a value, not a row."""
        if isinstance(by, Agg) or by is None:
            if measures:
                return self._aggregate(measures, self._groups())
            raise Unreadable("ranking")
        anchor = next(columns_in(by)).table
        self.near.append(anchor)
        groups = [*(self._bucket(grain, anchor) for grain in self._plain_grains()), *self._groups()]
        shown = Agg("max" if descending else "min", by)
        return Query(anchor, (*groups, shown), group=tuple(groups))

    # -- listings, conditions ------------------------------------------------------------------------------------

    def _listing(self) -> Query:
        shown = self._listed(self.entity)
        if not shown:
            raise Unreadable("nothing to show")
        anchor = self.entity.key if self.entity else next(columns_in(shown[0])).table
        if anchor not in self.near:
            self.near.append(anchor)
        return Query(anchor, tuple(shown), distinct=self.distinct)

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
            self._claim(item, 0.95, f"{item.text} → {' and '.join(column.name for column in label)}")
            return label
        column = self._column(item)
        return [column] if column else []

    def _finish(self, query: Query) -> Query:
        where = [*query.where, *self._conditions(query)]
        query = self._with_having(replace(query, where=tuple(where)))
        query = self._with_orders(query)
        return self._as_change(self._as_share(query))

    def _with_having(self, query: Query) -> Query:
        """A condition on a total groups what was listed."""
        if not self._having:
            return query
        anchor = next(columns_in(self._having[0].left)).table
        group = query.group or tuple(self._keyed_entity(query))
        return replace(query, anchor=anchor, group=group, having=(*query.having, *self._having))

    def _keyed_entity(self, query: Query) -> list[Expr]:
        keys = [Col(self.entity.key, name) for name in self.reader.resolver.key(self.entity)] if self.entity else []
        return list(dict.fromkeys([*keys, *(each for each in query.select if isinstance(each, Col | Bucket))]))

    def _conditions(self, query: Query) -> list[Cond]:
        conditions: list[Cond] = [*self._value_conditions(query), *self._period_conditions(query)]
        conditions += [made for cue, item in self.slots.compares if (made := self._comparison(cue, item, query))]
        conditions += self._absences(query)
        conditions += self._flags(query)
        conditions += self._numbered(query)
        conditions += [made for each in self.slots.likes if (made := self._like(*each))]
        conditions += self._existence(query, conditions)
        return conditions

    def _value_conditions(self, query: Query) -> list[Cond]:
        """One condition for each column; several values of one column are alternatives."""
        by_column: dict[tuple[Col, bool], list[str]] = {}
        for item, negated in self.slots.values:
            hit = self._hit(item, query)
            self._claim(
                item, hit.score, f"{item.text} → {_shown((hit.schema, hit.table))}.{hit.column} = {hit.value!r}"
            )
            by_column.setdefault((Col((hit.schema, hit.table), hit.column), negated), []).append(hit.value)
        made: list[Cond] = []
        for (column, negated), values in by_column.items():
            unique = tuple(dict.fromkeys(values))
            if len(unique) == 1:
                made.append(Compare(column, "!=" if negated else "=", unique[0]))
            else:
                made.append(Among(column, unique, negated))
        joined = any(cue.kind == "or" for cue in self.cues) and len(made) == 2
        return [Either(tuple(made))] if joined and len(self.slots.values) == 2 else made

    def _hit(self, item: Mention, query: Query) -> ValueHit:
        """The stored value meant: of a column named beside it, else of the nearest table."""
        beside = self._named_beside(item)
        near = [query.anchor, *self.near]

        def score(hit: ValueHit) -> float:
            key = (hit.schema, hit.table)
            distance = min(self.reader.joins.distance(each, key) + 0.1 * n for n, each in enumerate(near))
            table = self.reader.catalog.table(*key)
            preferred = 0.02 * table.preference if table else 0.0
            return hit.score + preferred + 0.6 * ((key, hit.column) in beside) - 0.15 * min(distance, 8)

        scored = sorted(
            ((score(hit), hit) for hit in item.hits), key=lambda pair: (-pair[0], pair[1].table, pair[1].column)
        )
        labels = list(dict.fromkeys(_hit_label(hit) for value, hit in scored if value >= scored[0][0] - _TIE))
        if len(labels) > 1:
            self.choices.append(Choice(item.text, tuple(labels[:4])))
        forced = [hit for _, hit in scored if self.forced and _hit_label(hit) == self.forced]
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
                column = self._time(query.anchor, period)
            except Unreadable:
                continue
            self.claimed.update(range(period.start, period.end))
            start, end = period.resolve(self._anchor_day(column))
            made.append(self._during(column, start, end))
            self.lines.append(
                f"{self._text(period.start, period.end)} → {_range(start, end)} of {_shown(column.table)}.{column.name}"
            )
            if period.relative:
                self.assumptions.append(
                    f"Relative periods count from {self._anchor_day(column).isoformat()}, the data's last day or today."
                )
        fixed = [each for each in made if isinstance(each, During)]
        if len(fixed) > 1:
            return [*(each for each in made if each not in fixed), Either(tuple(fixed))]
        return made

    def _year_column(self, period: Period, query: Query) -> Cond | None:
        """A bare year means a column of years where there is no time column."""
        if not period.bare_year:
            return None
        near = [query.anchor, *self.near]
        has_time = any(c.kind == "time" for key in near for c in (self.reader.catalog.table(*key) or _NO_TABLE).columns)
        targets = [each for each in self.reader.names.find(("year",)) if each.column]
        scored = self.reader.resolver.best(targets, near, None)
        if has_time or not scored:
            return None
        column = scored[0][1].column
        assert column is not None
        self.claimed.update(range(period.start, period.end))
        start, _ = period.resolve(self.reader.today)
        year = start.year if start else 0
        return Compare(Col(scored[0][1].table.key, column.name), "=", year if column.kind == "number" else str(year))

    def _during(self, column: Col, start: dt.date | None, end: dt.date | None) -> Cond:
        if start and end:
            return During(column, start, end)
        return Compare(column, ">=", start) if start else Compare(column, "<", end)

    def _anchor_day(self, column: Col) -> dt.date:
        """Today, or the data's last day where the data ends earlier."""
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        last = found.maximum if found else None
        if isinstance(last, dt.datetime):
            last = last.date()
        return min(last, self.reader.today) if isinstance(last, dt.date) else self.reader.today

    def _comparison(self, cue: Cue, item: Mention | None, query: Query) -> Cond | None:
        self.claimed.update(range(cue.start, cue.end))
        if item is not None and self._has_table(item) and cue.kind == "cmp":
            table = self._table(item)
            if table and table.key != query.anchor:
                return Related(table.key, count=(cue.data["op"], cue.data["n"]))
            if table and query.select and all(isinstance(each, Col) for each in query.select):
                self._having.append(Compare(Agg("count", Rows(table.key)), cue.data["op"], cue.data["n"]))
                return None
        if cue.kind == "cmp" and item is None and self._money_verb_before(cue):
            money = self._money()
            if money:
                self._having.append(Compare(Agg("sum", money), cue.data["op"], cue.data["n"]))
                return None
        column = self._compared_column(cue, item, query)
        if column is None:
            return None
        if cue.kind == "cmp_avg":
            return Compare(column, cue.data["op"], Agg("avg", column))
        if cue.kind == "between":
            self.lines.append(f"{_shown(column.table)}.{column.name} from {cue.data['a']:g} to {cue.data['b']:g}")
            raise_low, raise_high = Compare(column, ">=", cue.data["a"]), Compare(column, "<=", cue.data["b"])
            self._extra.append(raise_high)
            return raise_low
        return Compare(column, cue.data["op"], cue.data["n"])

    def _money_verb_before(self, cue: Cue) -> bool:
        return any(token.stem in MONEY for token in self.tokens[max(cue.start - 2, 0) : cue.start])

    @property
    def _extra(self) -> list[Cond]:
        if not hasattr(self, "_extras"):
            self._extras: list[Cond] = []
        return self._extras

    def _compared_column(self, cue: Cue, item: Mention | None, query: Query) -> Col | None:
        """The number compared: named after, measured by the adjective, or the last one named before."""
        kinds = ("number",)
        if item is not None and not self._has_table(item):
            return self._column(item, kinds)
        adjective = cue.data.get("adj")
        if adjective in ADJECTIVES:
            column = self._adjective_column(ADJECTIVES[adjective][0])
            if column:
                return column
        before = [
            each
            for each in self.mentions
            if each.end <= cue.start + 1 and any(t.column and t.column.kind in kinds for t in each.targets)
        ]
        if not before:
            return None
        nearest = before[-1]
        if nearest in self.slots.shown and len(self.slots.shown) > 1 and cue.start - nearest.end <= 2:
            self.slots.shown.remove(nearest)
        return self._column(nearest, kinds)

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

    def _holds_numbers(self, column: Col) -> bool:
        table = self.reader.catalog.table(*column.table)
        found = table.column(column.name) if table else None
        return bool(found and found.kind == "number")

    def _flags(self, query: Query) -> list[Cond]:
        """`discontinued products`, `are active`: a two-valued column named as an adjective holds its true value."""
        made: list[Cond] = []
        for item in [*self.slots.also, *self.slots.shown]:
            flags = [
                each
                for each in item.targets
                if each.column and each.score >= 0.9 and self._true_value(each) is not None
            ]
            near = [each for each in flags if each.table.key in (query.anchor, *self.near)]
            if near and near[0].column:
                column = Col(near[0].table.key, near[0].column.name)
                if column not in query.select or len(query.select) == 1:
                    self._claim(item, 1.0, f"{item.text} → {_shown(column.table)}.{column.name} is true")
                    negated = self.never is not None and self.never.end <= item.start <= self.never.end + 1
                    made.append(Compare(column, "!=" if negated else "=", self._true_value(near[0])))
        return made

    def _true_value(self, target: Target) -> Any:
        """What stands for yes in a two-valued column, None where it is not one."""
        column = target.column
        if column is None or (column.n_distinct or 9) > 2:
            return None
        if column.kind == "flag":
            return True
        if column.kind == "number":
            return 1 if (column.minimum, column.maximum) in ((0, 1), (1, 1), (0, 0)) else None
        hits = [hit for text in _YES for hit in self.reader.catalog.values.lookup(text, 50)]
        return next(
            (h.value for h in hits if (h.schema, h.table) == target.table.key and h.column == column.name), None
        )

    def _absences(self, query: Query) -> list[Cond]:
        made = [each for item in self.slots.absent if (each := self._absence(item, query))]
        sold = self.never is not None and any(token.stem in _TRADED for token in self.tokens[self.never.end - 1 :])
        line = self._sale_lines() if sold else None
        named = {each.table for each in made if isinstance(each, Related)}
        if line and line != query.anchor and not any(self.reader.joins.distance(line, key) > 90 for key in named):
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
            target.column is None and target.score >= 0.9 and set(name_stems(target.table.name)) & _TRADED
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
                return Related(table.key, negated=True)
            return None
        times = [t for t in item.targets if t.column and t.column.kind == "time" and t.table.key == query.anchor]
        column = Col(query.anchor, times[0].column.name) if times and times[0].column else self._column(item)
        if column is None:
            return None
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
        reached = {each.table for part in (query, tuple(conditions)) for each in columns_in(_flat(part))} | {
            query.anchor
        }
        reached |= {each.table for each in conditions if isinstance(each, Related)}
        for item in self.slots.also:
            if set(range(item.start, item.end)) <= self.claimed or not self._has_table(item):
                continue
            table = self._table(item)
            if table and table.key not in reached and self.reader.joins.path(query.anchor, table.key):
                extra.append(Related(table.key))
        return extra

    def _with_orders(self, query: Query) -> Query:
        if self.sorted_by:
            words, descends = ADJECTIVES[self.sorted_by.data["adj"]]
            dated = [
                each.left for each in query.where if isinstance(each, During | Compare) and self._is_time(each.left)
            ]
            column = dated[0] if dated and stem("date") in map(stem, words) else self._adjective_column(words)
            return replace(query, order=(Order(column, descends),)) if column else query
        if not self.slots.orders:
            return query
        orders = []
        for item, descending in self.slots.orders:
            by = self._order_key(item, query) if item else query.select[0]
            if by:
                orders.append(Order(by, descending))
        return replace(query, order=tuple(orders) or query.order)

    def _is_time(self, expression: Expr) -> bool:
        table = self.reader.catalog.table(*expression.table) if isinstance(expression, Col) else None
        column = table.column(expression.name) if table and isinstance(expression, Col) else None
        return bool(column and column.kind == "time")

    def _order_key(self, item: Mention, query: Query) -> Expr | None:
        if self._has_table(item):
            table = self._table(item)
            return Agg("count", Rows(table.key)) if table and query.group else None
        column = self._column(item)
        if column is None:
            return None
        aggregates = [each for each in query.select if isinstance(each, Agg) and column in columns_in(each)]
        return aggregates[0] if aggregates else column

    def _as_share(self, query: Query) -> Query:
        """`what share of orders were cancelled`: the restricted part over the whole."""
        shares = [cue for cue in self.cues if cue.kind == "share"]
        if not shares or query.group or not query.where:
            return query
        measure = next((each for each in query.select if isinstance(each, Agg)), Agg("count", Rows(query.anchor)))
        part: list[Cond] = []
        whole: list[Cond] = []
        for condition in query.where:
            (whole if isinstance(condition, During) else part).append(condition)
        if not part:
            return query
        top = replace(measure, where=tuple(part))
        return replace(
            query, select=(Ratio(top, measure, shares[0].data["scale"]),), where=tuple(whole), order=(), limit=None
        )

    def _as_change(self, query: Query) -> Query:
        """`how did revenue change from 2024 to 2025`: before, now and the change, side by side."""
        measure = next((each for each in query.select if isinstance(each, Agg)), None)
        if not any(cue.kind == "growth" for cue in self.cues) or query.group or measure is None:
            return query
        parts = self._two_periods(query)
        if parts is None:
            return query
        before, now = (replace(measure, where=(each,)) for each in parts)
        percent = any(token.lower in ("percentage", "percent") for token in self.tokens)
        change = Ratio(Minus(now, before), before, 100 if percent else 1)
        rest = tuple(each for each in query.where if not isinstance(each, During | Either))
        only = percent or any(token.lower in ("rate", "growth") for token in self.tokens)
        return replace(query, select=(change,) if only else (before, now, change), where=rest)

    def _two_periods(self, query: Query) -> tuple[During, During] | None:
        found = [each for each in _flattened(query.where) if isinstance(each, During)]
        if len(found) == 2:
            return found[0], found[1]
        years = found[0].end.year - found[0].start.year if len(found) == 1 else 0
        if years < 2:
            return None
        left, start, end = found[0].left, found[0].start, found[0].end
        first = During(left, start, start.replace(year=start.year + 1))
        return first, During(left, end.replace(year=end.year - 1), end)

    # -- what is left --------------------------------------------------------------------------------------------

    def _text(self, start: int, end: int) -> str:
        return " ".join(token.text for token in self.tokens[start:end])

    def _unclaimed(self) -> list[str]:
        """Content words that nothing explains."""
        spans = [(e.start, e.end) for some in (self.cues, self.grains, self.periods) for e in some]
        spoken = {n for start, end in spans for n in range(start, end)}
        named = {n for each in self.mentions for n in range(each.start, each.end)}
        left = []
        for n, token in enumerate(self.tokens):
            if n in spoken or n in self.claimed or n in named or token.lower in STOP or token.stem in FILLER:
                continue
            if token.stem not in MONEY and (token.number is None or token.quoted):
                left.append(token.text)
        return left


class Columns:
    """Chooses the columns of an answer by the phrases a question lists."""

    def __init__(self, reader: Reader, query: Query) -> None:
        self._reader = reader
        self._query = query
        keys = [each.table for each in (*query.group, *query.select) if isinstance(each, Col)]
        self._near = list(dict.fromkeys([*keys, query.anchor]))
        self.missed: list[str] = []

    def choose(self, phrases: list[str]) -> Query:
        """The query with the phrases' columns, in their order; unchanged where none is understood."""
        chosen = []
        for phrase in phrases:
            found = self._expression(phrase)
            if found is None:
                self.missed.append(phrase)
            elif found not in chosen:
                chosen.append(found)
        if not chosen:
            return self._query
        query = self._query
        group = query.group
        if group or any(isinstance(each, Agg) for each in chosen):
            keys = [each for each in chosen if isinstance(each, Col | Bucket) and each not in group]
            listed = [each for each in query.select if isinstance(each, Col)] if not group else []
            group = (*group, *(self._keys(listed) if not group else ()), *keys)
        return replace(query, select=tuple(chosen), group=tuple(dict.fromkeys(group)))

    def _keys(self, listed: list[Col]) -> list[Col]:
        table = self._reader.catalog.table(*self._query.anchor)
        keys = [Col(table.key, name) for name in self._reader.resolver.key(table)] if table else []
        return keys if any(each.table == self._query.anchor for each in listed) else []

    def _expression(self, phrase: str) -> Expr | None:
        tokens = tokenise(phrase)
        words = {token.lower for token in tokens}
        measures = self._measures()
        grain = next((each for each in self._query.select if isinstance(each, Bucket) and each.grain in words), None)
        if grain:
            return grain
        counted = words & {"number", "count", "many", "counts"}
        if counted:
            return next((m for m in measures if isinstance(m, Agg) and m.function == "count"), None) or self._counted(
                tokens
            )
        column = self._column(tokens)
        if column and column[0] >= 0.9 and not (measures and words & _MEASURE_WORDS and len(tokens) == 1):
            return column[1]
        if words & _MEASURE_WORDS or {token.stem for token in tokens} & MONEY:
            return next(iter(measures), column[1] if column else None)
        return column[1] if column else None

    def _measures(self) -> list[Expr]:
        query = self._query
        parts = [*query.select, *(order.by for order in query.order), *(each.left for each in query.having)]
        related = [Agg("count", Rows(each.table)) for each in query.where if isinstance(each, Related) and each.count]
        return [*(each for each in parts if not isinstance(each, Col | Bucket | Rows)), *related]

    def _counted(self, tokens: list[Token]) -> Expr | None:
        for token in tokens:
            tables = [
                each for each in self._reader.names.find((token.stem,)) if each.column is None and each.score > 0.7
            ]
            if tables:
                return Agg("count", Rows(tables[0].table.key))
        return None

    def _column(self, tokens: list[Token]) -> tuple[float, Col] | None:
        """The best column for the longest part of the phrase, in the tables the answer is about."""
        stems = tuple(token.stem for token in tokens if token.lower not in ("of", "the", "a", "each"))
        owned = self._owned(stems) or self._label_of(stems)
        if owned:
            return owned
        for length in range(len(stems), 0, -1):
            for start in range(len(stems) - length, -1, -1):
                found = self._in_tables(stems[start : start + length])
                if found:
                    return found
        tables = [t for stem_ in stems for t in self._reader.names.find((stem_,)) if t.column is None and t.score > 0.7]
        label = self._reader.resolver.label(tables[0].table) if tables else []
        return (0.9, label[0]) if len(label) == 1 else None

    def _label_of(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`region` is what a row of a table called so is known by, where the answer is about that table."""
        for target in self._reader.names.find(stems):
            if target.column is None and target.score >= 0.95 and target.table.key in self._near:
                label = self._reader.resolver.label(target.table)
                return (0.95, label[0]) if len(label) == 1 else None
        return None

    def _owned(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`media type name`: a table's name, then one of its columns."""
        for place in range(1, len(stems)):
            tables = {t.table.key for t in self._reader.names.find(stems[:place]) if t.column is None and t.score > 0.9}
            for target in self._reader.names.find(stems[place:]):
                if target.column and target.score >= 0.9 and target.table.key in tables:
                    return target.score, Col(target.table.key, target.column.name)
        return None

    def _in_tables(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        targets = [each for each in self._reader.names.find(stems) if each.column and each.score >= 0.6]
        named = self._reader.resolver.best(targets, self._near, None)
        near = [(score, each) for score, each in named if self._distance(each.table.key) < 3.5]
        if not near or not near[0][1].column:
            return None
        best = near[0][1]
        assert best.column is not None
        return best.score, Col(best.table.key, best.column.name)

    def _distance(self, key: TableKey) -> float:
        return min(self._reader.joins.distance(each, key) for each in self._near)


_MEASURE_WORDS = frozenset(
    """amount total value average mean revenue sales sum much share percentage growth spend spent sold median freight
    highest lowest largest smallest units quantity price rate""".split()
)
_NO_TABLE = Table("", "", ())


def _flattened(conditions: tuple[Cond, ...]) -> list[Cond]:
    return [inner for each in conditions for inner in (each.any_of if isinstance(each, Either) else (each,))]


def _flat(part: Any) -> Any:
    return (
        tuple(getattr(part, name) for name in ("select", "group", "order", "having"))
        if isinstance(part, Query)
        else part
    )


def _shown(key: TableKey) -> str:
    return key[1] if key[0] == "main" else f"{key[0]}.{key[1]}"


def _label(target: Target) -> str:
    return f"{_shown(target.table.key)}.{target.column.name}" if target.column else _shown(target.table.key)


def _hit_label(hit: ValueHit) -> str:
    return f"{_shown((hit.schema, hit.table))}.{hit.column} = {hit.value}"


def _said(expression: Expr) -> str:
    if isinstance(expression, Col):
        return f"sum of {_shown(expression.table)}.{expression.name}"
    if isinstance(expression, Product):
        less = f" × (1 − {expression.discount.name})" if expression.discount else ""
        return f"sum of {_shown(expression.price.table)}.{expression.price.name} × {expression.quantity.name}{less}"
    return "count"


def _range(start: dt.date | None, end: dt.date | None) -> str:
    last = end - dt.timedelta(days=1) if end else None
    if start and last:
        return start.isoformat() if start == last else f"{start.isoformat()} to {last.isoformat()}"
    return f"from {start.isoformat()}" if start else f"before {end.isoformat()}" if end else "any time"
