"""The shape of an answer put right: its order, its cut, the names of its groups, who is meant by `who`.

What a question says of its answer's shape is said in few words that mean nothing else: `biggest first`, `top 4`, `in
each county`. Called by `corrections` for every tree, whoever wrote it; a tree that has the shape stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.superlatives import FIRST, WAY, is_high, is_low, is_small
from pluto_duck_text2sql.language.words import name_stems, spoken, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    Expr,
    Order,
    Query,
    all_nodes_in,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.resolve import Resolver

_NUMBER = r"(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
_TOP = Pattern(
    rf"\b(?:top|bottom|best|worst|first|last) {_NUMBER}\b(?! (?:day|week|month|quarter|year|hour|minute)s?\b)",
    re.IGNORECASE,
)
_ENDS = Pattern(rf"\b(?P<end>top|bottom) {_NUMBER}\b", re.IGNORECASE)
_EITHER_END = Pattern(
    r"\b(?:least|lowest|smallest|fewest|shortest|cheapest|weakest|worst|slowest|youngest|newest|quickest|fastest|earliest"
    r"|low|less|fewer|oldest|latest|best|highest)\b",
    re.IGNORECASE,
)
"""Words that say themselves which end is meant."""
_TOPS = Pattern(r"\btop (?:[a-z]+ )?(?P<what>[a-z]+[^s\W]s)\b", re.IGNORECASE)
_BEST_ONES = Pattern(
    r"^\W*(?:(?:show|list|give)(?: me| us)? )?(?:the |our )?"
    r"(?:most [a-z]+|least [a-z]+|biggest|largest|smallest|cheapest|dearest|priciest|best|worst)"
    r" (?:[a-z]+ )?(?P<what>[a-z]+[^s\W]s)\b",
    re.IGNORECASE,
)
FEW = 10
"""So many are the best where nothing says how many."""
_SOME = Pattern(
    r"^\W*(?:please )?(?:(?:only |just )?(?:show|list|give|display|print|get|return)(?: me| us)?"
    r"(?: (?:only|just|any|some))?|only|just|any) (?P<n>\w+) (?P<what>\w+(?: \w+)?)",
    re.IGNORECASE,
)
_MOST_SOME = 1000
"""A higher number is a year, or something that is looked for."""
_LATE = "newest latest youngest".split()
_EARLY = "oldest earliest".split()
_BY_SPEED = {"fastest": True, "quickest": True, "slowest": False}
_SPEEDS = frozenset(map(stem, "speed velocity mph kmh kph knots".split()))
"""What the fastest have most of: of a time they have the least."""
_FIRST = Pattern(rf"\b(?P<way>{WAY})(?: [a-z]+){{0,2}}? {FIRST}\b", re.IGNORECASE)
_AGED = Pattern(r"\b(?P<way>oldest|earliest|newest|latest|youngest|most recent)\b", re.IGNORECASE)
_AGED_FIRST = Pattern(rf"{_AGED.pattern}(?: [a-z]+)? first\b", re.IGNORECASE)
_EACH = Pattern(r"\b(?:by|per|each|every)\b", re.IGNORECASE)
_EACH_OF = frozenset(("by", "per", "each", "every"))
_WHO = Pattern(r"^\s*(?:and )?who\b", re.IGNORECASE)
_LAST_FIRST = Pattern(r"\b(?:last|family|sur)[- ]?names?\b.*\b(?:first|given|fore)[- ]?names?\b", re.IGNORECASE)
_END = (
    r"(?:most|least|highest|lowest|cheapest|dearest|largest|biggest|smallest|oldest|newest|youngest|longest|shortest)"
)
_FROM_TO = Pattern(rf"\bfrom (?:the )?{_END}\b.*? to (?:the )?{_END}\b|\b{_END} first\b", re.IGNORECASE)
_LAST_NAMES = Pattern(r"(?<!by )(?<!of )\b(?:last|family|sur)[- ]?names?\b", re.IGNORECASE)
_OTHER_NAMES = Pattern(
    r"\b(?:first|given)(?:[- ]names?\b| and\b| or\b|,)|\b(?:full|whole|both|who|forenames?)\b"
    r"|(?<!last )(?<!family )(?<!sur)\bnames?\b",
    re.IGNORECASE,
)
_LAST = stem("last")
_NAME_PART = Pattern(
    r"(?:first|last|given|family|middle|fore|sur|f|l)[- ]?names?\b|\bnamed\b|\bcalled\b", re.IGNORECASE
)
_COMMON_NAME = Pattern(r"\b(?:common|popular|frequent|shared)\b(?: [a-z]+)? names?\b", re.IGNORECASE)
"""A name that several have is nobody's own."""
_YEARS = range(1000, 2101)
_YEAR = stem("year")
_RANKS = frozenset(map(stem, "rank ranking position place priority".split()))
_AGES = frozenset(map(stem, ("age", "old")))
"""What tells how old something is is no year, though it may be called `years_old`."""


