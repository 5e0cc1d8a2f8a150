"""From words to a query tree, on one page: roles, names, measures or ranks or rows, conditions, order.

Questions of a fixed frame (frames.py) are taken apart before. The passes are a line of classes, each in its file: roles
▶ naming ▶ measuring ▶ ranking ▶ conditions ▶ Pass. No rule knows a database.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import FILLER, MONEY, STOP, Token, commands, stem, table_stems, tokenise
from pluto_duck_text2sql.reading.accounts import certainly_lost, nothing_lost, passed_over, unaccounted
from pluto_duck_text2sql.reading.asked_for import asked_in_vain, told_in_vain
from pluto_duck_text2sql.reading.cohorts import cohort_of
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.cues import ADJECTIVES, Cue
from pluto_duck_text2sql.reading.funnels import funnel_of
from pluto_duck_text2sql.reading.lists import Listed, split_lists
from pluto_duck_text2sql.reading.pairs import Pairs, is_side_by_side, leading_year, led_by
from pluto_duck_text2sql.reading.phrasing import lacking
from pluto_duck_text2sql.reading.roles import Roles
from pluto_duck_text2sql.reading.shared import shared_of
from pluto_duck_text2sql.reading.sides import sides_of
from pluto_duck_text2sql.reading.slots import Choice, Unreadable
from pluto_duck_text2sql.reading.spec import plain
from pluto_duck_text2sql.reading.thresholds import threshold_of
from pluto_duck_text2sql.reading.unasked import unasked
from pluto_duck_text2sql.reading.vague import is_vague
from pluto_duck_text2sql.terms.terms import Terms
from pluto_duck_text2sql.times.today import Today, split_today
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Expr,
    Minus,
    Missing,
    Nested,
    Order,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Share,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.selves import WORDS, climbed


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
    knows: bool = False
    """Whether it rests on phrases that the rules know and the network has hardly seen."""
    asked: str = ""
    """The words for what is asked, where they name nothing that there is."""
    told: str = ""
    """The words that tell which of the rows are meant, where they name nothing."""
    lost: list[str] = field(default_factory=list)
    """Words that rules took and that left no mark in the tree."""
    lost_by: Callable[[Query], list[str]] = field(default=nothing_lost, compare=False, repr=False)
    """The words of the question that leave no mark in a tree, though they must."""
    passed_over: Callable[[Query], list[str]] = field(default=nothing_lost, compare=False, repr=False)
    """Those of them that no answer may leave out."""
    is_framed: bool = False
    """Whether it is of a frame, such as a cohort, a funnel or two sides, and not of words one by one."""


_MORE_THAN = Pattern(r"\bhow (?:much|many) (?:more|fewer|less|higher|lower)\b.*\bthan\b")
_ONCE = Pattern(
    r"\b(?:each|every one|every name) (?:only |just )?once\b|\bwithout (?:any )?(?:repeats|duplicates|doubles)\b", re.I
)
_YEAR = Pattern(r"(?:in |for )?(?:19|20)\d\d")
_BEING = frozenset("is are was were be been has have had got carry carries".split())
_DOER = "er"
_EACH = frozenset("a an each every per one single average mean typical".split())
"""Words before the thing of which each has a total, and the mean of the totals is asked."""


def _is_summed(measure: Agg) -> bool:
    """Whether it adds up rows, as a count and money do: `average length per genre` is of the rows themselves."""
    return measure.function in ("count", "sum") or (measure.function == "avg" and isinstance(measure.of, Product))


def _rate_of(shown: Expr, part: tuple[Cond, ...]) -> Expr:
    """A group's part of the total as the part of the group that meets the conditions."""
    if not isinstance(shown, Share) or not isinstance(shown.of, Agg):
        return shown
    return Ratio(replace(shown.of, where=(*shown.of.where, *part)), shown.of, shown.scale)


