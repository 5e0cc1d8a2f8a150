"""First pass over a question: every cue and mention gets a role from the words before it.

No rule here knows a database; what the mentions mean is decided in the passes that follow (naming.py …).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.data.catalog import Table, is_calendar
from pluto_duck_text2sql.data.links import Mention, Target, find_mentions
from pluto_duck_text2sql.data.presence import find_presences
from pluto_duck_text2sql.data.qualifiers import FLAG, IS
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import MONEY, Token, stem
from pluto_duck_text2sql.reading.accounts import nothing_lost
from pluto_duck_text2sql.reading.cues import ADJECTIVES, HIGH, LOW, Cue, find_cues
from pluto_duck_text2sql.reading.series import find_series, grains_along
from pluto_duck_text2sql.times.cycles import find_cycles
from pluto_duck_text2sql.times.periods import GrainMention, find_grains
from pluto_duck_text2sql.times.recurring import grains_of, periods_in
from pluto_duck_text2sql.times.today import Today
from pluto_duck_text2sql.tree import (
    Compare,
    Expr,
    Query,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.phrases import (
    AMOUNT_WORDS,
)
from pluto_duck_text2sql.trees.units import unit_said

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader


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
_ON = frozenset("on during".split())
_TOTALS = frozenset("total combined overall sum".split())
_COMPUTES = frozenset("agg count super super_adj popular bestselling sort sort_adj cmp between cmp_avg".split())
_DONE = frozenset("taken made sold sent bought written sung built driven given done brought led run won".split())
_RATE_WORDS = 3
OFTEN = frozenset("hourly daily weekly monthly quarterly yearly annual".split())
_IN_NAMES = OFTEN | {"number"}
_EXTREMES = frozenset(f"{HIGH}|{LOW}".split("|"))
_CALLED = 0.75
_FEW_COLUMNS = 3
_WORTH = frozenset("value values worth amount amounts".split())
_NEAR_WORDS = 3
_ITS = frozenset("the their its our a an".split())
_MONEY_NOUNS = frozenset(stem(each) for each in ["revenue", "sales", "turnover", "income", "earnings", "takings"])


class Unreadable(ValueError):
    """The question names nothing that a query could be made of.

    `unclaimed` are its unexplained words, `lost_by` tells those that leave no mark in another reading's tree.
    """

    unclaimed: list[str] = []
    asked: str = ""
    told: str = ""
    lost_by: Callable[[Query], list[str]] = staticmethod(nothing_lost)


@dataclass(frozen=True)
class Choice:
    """Two or more ways to read one thing: what it is about, and the labels, the chosen one first."""

    about: str
    labels: tuple[str, ...]


@dataclass
class Slots:
    """The roles filled so far."""

    shown: list[Mention] = field(default_factory=list)
    measures: list[tuple[str, Mention | None, bool]] = field(default_factory=list)
    groups: list[Mention] = field(default_factory=list)
    orders: list[tuple[Mention | None, bool]] = field(default_factory=list)
    values: list[tuple[Mention, bool]] = field(default_factory=list)
    compares: list[tuple[Cue, Mention | None]] = field(default_factory=list)
    also: list[Mention] = field(default_factory=list)
    absent: list[Mention] = field(default_factory=list)
    filters: list[tuple[Mention, bool]] = field(default_factory=list)
    likes: list[tuple[Cue, str, Mention | None, bool]] = field(default_factory=list)
    best: Cue | None = None
    best_of: Mention | None = None
    each: bool = False
    entity: Mention | None = None


class Roles:
    """First pass: every cue and mention gets a role from the words before it."""

    sorted_by: Cue | None = None
    distinct = False
    is_certain = False
    turned: bool | None = None
    never: Cue | None = None
    entity: Table | None = None

    def __init__(
        self, reader: Reader, tokens: list[Token], forced: str | None, counted_from: Today | None = None
    ) -> None:
        self.reader, self.tokens, self.forced, self.counted_from = reader, tokens, forced, counted_from
        self.words = Words(tokens)
        self.terms = reader.terms.find(tokens)
        for said in self.terms:
            self.words.take(said.start, said.end)
        whole = self._whole_names()
        series = find_series(self.words)
        self.periods = periods_in(self.words)
        every = [*grains_of(self.words, self.periods), *find_grains(self.words)]
        self.cycles = find_cycles(self.words, self._is_stored)
        self.presences = find_presences(self.words, tokens, reader.names)
        self.cues = sorted([*series, *find_cues(self.words)], key=lambda cue: cue.start)
        self.grains = grains_along(self.cues, every)
        self.lags_year = len(self.grains) < len(every)
        self.claimed: set[int] = set()
        self._units_said()
        named = whole | self._names_in_totals()
        taken = [self.words.taken(n) and n not in named for n in range(len(tokens))]
        self.mentions = find_mentions(tokens, taken, reader.names, reader.catalog)
        self._terms_said()
        self._grains_that_are_columns()
        self.dated = dict(self._grains_of_dates())
        self._money_words()
        self._sums_that_are_names()
        self._totals_that_are_names()
        self.slots = Slots()
        self.choices: list[Choice] = []
        self.lines: list[str] = []
        self.assumptions: list[str] = []
        self.weakest = 1.0
        self._having: list[Compare] = []
        self.compared: dict[int, Expr] = {}
        self.near: list[TableKey] = []
        self.of_rows: set[Expr | None] = set()

    def _whole_names(self) -> set[int]:
        """The places of `monthly fee`, `tracking number`, `net total`, `price per player` and `highest degree` where
        columns are called so: these ask for no months, no numbers, no sums, no groups, no best. No pattern finds their
        words from now on."""
        found = set[int]()
        for length in (2, 3):
            for start in range(len(self.tokens) - length + 1):
                some = self.tokens[start : start + length]
                asks = any(each.lower in _IN_NAMES for each in some) or some[-1].lower in _TOTALS
                asks = asks or (length == _RATE_WORDS and some[1].lower == "per")
                if (asks and (self._is_name(some) or self._is_stored_whole(some))) or self._is_of_best(some):
                    found.update(range(start, start + length))
        found.update(place for place in range(len(self.tokens)) if self._tells_kind(place))
        for place in found:
            self.words.take(place, place + 1)
        return found

    def _tells_kind(self, place: int) -> bool:
        """Whether `yearly` is stored of what the next word names: `the yearly plan`, `how many yearly members`."""
        if self.tokens[place].lower not in _IN_NAMES or place + 1 == len(self.tokens):
            return False
        before = [token.lower for token in self.tokens[max(place - 2, 0) : place]]
        hits = self.reader.catalog.values.lookup(self.tokens[place].lower, _FEW_COLUMNS)
        own = {(each.schema, each.table): each.column for each in hits if each.score == 1.0}
        named = self.reader.names.find((self.tokens[place + 1].stem,)) if own else []
        is_counted = before == ["how", "many"]
        kinds = (each for each in named if each.table.key in own and each.score >= _CALLED)
        return any(own[each.table.key] == each.column.name if each.column else is_counted for each in kinds)

    def _is_stored_whole(self, tokens: list[Token]) -> bool:
        """`annual leave`, where that is the name of a kind: no leave by year."""
        hits = self.reader.catalog.values.lookup(" ".join(each.text for each in tokens), 1)
        return tokens[0].lower in _IN_NAMES and any(each.score == 1.0 for each in hits)

    def _is_name(self, tokens: list[Token]) -> bool:
        said = tuple(token.stem for token in tokens)
        named = ((each, each.column) for each in self.reader.names.find(said))
        return any(col and (each.score == 1.0 or {*said} <= {*each.table.stems(col.name)}) for each, col in named)

    def _is_of_best(self, tokens: list[Token]) -> bool:
        """Whether a column of no amounts is called so, with its superlative: `highest degree`, `best time of day`."""
        said = tuple(token.stem for token in tokens)
        if tokens[0].lower not in _EXTREMES:
            return False
        named = ((each.table, each.column) for each in self.reader.names.find(said) if each.score == 1.0)
        return any(col and col.kind == "text" and table.stems(col.name) == said for table, col in named)

    def _is_stored(self, word: str) -> bool:
        return bool(self.reader.catalog.values.lookup(word, 1))

    def _units_said(self) -> None:
        """`over 90 seconds`: the unit after a number that is compared names nothing, unless a column is called so."""
        for cue in self.cues:
            if cue.kind in ("cmp", "between") and cue.end < len(self.tokens):
                unit = unit_said(self.tokens[cue.end].lower)
                named = self.reader.names.find((self.tokens[cue.end].stem,)) if unit else []
                if unit and not any(each.column and each.score >= 0.6 for each in named):
                    self.words.take(cue.end, cue.end + 1)
                    self.claimed.add(cue.end)

    def _terms_said(self) -> None:
        """The terms of the user's glossary are mentions; a restriction beside its table's name is that alone."""
        tables = {n: each.targets for each in self.mentions for n in (each.start - 1, each.end)}
        for said in self.terms:
            beside = [target.table for n in (said.start, said.end - 1) for target in tables.get(n, ())]
            named = () if any(each.table in beside for each in said.term.targets) else said.term.targets
            targets = named if said.term.options else said.term.targets
            self.mentions.append(Mention(said.start, said.end, targets, text=said.text, term=said.term))
        self.mentions.sort(key=lambda each: each.start)

    def _grains_of_dates(self) -> Iterator[tuple[int, Target]]:
        """`by month of signup`, `by year of the first visit`: where each such grain starts, and the date it is of."""
        for place, grain in enumerate(self.grains):
            after = (each for each in self.mentions if 0 < each.start - grain.end <= _NEAR_WORDS)
            named = next((each for each in after if self._dates(grain, each)), None)
            if named:
                self.mentions.remove(named)
                self.claimed.update(range(grain.end, named.end))
                self.grains[place] = replace(grain, end=named.end)
                yield grain.start, self.reader.resolver.best(named.targets, (), None)[0][1]

    def _dates(self, grain: GrainMention, item: Mention) -> bool:
        between = [token.lower for token in self.tokens[grain.end : item.start]]
        of_it = between[:1] == ["of"] and set(between[1:]) <= _ITS
        return of_it and bool(item.targets) and all(each.column and each.column.is_time for each in item.targets)

    def _money_words(self) -> None:
        """`revenue` is a mention also where no column is called so."""
        self.mentions = [replace(each, targets=()) if self._is_worth(each) else each for each in self.mentions]
        starts = {each.start for each in self.mentions if each.targets and not self._is_amount(each)}
        idle = [each for each in self.mentions if each.end in starts and self._only_says_sales(each)]
        self.mentions = [each for each in self.mentions if each not in idle]
        self.qualifying = {each.start for each in idle}
        self.claimed |= self.qualifying
        named = {n for each in self.mentions for n in range(each.start, each.end)}
        for n, token in enumerate(self.tokens):
            if n + 1 in starts and token.lower == "sales" and n not in named:
                self.qualifying.add(n)
                self.claimed.add(n)
            elif n not in named and not self.words.taken(n) and token.stem in _MONEY_NOUNS:
                self.mentions.append(Mention(n, n + 1, text=token.text))
        self.mentions.sort(key=lambda each: each.start)

    def _is_worth(self, item: Mention) -> bool:
        """`order value`: the money of the rows named right before, where no column is called so."""
        is_word = item.end == item.start + 1 and self.tokens[item.start].lower in _WORTH
        before = (t for each in self.mentions if each.end == item.start for t in each.targets if t.column is None)
        tables = {each.table.key for each in before if each.score >= _CALLED}
        own = [each for each in item.targets if each.score > _CALLED or each.table.key in tables]
        return (
            is_word
            and not own
            and any(column.table in tables for each in self.reader.resolver.money() for column in columns_in(each))
        )

    def _only_says_sales(self, item: Mention) -> bool:
        """`sales channel`, `sales region`: no sum, unless a table is called so."""
        is_table = any(each.column is None and each.score >= FLAG for each in item.targets)
        return item.end == item.start + 1 and self.tokens[item.start].lower == "sales" and not is_table

    def _is_amount(self, item: Mention) -> bool:
        return any(each.column is not None and each.column.kind == "number" for each in item.targets)

    def _sums_that_are_names(self) -> None:
        """`average invoice total`: after an aggregate and a table, `total` names the table's amount."""
        aggregates = [cue for cue in self.cues if cue.kind == "agg"]
        for cue, later in pairwise(aggregates):
            between = [each for each in self.mentions if cue.end <= each.start and each.end == later.start]
            if between and later.data["fn"] == "sum" and later.end == later.start + 1:
                self.cues.remove(later)

    def _names_in_totals(self) -> set[int]:
        """The places of `amount` in `total amount` and the like, where a column of amounts is called so."""
        found = set[int]()
        for place, cue in enumerate(self.cues):
            last = cue.end - 1
            if cue.kind == "agg" and last > cue.start and self.tokens[last].lower in AMOUNT_WORDS:
                named = self.reader.names.find((self.tokens[last].stem,))
                if any(each.column and each.column.kind == "number" and each.score >= FLAG for each in named):
                    self.cues[place] = replace(cue, end=last)
                    found.add(last)
        return found

    def _totals_that_are_names(self) -> None:
        """`What was the total price of the orders …`: a name that begins with `total` asks for the sum too."""
        first = next((each for each in self.terms if each.term.is_of_question and each.term.is_name), None)
        if first is None or self.tokens[first.start].lower not in _TOTALS:
            return
        computes = any(cue.kind in _COMPUTES for cue in self.cues)
        before = any(each.start < first.start for each in self.mentions)
        follows = self.text(first.end, first.end + 2).lower()
        if not computes and not before and follows not in ("of a", "of an", "of each", "of every"):
            self.cues.append(Cue(first.start, first.start, "agg", {"fn": "sum"}))
            self.cues.sort(key=lambda each: each.start)

    def _grains_that_are_columns(self) -> None:
        """`by year` means the column where there is one called so, and no time column."""
        kept = []
        for grain in self.grains:
            targets = self._called_as(grain)
            if targets:
                self.mentions.append(Mention(grain.end - 1, grain.end, tuple(targets), text=grain.grain))
                if not grain.asked:
                    self.cues.append(Cue(grain.start, grain.end - 1, "group"))
            else:
                kept.append(grain)
        self.grains = kept
        self.mentions.sort(key=lambda each: each.start)
        self.cues.sort(key=lambda each: each.start)

    def _called_as(self, grain: GrainMention) -> list[Target]:
        """The columns called as a grain, where nothing has a time, or nothing of the table named that has one."""
        found = self.reader.names.find((stem(grain.grain),))
        targets = [each for each in found if each.column and each.score >= FLAG]
        if not targets or not any(table.has_times for table in self.reader.catalog.tables):
            return targets
        named = [each.table for item in self.mentions for each in item.targets if each.column is None]
        return [each for each in targets if each.table in named and not any(table.has_times for table in named)]

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
        money = self._said_money() or self._said_worth()
        if pending and pending.kind == "agg" and money and not self.slots.measures:
            self.slots.measures.append((pending.data["fn"], None, False))
        if pending and pending.kind in ("super", "super_adj", "popular", "bestselling") and self.slots.best is None:
            self.slots.best = pending
        if pending and pending.kind == "sort" and pending.data.get("dir") and not self.slots.orders:
            self.slots.orders.append((None, pending.data["dir"] in ("descending", "decreasing")))

    def _cue(self, cue: Cue, role: str, pending: Cue | None) -> tuple[str, Cue | None]:
        slots = self.slots
        match cue.kind:
            case "group":
                after_best = slots.best is not None and slots.best_of is None and not cue.data.get("each")
                if cue.data.get("each"):
                    slots.each = True
                return ("order" if after_best else "group"), None
            case "share":
                return ("show" if role == "group" else role), pending
            case "basis":
                return ("order" if slots.best is not None and slots.best_of is None else "filter"), None
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

    def _orders_now(self, cue: Cue) -> bool:
        return bool(self.slots.orders) and cue.kind == "super_adj"

    def _turn(self, descending: bool) -> None:
        if self.slots.orders:
            self.slots.orders[-1] = (self.slots.orders[-1][0], descending)
        else:
            self.turned = descending

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
        if self._names_a_value(item) or self._is_unit(item):
            self.claimed.update(range(item.start, item.end))
            return role, pending
        if item.hits and (not item.targets or self._is_value(item)):
            if pending and pending.kind == "like" and not self._holds_rows(pending, item):
                slots.likes.append((pending, item.text, self._column_before(before), False))
                return "filter", None
            slots.values.append((item, bool(pending and pending.kind in ("not", "never"))))
            kept = pending if pending and pending.kind not in ("not", "never", "like") else None
            return (role if role in ("show", "group") or self._tells_of_next(item, role) else "filter"), kept
        if item.term and item.term.options:
            negates = bool(pending and pending.kind == "not")
            slots.filters.append((item, negates))
            pending = None if negates else pending
            if not item.targets:
                return ("filter" if role not in ("show", "group") else role), pending
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
            if self._qualifies(item) or self._is_deed(item):
                slots.also.append(item)
            elif self._acts(item):
                slots.also.append(item)
                return "filter", None
            elif not self._modifies_next(item):
                slots.groups.append(item)
        elif role == "order":
            self._ordered(item)
        elif role == "show" and self._is_done(item):
            slots.also.append(item)
            self.claimed.update(range(item.start, item.end))
            self.mentions.remove(item)
        elif role == "filter" or (role == "show" and self._qualifies(item)):
            slots.also.append(item)
        else:
            self._show(item)
        return role, None

    def _tells_of_next(self, item: Mention, role: str) -> bool:
        """`top 5 outlets by paid checks`: a value right before what the order goes by says nothing of the order."""
        open_ = self.slots.best_of is None if self.slots.best is not None else not self.slots.orders
        follows = any(each.start == item.end and self._has_table(each) for each in self.mentions)
        return role == "order" and open_ and follows

    def _is_unit(self, item: Mention) -> bool:
        """`track length in milliseconds`: the unit of what is named before it, though a column is called so."""
        before = any(each.end == item.start - 1 and any(t.column for t in each.targets) for each in self.mentions)
        said = item.end == item.start + 1 and unit_said(self.tokens[item.start].lower)
        return bool(said) and before and self.tokens[item.start - 1].lower == "in"

    def _is_done(self, item: Mention) -> bool:
        """`orders that were shipped`: what was done to the rows asked for is nothing to show."""
        done = item.end == item.start + 1 and (self.tokens[item.start].lower.endswith("ed"))
        entity = self.slots.entity
        told = bool(item.start) and self.tokens[item.start - 1].lower in IS and entity is not None
        told = told or (entity is not None and entity.end == item.start)
        return done and told and not self._has_table(item)

    def _is_deed(self, item: Mention) -> bool:
        """`orders each hotel placed`: a verb that a moment is called by; there is no row for each moment."""
        word, before = self.tokens[item.start].lower, self.tokens[item.start - 1].lower if item.start else ""
        is_verb = item.end == item.start + 1 and (word.endswith("ed") or word in _DONE)
        is_time = bool(item.targets) and all(each.column and each.column.is_time for each in item.targets)
        return is_verb and is_time and before not in ("by", "per", "each", "every")

    def _acts(self, item: Mention) -> bool:
        """`taken by staff based in London`: who did it, told of by a value that follows, groups nothing."""
        by = item.start > 1 and self.tokens[item.start - 1].lower == "by"
        done = by and (self.tokens[item.start - 2].lower.endswith("ed") or self.tokens[item.start - 2].lower in _DONE)
        told = [each for each in self.mentions if each.hits and 0 < each.start - item.end <= _NEAR_WORDS]
        return done and self._has_table(item) and bool(told) and self._leads_to(item, told[0])

    def _leads_to(self, item: Mention, value: Mention) -> bool:
        """Whether a value tells of the thing named right before it: `staff based in London`."""
        between = {token.lower for token in self.tokens[item.end : value.start]}
        return 0 < value.start - item.end <= _NEAR_WORDS and bool(between & _FILTERING)

    def _holds_rows(self, cue: Cue, item: Mention) -> bool:
        """`orders that contain toys`: a stored value of another table is no part of a text."""
        of_text = self.text(cue.start, cue.end).lower().startswith(("contain", "includ"))
        exact = [hit for hit in item.hits if hit.score >= FLAG]
        entity = self.slots.entity
        own = {each.table.key for each in entity.targets if each.column is None} if entity else set()
        elsewhere = all((hit.schema, hit.table) not in own for hit in exact)
        return of_text and bool(exact and own) and elsewhere and not self.tokens[item.start].quoted

    def _names_a_value(self, item: Mention) -> bool:
        """`status` in `status O`, `priority` in `medium priority`: the column of the value beside it, and no more."""
        columns = {(*each.table.key, each.column.name) for each in item.targets if each.column}
        beside = [each for each in self.mentions if item.start == each.end or item.end == each.start]
        values = [each for each in beside if each.hits and (not each.targets or self._is_value(each))]
        others = any(each is not item and each not in values for each in self.mentions)
        held = any((hit.schema, hit.table, hit.column) in columns for each in values for hit in each.hits)
        return held and others and not item.hits

    def _qualifies(self, item: Mention) -> bool:
        """`restocked` in `refunds that were restocked`, in `restocked refunds`: a two-valued column tells of rows."""
        flags = [each for each in item.targets if each.column and each.score >= FLAG and is_yes_or_no(each.column)]
        if not flags or self._has_table(item):
            return False
        beside = [each for each in self.mentions if each.start == item.end and self._has_table(each)]
        verb = item.end - item.start > 1  # customers who accept marketing: the flag's whole name, said of its rows
        beside += [each for each in self.mentions if verb and self._told_of(each, item) and self._has_table(each)]
        of_rows = any(t.table.key == flag.table.key for each in beside for t in each.targets for flag in flags)
        before = self.tokens[item.start - 1].lower if item.start else ""
        return of_rows or before in IS or (before in _ON and any(is_calendar(each.table) for each in flags))

    def _told_of(self, table: Mention, item: Mention) -> bool:
        between = {token.lower for token in self.tokens[table.end : item.start]}
        return table.end <= item.start and between <= {"who", "that", "which"}

    def _modifies_next(self, item: Mention) -> bool:
        """`product category`, `product name`: the first of two adjoining names only says which one is meant."""
        after = next((each for each in self.mentions if each.start == item.end and each.targets), None)
        if after is None or not self._has_table(item):
            return False
        table = next(each for each in item.targets if each.column is None).table.key
        follows = self.tokens[after.start].lower
        plain = follows not in AMOUNT_WORDS
        own = any(each.column and each.table.key == table for each in after.targets) and plain
        figure = plain and all(each.column is not None and each.column.kind == "number" for each in after.targets)
        if own or figure or self._has_table(after):
            self.claimed.update(range(item.start, item.end))
            return True
        return False

    def _with_pending(self, item: Mention, role: str, pending: Cue) -> tuple[str, Cue | None]:
        slots = self.slots
        if pending.kind not in ("not", "never") and self._qualifies(item):
            slots.also.append(item)
            return role, pending
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
            case "not" if self._qualifies(item):
                slots.absent.append(item)
                return role, None
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
        if role == "group" and self._is_deed(item):
            slots.also.append(item)
            return role, pending
        if role == "group":
            slots.groups.append(item)
        elif role == "show":
            self._show(item)
        else:
            slots.also.append(item)
        return role, None

    def _best_of(self, item: Mention, role: str) -> tuple[str, Cue | None]:
        """`top 5 products` ranks products; `the highest price`, `the most orders` rank by what follows."""
        slots, cue = self.slots, self.slots.best
        assert cue is not None
        ranks_rows = cue.data.get("top") or self._is_judged(item) or cue.kind in ("super_adj", "popular", "bestselling")
        if ranks_rows and slots.entity is None and (self._has_table(item) or cue.kind != "super_adj"):
            self._show(item)
            return "show", None
        if ranks_rows and cue.kind == "super_adj" and self._has_table(item):
            slots.also.append(item)
            return "filter", None
        slots.best_of = slots.best_of or item
        return "filter", None

    def _is_judged(self, item: Mention) -> bool:
        """`our best client, going by sales`: what makes a row the best comes later."""
        later = [cue for cue in self.cues if cue.start >= item.end]
        says = any(cue.kind == "basis" or (cue.kind == "group" and not cue.data.get("each")) for cue in later)
        return says and self._has_table(item)

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
        if item.start - cue.end <= 1 and not cue.data.get("money"):
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
        named = {(*each.table.key, each.column.name) for each in item.targets if each.column}
        if exact and named and named <= {(hit.schema, hit.table, hit.column) for hit in item.hits}:
            return True  # a column that goes by the names of its values
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

    def _said_worth(self) -> bool:
        """`what is an urgent order worth on average`: the amount of what is asked for."""
        return self.slots.entity is not None and any(token.lower == "worth" for token in self.tokens)

    def _said_money(self) -> bool:
        longer = (
            each for each in self.mentions if each.end > each.start + 1 and each.targets and not self._is_amount(each)
        )
        inside = {n for each in longer for n in range(each.start, each.end)} | self.qualifying
        return any(token.stem in MONEY for n, token in enumerate(self.tokens) if n not in inside)

    def text(self, start: int, end: int) -> str:
        return " ".join(token.text for token in self.tokens[start:end])

    def _plain_grains(self) -> list[GrainMention]:
        return [grain for grain in self.grains if not grain.asked]