class Shapes:
    """Puts the shape of trees right over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> None:
        self._catalog, self._joins, self._resolver = catalog, joins, resolver

    def applied(self, query: Query, question: str) -> Query:
        """The tree in the shape that the question says."""
        if query.then:
            return query
        query = self._by_kind(self._grouped(query), question)
        query = query if _COMMON_NAME.search(question) else self._apart(query)
        query = self._with_groups(query, question)
        query = self._all_sorted(query, question)
        query = self._last_alone(self._whole_names(query, question), question)
        query = self._once(self._in_said_order(query, question), question)
        query = self._tops(_from_its_end(_cut(self._sorted(query, question), question), question), question)
        return self._aged(self._some(query, question), question)

    def _grouped(self, query: Query) -> Query:
        """Not by what is not shown and tells no shown thing apart: `by category` is not by each film in it."""
        shown = [each for each in query.select if not is_total(each)]
        if not shown or query.having or query.per or not set(shown) <= set(query.group):
            return query
        tables = {each.table for each in shown if isinstance(each, Col)}
        kept = tuple(each for each in query.group if each in shown or self._tells_apart(each, tables))
        return query if kept == query.group else replace(query, group=kept)

    def _by_kind(self, query: Query, question: str) -> Query:
        """`for each machine category` is by category, and by no machine."""
        own = [each for each in query.group if isinstance(each, Col) and self._joins.is_key(each)]
        others = [each for each in query.group if isinstance(each, Col) and each not in own]
        if query.per or not (own and others and any(map(is_total, query.select))):
            return query  # the best of each kind are things
        kinds = {name_stems(each.name)[-1:] for each in others}
        tokens = tokenise(question)
        said = {
            one.stem: other.stem
            for each, one, other in zip(tokens, tokens[1:], tokens[2:], strict=False)
            if each.lower in _EACH_OF and (other.stem,) in kinds
        }
        left = [key for key in own if set(table_stems(key.table[1])[-1:]) & said.keys()]
        labels = [each for key in left for each in self._label_of(key)]
        left += [each for each in labels if name_stems(each.name)[-1] not in said.values()]
        select = tuple(each for each in query.select if each not in left)
        return replace(query, select=select, group=tuple(each for each in query.group if each not in left))

    def _all_sorted(self, query: Query, question: str) -> Query:
        """`from the most expensive to the cheapest`: all of them, not those at an end."""
        if not _FROM_TO.search(question):
            return query
        kept = tuple(each for each in query.where if not _is_extreme(each))
        return replace(query, where=kept) if kept != query.where else query

    def _last_alone(self, query: Query, question: str) -> Query:
        """`last names and rates`: no first names, which the question never says."""
        if not _LAST_NAMES.search(question) or _OTHER_NAMES.search(question):
            return query
        labels = [self._label_of(each) for each in query.select]
        first = {label[0] for label in labels if len(label) > 1 and _LAST in name_stems(label[-1].name)}
        kept = tuple(each for each in query.select if each not in first)
        return replace(query, select=kept) if kept and kept != query.select else query

    def _in_said_order(self, query: Query, question: str) -> Query:
        """`first name, last name`: not the other way round."""
        for each in query.select:
            label = [part for part in self._label_of(each) if part in query.select]
            places = [query.select.index(part) for part in label]
            if len(label) > 1 and places != sorted(places) and not _LAST_FIRST.search(question):
                select = list(query.select)
                for place, part in zip(sorted(places), label, strict=True):
                    select[place] = part
                return replace(query, select=tuple(select))
        return query

    def _apart(self, query: Query) -> Query:
        """Groups by first and last name are by person: two of one name are two."""
        for each in query.group:
            label = self._label_of(each)
            table = self._catalog.table(*each.table) if isinstance(each, Col) and len(label) > 1 else None
            if table and len(table.primary_key) == 1 and set(label) <= set(query.group) and each in label:
                key = Col(table.key, table.primary_key[0])
                return query if key in query.group else replace(query, group=(key, *query.group))
        return query

    def _tells_apart(self, key: Expr, tables: set[tuple[str, str]]) -> bool:
        """Whether a group key is of a table that is shown, or points to one."""
        if not isinstance(key, Col) or key.table in tables:
            return True
        steps = (each for each in self._joins.neighbours(key.table) if each.target in tables and not each.multiplies)
        return any(left.casefold() == key.name.casefold() for each in steps for left, _ in each.pairs)

    def _with_groups(self, query: Query, question: str) -> Query:
        """`how many in each county`: each county with its number."""
        totals = bool(query.select) and all(map(is_total, query.select))
        if not totals or not query.group or query.limit is not None or not _EACH.search(question):
            return query
        names = [name for each in query.group for name in self._names_of(each)]
        group = tuple(dict.fromkeys((*query.group, *names)))
        return replace(query, select=(*dict.fromkeys(names), *query.select), group=group)

    def _names_of(self, key: Expr) -> list[Expr]:
        """What a group is called: a key's row by its name, where that is of one column or two."""
        if not isinstance(key, Col):
            return [key]
        end = self._joins.pointed(key)
        table = self._catalog.table(*end.table)
        return list(self._resolver.label(table)) if table and self._joins.is_key(end) else [key]

    def _whole_names(self, query: Query, question: str) -> Query:
        """`who`, `their names`: people by first and last name, not by one of the two."""
        if _NAME_PART.search(question):
            return query
        for each in query.select:
            label = self._label_of(each)
            if len(label) > 1 and each in label and not set(label) <= set(query.select):
                return _in_place(query, each, label)
        return query

    def _once(self, query: Query, question: str) -> Query:
        """`who teaches databases`: each of them once, however many courses of that name there are."""
        tables = {each.table for each in query.select if isinstance(each, Col)}
        plain = not (query.group or query.limit or query.having or query.order or query.distinct)
        if not plain or not _WHO.match(question) or len(tables) != 1 or any(map(is_total, query.select)):
            return query
        owner = tables.pop()
        named = set(self._label_of(query.select[0])) <= set(query.select)
        needed = {query.anchor, *query.also, *(each.table for each in columns_in(query))}
        multiplies = any(step.multiplies for step in self._joins.tree(owner, needed) or ())
        return replace(query, distinct=True) if named and multiplies else query

    def _label_of(self, shown: Expr) -> list[Col]:
        table = self._catalog.table(*shown.table) if isinstance(shown, Col) else None
        return self._resolver.label(table) if table else []

    def _sorted(self, query: Query, question: str) -> Query:
        """`biggest first`: by the figure shown, or by the date."""
        said = _FIRST.search(question)
        if said is None or query.limit is not None:
            return query
        way = said["way"].lower()
        if query.order:
            first = query.order[0]
            if way in _BY_SPEED and self._is_speed(first.by):
                return replace(query, order=(Order(first.by, _BY_SPEED[way]), *query.order[1:]))
            is_less = is_total(first.by) or (is_small(way) and self._is_amount(first.by))
            is_contrary = is_low(way) and first.descending and is_less
            is_contrary = is_contrary or (is_high(way) and not first.descending and self._is_amount(first.by))
            turned = (Order(first.by, not first.descending), *query.order[1:])
            return replace(query, order=turned) if is_contrary else query
        timed = way in (*_LATE, *_EARLY, "most recent")
        key = self._time_shown(query) if timed else self._figure_shown(query)
        return replace(query, order=(Order(key, way not in _EARLY and not is_low(way)),)) if key else query

    def _is_speed(self, by: Expr) -> bool:
        columns = (each for each in columns_in(by) if isinstance(each, Col))
        return any(not _SPEEDS.isdisjoint(self._stems(each)) for each in columns)

    def _time_shown(self, query: Query) -> Expr | None:
        return next((each for each in query.select if isinstance(each, Bucket) or self._is_dated(each)), None)

    def _figure_shown(self, query: Query) -> Expr | None:
        """The last figure of an answer; of plain rows the one number that is no key."""
        totals = [each for each in query.select if is_total(each)]
        if totals:
            return totals[-1]
        numbers = [each for each in query.select if isinstance(each, Col) and self._is_measured(each)]
        return numbers[0] if len(numbers) == 1 else None

    def _is_amount(self, by: Expr) -> bool:
        """Whether more of it is more: a figure, or a number that is no key, no time and no rank."""
        column = isinstance(by, Col) and self._is_measured(by) and not self._is_dated(by)
        return is_total(by) or (column and _RANKS.isdisjoint(self._stems(by)))

    def _is_measured(self, shown: Col) -> bool:
        table, column = self._catalog.table(*shown.table), self._column(shown)
        number = column is not None and column.kind == "number"
        return number and table is not None and not self._resolver.is_key(table, shown.name)

    def _some(self, query: Query, question: str) -> Query:
        """`show only three suppliers`: any three of the rows that are listed."""
        said = _SOME.match(question)
        count = spoken(said["n"].lower()) if said else None
        first = query.select[0] if query.select else None
        listed = isinstance(first, Col) and not query.group and query.limit is None and not query.per
        if said is None or count is None or not 0 < count <= _MOST_SOME or not isinstance(first, Col) or not listed:
            return query
        called = set(table_stems(first.table[1])).intersection(map(stem, said["what"].lower().split()))
        compared = {each.right for each in all_nodes_in(query) if isinstance(each, Compare)}
        return replace(query, limit=int(count)) if called and count not in compared else query

    def _tops(self, query: Query, question: str) -> Query:
        """`top customers by revenue`, `most expensive products`: several of them, though it is not said how many."""
        said = _TOPS.search(question) or _BEST_ONES.search(question)
        plain = query.limit == 1 and query.order and not (query.nth or query.per or query.then)
        shown = query.select[0] if query.select else None
        if said is None or not plain or not isinstance(shown, Col):
            return query
        called = {*table_stems(shown.table[1]), *self._stems(shown)}
        return replace(query, limit=FEW) if stem(said["what"].lower()) in called else query

    def _aged(self, query: Query, question: str) -> Query:
        """`the oldest`: the earliest year or date, but the highest age."""
        ways = {each["way"].lower() for each in _AGED.finditer(question)}
        key = query.order[0].by if len(query.order) == 1 else None
        is_said = query.limit is not None or _AGED_FIRST.search(question)
        if len(ways) != 1 or not is_said or not isinstance(key, Col):
            return query
        late = ways.isdisjoint(_EARLY)
        if _AGES & {*self._stems(key)}:
            return replace(query, order=(Order(key, not late),))
        return replace(query, order=(Order(key, late),)) if self._is_dated(key) else query

    def _is_dated(self, shown: Expr) -> bool:
        """Whether a column tells when: a date, or a year, as of `founded` all its numbers can be."""
        column = self._column(shown) if isinstance(shown, Col) else None
        return column is not None and (column.is_time or _YEAR in self._stems(shown) or _holds_years(column))

    def _stems(self, shown: Expr) -> tuple[str, ...]:
        table = self._catalog.table(*shown.table) if isinstance(shown, Col) else None
        return table.stems(shown.name) if table and isinstance(shown, Col) else ()

    def _column(self, shown: Col) -> Column | None:
        return self._catalog.column(*shown.table, shown.name)