class Reader:
    """Reads questions over one catalog."""

    def __init__(
        self, catalog: Catalog, joins: JoinGraph, names: NameIndex, today: dt.date, terms: Terms | None = None
    ) -> None:
        self.catalog = catalog
        self.joins = joins
        self.names = names
        self.today = today
        self.terms = terms or Terms(catalog, joins, names, today)
        self.resolver = Resolver(catalog, joins)

    def read(self, question: str, forced: str | None = None) -> Reading:
        """The best reading; `forced` is the label of a choice to take. Raises Unreadable."""
        found = self._read(question, forced)
        query = found.query
        once = _ONCE.search(question) and not query.group and query.limit is None
        return replace(found, query=replace(query, distinct=True)) if once else found

    def named(self, question: str) -> list[Mention]:
        """What the words of `question` name, without reading what it asks of it."""
        today = split_today(without_remarks(question))[1]
        return Roles(self, tokenise(self.terms.defined(question)), None, today).mentions

    def _read(self, question: str, forced: str | None) -> Reading:
        today = split_today(without_remarks(question))[1]
        question = self.terms.defined(question)
        listed = split_lists(question, self.names)
        framed = None if forced or today else self._framed(question, listed.main)
        if framed:
            return framed
        passed = Pass(self, tokenise(_side_by_side(listed)), forced, today)
        passed.whole, passed.listed = question, tuple(listed.phrases)
        try:
            reading = passed.reading()
        except Unreadable:
            if not listed.phrases:
                raise  # what is asked may be named by the columns alone: `What do we buy from Acme? Product names.`
            return self._passed(f"{', '.join(listed.phrases)} {listed.main}", forced, today, listed.phrases)
        reading = replace(reading, query=led_by(reading.query, leading_year(question)))
        with_columns = self._with_columns(reading, listed) if listed.phrases else reading
        if with_columns is None:
            return self._passed(plain(question), forced, today, listed.phrases)
        return passed.accounted(with_columns)

    def _with_columns(self, reading: Reading, listed: Listed) -> Reading | None:
        """A reading with the columns that are listed; itself where these would tear apart what stands side by side;
        None where none of them is found."""
        columns = Columns(self, reading.query)
        query = columns.choose(listed.phrases, adds=listed.adds)
        if is_side_by_side(reading.query) and (columns.missed or not is_side_by_side(query)):
            return reading
        if query is reading.query and columns.missed:
            return None
        return replace(reading, query=query, unclaimed=[*reading.unclaimed, *columns.missed])

    def _passed(self, text: str, forced: str | None, today: Today | None, listed: Sequence[str]) -> Reading:
        """The reading of a text as a whole, of a question that lists columns."""
        passed = Pass(self, tokenise(text), forced, today)
        passed.whole, passed.listed = text, tuple(listed)
        return passed.accounted(passed.reading())

    def _framed(self, question: str, main: str) -> Reading | None:
        """The reading of a question whose parts are questions of their own."""
        made = cohort_of(self, main) or funnel_of(self, question) or threshold_of(self, main)
        return made or shared_of(self, main) or sides_of(self, main)