def _holds_years(column: Column) -> bool:
    """Whether all numbers of a column can be years."""
    ends = (column.minimum, column.maximum)
    return column.kind == "number" and all(isinstance(each, int) and each in _YEARS for each in ends)


def _in_place(query: Query, part: Expr, whole: list[Col]) -> Query:
    """The query with the whole name where it had a part of it."""
    select: list[Expr] = []
    for shown in query.select:
        select.extend(whole if shown == part else (shown,))
    group = (*query.group, *whole) if part in query.group else query.group
    return replace(query, select=tuple(dict.fromkeys(select)), group=tuple(dict.fromkeys(group)))


def _from_its_end(query: Query, question: str) -> Query:
    """`top 3 by sales`: those with the most, `bottom 3` those with the least, where the figure alone says the order."""
    ends = {found["end"].lower() for found in _ENDS.finditer(question)}
    if query.limit is None or len(ends) != 1 or not query.order or not is_total(query.order[0].by):
        return query
    first = query.order[0]
    is_contrary = first.descending == (ends == {"bottom"}) and not _EITHER_END.search(question)
    return (
        replace(query, order=(replace(first, descending=not first.descending), *query.order[1:]))
        if is_contrary
        else query
    )


def _cut(query: Query, question: str) -> Query:
    """`top 4`: four rows of what is sorted, where one was taken."""
    said = _TOP.search(question)
    count = spoken(said["n"].lower()) if said else None
    if count is None or query.nth or query.per or not query.order or query.limit not in (None, 1):
        return query
    return replace(query, limit=int(count))


def _is_extreme(condition: Cond) -> bool:
    """Whether it holds for the greatest or the least value of a column alone."""
    if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.right, Query):
        return False
    shown = condition.right.select[0] if condition.right.select else None
    return isinstance(shown, Agg) and shown.function in ("min", "max") and shown.of == condition.left