class Pass(Pairs):
    """One question on its way to a tree."""

    whole = ""
    """The question as it was written, also what is left out of the tokens; nothing where it is all in them."""
    listed: tuple[str, ...] = ()
    """What it lists to be shown."""

    def reading(self) -> Reading:
        self._assign()
        try:
            query = self._build()
        except Unreadable as error:
            error.unclaimed, error.lost_by, error.passed_over = self._unclaimed(), self.lost_by, self.passed_over
            error.asked, error.told = self._in_vain()
            raise
        return Reading(
            query,
            self.lines,
            self.assumptions,
            self.choices,
            self._unclaimed(),
            self.weakest,
            self.mentions,
            self._knows(),
            *self._in_vain(),
        )

    def _in_vain(self) -> tuple[str, str]:
        left = set(self._left())
        return asked_in_vain(self, left), told_in_vain(self, left)

    def accounted(self, reading: Reading) -> Reading:
        """The reading, its unexplained words with those that left no mark in its tree."""
        lost = [*unaccounted(self, reading.query), *lacking(self, reading.query)]
        return replace(reading, lost=lost, lost_by=self.lost_by, passed_over=self.passed_over)

    def lost_by(self, query: Query) -> list[str]:
        """The words of the question that leave no mark in a tree, though they must, and what it says beyond them.

        Kept, since it is asked whether the likeliest tree says all, then what each leaves out.
        """
        place = id(query)
        if place not in self._lost:
            self._lost[place] = query, [*certainly_lost(self, query), *lacking(self, query), *unasked(self, query)]
        return self._lost[place][1]

    @cached_property
    def _lost(self) -> dict[int, tuple[Query, list[str]]]:
        """What trees leave out, by their identity, and the trees, so that no other gets it."""
        return {}

    def passed_over(self, query: Query) -> list[str]:
        """The words of the question that no answer may leave out, and a tree does."""
        return passed_over(self, query)

    def words_at(self, start: int, end: int) -> str:
        """The words of the question at these places."""
        return self.text(start, end)

    def _knows(self) -> bool:
        """Whether it says what the network has hardly seen: that a thing is there, that each one's total compares.

        So are `youngest first`, `came second`, amounts in other units than the stored ones, and words of trade.
        """
        of_trade = any(each.term.is_of_trade for each in self.terms)
        is_placed = any("nth" in cue.data for cue in self.cues)
        return bool(is_placed or of_trade or self.presences or self.compared or self.sorted_by or self.is_certain)

    def _build(self) -> Query:
        self._times_of_periods()
        self.entity = self._entity()
        self.near = [self.entity.key] if self.entity else []
        self._note_tables()
        self._measures_compared()
        measures = self._measures()
        if self.slots.best is not None:
            return self._finish(self._superlative(measures))
        if not measures and self._lists_each():
            return self._finish(self._listing())
        groups = self._groups()
        measures = [*measures, *self._rates_of_entity()]
        is_listed = not (measures or groups or self.grains or self._computes())
        return self._finish(self._listing() if is_listed else self._aggregate(measures, groups))

    def _computes(self) -> bool:
        """Whether a course, a comparison or money is asked for, though no measure is named."""
        compares = any(cue.kind in ("growth", "running", "moving", "versus") for cue in self.cues)
        return compares or any(self._sounds_of_money(each) for each in self.slots.shown)

    def _finish(self, query: Query) -> Query:
        where = [*query.where, *self._conditions(query)]
        spans = {column for each in nodes_in(query.select) if isinstance(each, Days) for column in columns_in(each)}
        where = [each for each in where if not (isinstance(each, Missing) and each.left in spans)]
        query = self._climbed(self._with_having(replace(query, where=tuple(where))))
        query = self._as_quantile(self._with_orders(query))
        return self._as_average(self._as_difference(self._as_change(self._as_share(self._as_pair(query)))))

    def _climbed(self, query: Query) -> Query:
        """`who reports to Ann`: rows that point at rows of their own table."""
        table = self.reader.catalog.table(*query.anchor)
        label = self.reader.resolver.label(table) if table else []
        found = climbed(self.text(0, len(self.tokens)), query, self.reader.catalog, label)
        if found is not query:
            self.is_certain = True
            self.claimed.update(n for n, token in enumerate(self.tokens) if WORDS.fullmatch(token.lower))
        return found

    def _with_having(self, query: Query) -> Query:
        """A condition on a total groups what was listed."""
        if not self._having:
            return query
        inside = self._of_members(query)
        if inside is not query:
            return inside
        anchor = next(columns_in(self._having[0].left)).table
        group = query.group or tuple(self._keyed_entity(query))
        where = tuple(each for each in query.where if each != Related(anchor))
        return replace(query, anchor=anchor, where=where, group=group, having=(*query.having, *self._having))

    def _keyed_entity(self, query: Query) -> list[Expr]:
        keys = [Col(self.entity.key, name) for name in self.reader.resolver.key(self.entity)] if self.entity else []
        return list(dict.fromkeys([*keys, *(each for each in query.select if isinstance(each, Col | Bucket))]))

    def _with_orders(self, query: Query) -> Query:
        if self.sorted_by:
            words, descends = ADJECTIVES[self.sorted_by.data["adj"]]
            dated = [
                each.left for each in query.where if isinstance(each, During | Compare) and self._is_time(each.left)
            ]
            column = dated[0] if dated and stem("date") in map(stem, words) else self._adjective_column(words)
            descends = not descends if column and stem("birth") in self._stems_of(column) else descends
            return replace(query, order=(Order(column, descends),)) if column else query
        if not self.slots.orders:
            total = next((each for each in query.select if is_total(each)), None)
            turned = self.turned is not None and query.group and not query.limit
            return replace(query, order=(Order(total, bool(self.turned)),)) if turned and total else query
        orders = []
        for item, descending in self.slots.orders:
            by = self._order_key(item, query) if item else query.select[0]
            if by:
                orders.append(Order(by, descending))
        return self._grouped_for(replace(query, order=tuple(orders) or query.order))

    def _grouped_for(self, query: Query) -> Query:
        """`products sorted by margin`: what was listed is grouped where a defined total sorts it."""
        total = next((each.by for each in query.order if is_total(each.by)), None)
        if total is None or query.group or any(is_total(each) for each in query.select):
            return query
        return replace(query, anchor=next(columns_in(total)).table, group=tuple(self._keyed_entity(query)))

    def _order_key(self, item: Mention, query: Query) -> Expr | None:
        defined = self._defined(item)
        if defined:
            return defined
        if self._has_table(item):
            table = self._table(item)
            return Agg("count", Rows(table.key)) if table and query.group else None
        column = self._column(item)
        if column is None:
            return None
        aggregates = [each for each in query.select if isinstance(each, Agg) and column in columns_in(each)]
        return aggregates[0] if aggregates else column

    def _as_quantile(self, query: Query) -> Query:
        """`the 95th percentile of`: the median's place, elsewhere than in the middle."""
        at = next((cue.data["n"] / 100 for cue in self.cues if cue.kind == "agg" and "n" in cue.data), None)
        if at is None or not 0 <= at <= 1:
            return query
        shown = (
            replace(each, function="quantile", at=at) if isinstance(each, Agg) and each.function == "median" else each
            for each in query.select
        )
        return replace(query, select=tuple(shown))

    def _as_difference(self, query: Query) -> Query:
        """`how much more revenue in Peru than in Chile`: the one part of the measure less the other."""
        measure = next((each for each in query.select if isinstance(each, Agg)), None)
        pairs = [each for each in query.where if isinstance(each, Among) and len(each.values) == 2 and not each.negated]
        if measure is None or query.group or not pairs or not _MORE_THAN.search(self.text(0, len(self.tokens)).lower()):
            return query
        one, other = (tuple(Compare(each.left, "=", each.values[n]) for each in pairs) for n in (0, 1))
        less = Minus(replace(measure, where=(*measure.where, *one)), replace(measure, where=(*measure.where, *other)))
        return replace(query, select=(less,), where=tuple(each for each in query.where if each not in pairs))

    def _as_average(self, query: Query) -> Query:
        """`how many lines does an order have on average`: the mean of what each order has."""
        measures = [each for each in query.select if isinstance(each, Agg)]
        is_mean = any(cue.kind == "agg" and cue.data["fn"] == "avg" for cue in self.cues)
        if not is_mean or self.grains or len(measures) != 1 or not _is_summed(measures[0]):
            return query
        home = next(columns_in(measures[0]), None)
        owner = self._owner(home.table) if home else None
        if home is None or owner is None or any(each.table != owner.key for each in columns_in(query.group)):
            return query
        total = replace(measures[0], function="sum") if measures[0].function == "avg" else measures[0]
        where = tuple(each for each in query.where if each != Related(owner.key))
        inner = Query(home.table, (total,), where, self._key_of(owner, home.table))
        return Query(home.table, (Agg("avg", Nested(inner)),))

    def _owner(self, home: TableKey) -> Table | None:
        """The table of `an order`, `per order`, `average order value`, whose rows have many of the measure's."""
        for item in self.mentions:
            if self._word_before(item.start) not in _EACH or not self._has_table(item):
                continue
            table = self._table(item)
            steps = self.reader.joins.path(home, table.key) if table else None
            if table and steps and not any(step.multiplies for step in steps):
                return table
        return None

    def _word_before(self, place: int) -> str:
        """The word before `place`, past the values that qualify what is there: `a completed order`."""
        value = next((each for each in self.mentions if each.end == place and each.hits), None)
        place = value.start if value else place
        return self.tokens[place - 1].lower if place else ""

    def _key_of(self, owner: Table, home: TableKey) -> tuple[Expr, ...]:
        """What tells the owner's rows apart: the columns that point to it, else its key."""
        steps = self.reader.joins.path(home, owner.key) or []
        if len(steps) == 1:
            return tuple(Col(home, pair[0]) for pair in steps[0].pairs)
        return tuple(Col(owner.key, name) for name in self.reader.resolver.key(owner))

    def _as_share(self, query: Query) -> Query:
        """`what share of orders were cancelled`: the restricted part over the whole."""
        shares = [cue for cue in self.cues if cue.kind == "share"]
        if not shares or not query.where:
            return query
        if query.group:
            return self._as_rate(query, shares[0])
        measure = next((each for each in query.select if isinstance(each, Agg)), Agg("count", Rows(query.anchor)))
        part: list[Cond] = []
        whole: list[Cond] = []
        for condition in query.where:
            (whole if isinstance(condition, During) else part).append(condition)
        if not part:
            return query
        measure = _number_of(measure, part)
        top = replace(measure, where=tuple(part))
        return replace(
            query, select=(Ratio(top, measure, shares[0].data["scale"]),), where=tuple(whole), order=(), limit=None
        )

    def _as_rate(self, query: Query, share: Cue) -> Query:
        """`for each channel, what share of the orders was cancelled`: in each group that part of it."""
        part = tuple(each for each in query.where if not isinstance(each, During))
        if not part or not self._is_predicate(share):
            return query
        select = tuple(_rate_of(each, part) for each in query.select)
        whole = tuple(each for each in query.where if each not in part)
        return replace(query, select=select, where=whole) if select != query.select else query

    def _is_predicate(self, share: Cue) -> bool:
        """Whether what restricts is said of the rows by a verb, as in `what share of the orders was cancelled`."""
        values = [item.start for item, _ in self.slots.values if item.start >= share.end]
        values += [each.start for each in self.mentions if each.start >= share.end and each in self.slots.also]
        last = max(values, default=share.end)
        return any(token.lower in _BEING for token in self.tokens[share.end : last])

    def _unclaimed(self) -> list[str]:
        """Content words that nothing explains."""
        return [self.tokens[n].text for n in self._left()]

    def _left(self) -> list[int]:
        spans = [
            (e.start, e.end)
            for some in (self.cues, self.grains, self.periods, self.cycles, self.presences)
            for e in some
        ]
        spoken = {n for start, end in spans for n in range(start, end)}
        named = {n for each in self.mentions for n in range(each.start, each.end)}
        rows = {each.start for each in self.mentions if any(target.column is None for target in each.targets)}
        left = []
        for n, token in enumerate(self.tokens):
            if n in spoken or n in self.claimed or n in named or (token.lower in STOP and not token.quoted):
                continue
            if n == 0 and commands(self.tokens):
                continue
            if token.stem in FILLER and not is_vague(self.tokens, n, rows):
                continue
            if self._is_deed_of_named(token):
                continue
            if token.stem not in MONEY and (token.number is None or token.quoted):
                left.append(n)
        return left

    def _is_deed_of_named(self, token: Token) -> bool:
        """Whether rows that the question names are called by who does it: what is `climbed` by climbers."""
        tables = {target.table.name for item in self.mentions for target in item.targets if target.column is None}
        doers = {each for name in tables for each in table_stems(name)[-1:]}
        return token.lower != token.stem and f"{token.stem}{_DOER}" in doers


def _number_of(measure: Agg, part: Sequence[Cond]) -> Agg:
    """`what share of grades is below 5`: how many there are, not what they add up to."""
    compared = any(isinstance(each, Compare) and each.left == measure.of for each in part)
    return replace(measure, function="count") if compared and measure.function == "sum" else measure


def _side_by_side(listed: Listed) -> str:
    """What a question asks; where it lists two years, a column for each."""
    years = sum(bool(_YEAR.fullmatch(each)) for each in listed.phrases)
    return f"{listed.main} versus" if len(listed.phrases) > 2 and years == 2 else listed.main
