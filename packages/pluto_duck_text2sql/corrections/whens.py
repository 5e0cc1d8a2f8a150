"""When: a period goes to the column that holds it, and two periods or values compared stand in a row each.

`top campuses by degrees in 2004` is of the degrees' year where no campus was founded that late. Called by `corrections`
for every tree, whoever wrote it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.named_grains import NamedGrains
from pluto_duck_text2sql.corrections.said import is_part
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import ends
from pluto_duck_text2sql.data.event_dates import (
    BOOKED,
    SAID,
    came_about,
    deeds_of,
    event_date,
    happened,
    happening,
    is_coming,
    is_later_stage,
    is_only_planned,
    own_dates,
    says_coming,
)
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.starting import says_start, started
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import STOP, name_stems, spoken_stems, stem, table_stems, table_words, tokenise
from pluto_duck_text2sql.times.periods import period_of, periods_said
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Either,
    Expr,
    First,
    Grain,
    Inside,
    Minus,
    Missing,
    Query,
    Ratio,
    Related,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    kinds_in,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.unstored import outside, outside_years
from pluto_duck_text2sql.trees.years import holds_years, is_of_years, own_year

_MORE_OR = re.compile(r"\b(?:more|fewer|less|higher|lower|bigger|better)\b(?! than\b).*\bor\b", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:compare|compared|comparison|versus|vs)\b", re.IGNORECASE)
_IN_YEAR = re.compile(r"\b(?:in|during|for) (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_OF_TIME = frozenset("date time timestamp datetime year day at on dt ts month first last".split())
_GRAINS: tuple[tuple[Grain, int], ...] = (("month", 1), ("quarter", 3), ("year", 12))
_PAIR = 2
_SOME_DAY = dt.date(2021, 5, 12)
_MADE = re.compile(
    r"\b(?P<what>[a-z]+) (?:(?:that|which) )?(?:(?:were|was|have been) )?(?:made|placed)"
    r" (?:in|during|this|last|since|between|before|after|within)\b",
    re.IGNORECASE,
)
_TAKES_PLACE = re.compile(r"\b(?:(?:tak(?:e|es|en|ing)|took) place|held)\b", re.IGNORECASE)
_OF_THEIR_DATE = re.compile(
    r"\bby (?:the )?(?!book|reserv|request)[a-z]+ date\b|\bdate of (?:the|each|their) (?!book|reserv|request)[a-z]+\b",
    re.IGNORECASE,
)
_SIGNED_UP = re.compile(
    r"\b(?:signed[- ]up|registered|joined|enrolled|subscribed) (?P<period>(?:in|during) (?:[a-z]+ )?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


_DEED_IN = re.compile(r"\b(?P<deed>[a-z]{4,}) (?:in|during|last|this|since|before|after)\b", re.IGNORECASE)
_ASKS_WHEN = re.compile(
    r"^(?:(?:on|in|at|during) )?(?:which|what)"
    r" (?:days? of the week|weekdays?|months?|quarters?|years?|hours?|time of day)"
    r"(?: of the day)? (?:are|were|is|was|do|did|get|got|have|has|had|saw)\b(?P<rest>.+)$",
    re.IGNORECASE,
)
_STATES_AS_THEY_ARE = frozenset("open close complete active live due current".split())
"""Words that say how rows are, no deed: what is open, though there is a day on which it was opened."""

_ACTIVE = re.compile(
    r"\b(?:which|what|who)(?: [a-z]+){0,2} (?P<deed>[a-z]+)"
    r" (?=(?:the most|the fewest|more than|at least|fewer than) [a-z0-9])",
    re.IGNORECASE,
)


def without_deed(query: Query, question: str) -> Query:
    """`booked in March`: what was booked then, whatever has become of it since. A word said once is the date's, and no
    status called so; tickets opened in March were created then."""
    dated = [each for each in columns_in(replace(query, where=_timed(query.where))) if isinstance(each, Col)]
    told = {root: each.table for each in dated for root in rooted(deeds_of(name_stems(each.name)))}
    tokens = tokenise(question)
    said = [each for token in tokens for each in rooted([token.stem])]
    plain = {token.lower for token in tokens if token.lower in _STATES_AS_THEY_ARE}

    def is_deed(condition: Cond) -> bool:
        if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.right, str):
            return False
        (root, *others) = rooted([stem(condition.right.lower())])
        is_of_it = isinstance(condition.left, Col) and told.get(root) == condition.left.table
        return is_of_it and not others and said.count(root) == 1 and condition.right.lower() not in plain

    kept = tuple(each for each in query.where if not is_deed(each))
    return query if kept == query.where else replace(query, where=kept)


def _timed(conditions: tuple[Cond, ...]) -> tuple[Cond, ...]:
    """The conditions on when."""
    return tuple(each for each in conditions if isinstance(each, During))


def _of_what_takes_place(said: frozenset[str], question: str) -> frozenset[str]:
    """The words said, where games take place, or are told by their date, without those for the day of booking."""
    if _TAKES_PLACE.search(question):
        return (said - BOOKED) | {"began"}
    return said - BOOKED if _OF_THEIR_DATE.search(question) else said


class Whens:
    """Puts right over one catalog what trees say of times."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins = catalog, joins
        self._named = NamedGrains(catalog, joins)

    def applied(self, query: Query, question: str) -> Query:
        """The tree with each period where it can be."""
        question = without_remarks(question)
        tokens = tokenise(question)
        stems = spoken_stems(tokens)
        query = self._of_measured(query)
        query = self._of_what_happened(self._of_link(query, stems), stems)
        query = self._of_their_day(self._of_active_deed(query, question, stems), question, stems)
        query = self._named.applied(query, question)
        query = self._of_their_deed(self._of_asked_grain(query, question), question)
        query = self._of_coming_about(self._of_own_year(query, question), question)
        query = self._as_happened(query, _of_what_takes_place(stems | {token.lower for token in tokens}, question))
        years = {int(each["year"]) for each in _IN_YEAR.finditer(question)}
        query = replace(query, where=tuple(self._as_time(each, query, years) for each in query.where))
        where = tuple(self._moved(each, query, stems) for each in query.where)
        query = self._of_grain(query if where == query.where else replace(query, where=where), stems)
        return _within_whole(self._since(self._of_making(query, question), question), question)

    def _of_grain(self, query: Query, said: frozenset[str]) -> Query:
        """`by departure year, just 2023`: the year of departing, where the words name no other date."""
        grains = [each.of for each in query.group if isinstance(each, Bucket) and isinstance(each.of, Col)]
        if len(grains) != 1 or During not in kinds_in(query) or not self._is_named(grains[0], said):
            return query

        def of_it(node: Any) -> Any:
            is_other = isinstance(node, During) and isinstance(node.left, Col) and node.left.table == grains[0].table
            return replace(node, left=grains[0]) if is_other and not self._is_named(node.left, said) else node

        where = tuple(mapped(each, of_it) for each in query.where)
        return query if where == query.where else replace(query, where=where)

    def _of_asked_grain(self, query: Query, question: str) -> Query:
        """`on which weekday are most invoices paid`: by the day of paying, where no word names the tree's own day."""
        said = _ASKS_WHEN.search(question)
        grains = [each for each in query.group if isinstance(each, Bucket)]
        day = grains[0].of if len(grains) == 1 else None
        table = self._catalog.table(*day.table) if said and isinstance(day, Col) else None
        if said is None or table is None or not isinstance(day, Col):
            return query
        deeds = frozenset(stem(word) for word in said["rest"].lower().split())
        times = [Col(table.key, each.name) for each in table.columns if each.is_time]
        named = [each for each in times if self._is_named(each, deeds)]
        if len(named) != 1 or named[0] == day:
            return query
        made: Query = mapped(query, lambda each: replace(each, of=named[0]) if each == grains[0] else each)
        return made

    def _of_their_deed(self, query: Query, question: str) -> Query:
        """`bookings that start in July`, `bookings arriving on a Saturday`: of that day, not of the one that only the
        rows' own name says."""
        table = self._catalog.table(*query.anchor)
        dates = [each.name for each in table.columns if each.is_time] if table else []
        if table is None or len(dates) < _PAIR:
            return query
        nouns = {form for word in table_words(table.name) for form in (word, f"{word}s", word.removesuffix("s"))}
        own = frozenset(token.stem for token in tokenise(question) if token.lower in nouns)
        others = [token for token in tokenise(question) if token.lower not in nouns]
        said = spoken_stems(others) | {token.lower for token in others}
        roots = rooted(said)
        named = [each for each in dates if roots & rooted(set(table.stems(each)) - _OF_TIME)]
        told = [each for each in dates if happening(table, each, said) >= SAID]
        to = named[0] if len(named) == 1 else told[0] if len(told) == 1 and not named else None
        rest = (Col(table.key, each) for each in dates if each not in named)
        by_noun = {each for each in rest if self._is_named(each, own)}
        if to is None or not by_noun:
            return query

        def put(node: Any) -> Any:
            is_dated = isinstance(node, During | Bucket)
            return mapped(node, lambda each: Col(table.key, to) if each in by_noun else each) if is_dated else node

        made: Query = mapped(query, put)
        return made

    def _of_what_happened(self, query: Query, said: frozenset[str]) -> Query:
        """`what did we invoice per site in 2019`: of the invoices' day, not of the one when each site was opened."""
        table = self._measured(query) if During in kinds_in(query) else None
        day = self._own_day(table) if table else None
        if table is None or day is None:
            return query

        def put(node: Any) -> Any:
            left = node.left if isinstance(node, During) else None
            if not isinstance(left, Col):
                return node
            is_apart = self._joins.are_apart(table.key, left.table)
            is_theirs = self._is_owners(left, table, said) and (day.table == table.key or is_apart)
            return replace(node, left=day) if is_theirs or (is_apart and self._is_unsaid(left, said, table)) else node

        where = tuple(mapped(each, put) for each in query.where)
        return query if where == query.where else replace(query, where=where)

    def _of_link(self, query: Query, said: frozenset[str]) -> Query:
        """`how many patients did each ward have in May`: of the day of what links them, not of the one when each was
        registered."""
        table = self._measured(query) if During in kinds_in(query) else None
        others = [key for key in _tables(query) if table and key != table.key]
        links = {link for key in others if table and (link := self._link(table.key, key))}
        days = {day for key in links if (linking := self._catalog.table(*key)) and (day := self._own_day(linking))}
        if table is None or len(days) != 1 or any(isinstance(each, Bucket) for each in query.group):
            return query
        (day,) = days
        return _dated(query, day, lambda date: date.table == table.key and not self._is_named(date, said))

    def _of_making(self, query: Query, question: str) -> Query:
        """`purchases made this year that ended up refunded`: of the day of the purchase, not of the refund."""
        said = _MADE.search(question)
        table = self._catalog.table(*query.anchor) if said else None
        day = self._own_day(table) if table else None
        periods = [each for each in query.where if isinstance(each, During)]
        if said is None or day is None or day.table != query.anchor or len(periods) != 1:
            return query
        if stem(said["what"].lower()) != table_stems(query.anchor[1])[-1]:
            return query
        return _dated(query, day, lambda date: date.table == day.table)

    def _link(self, key: TableKey, other: TableKey) -> TableKey | None:
        """The rows on the way from one table to another that are of several of its rows: admissions, of a patient and a
        ward."""
        way = self._joins.path(key, other) or []
        first = way[0].target if way else None
        return first if first and self._joins.belongs(first, key) else None

    def _own_day(self, table: Table) -> Col | None:
        """When the rows of a table happen; of lines, which keep no date, those that they are of."""
        own = own_dates(table)
        date = event_date(table) or (own[0] if len(own) == 1 else None)
        if date or any(each.is_time for each in table.columns):
            return Col(table.key, date) if date else None
        above = [each for each in self._catalog.tables if self._joins.is_of(table.key, each.key) and event_date(each)]
        nearest = min(above, key=lambda each: self._joins.distance(table.key, each.key), default=None)
        day = event_date(nearest) if nearest else None
        return Col(nearest.key, day) if nearest and day else None

    def _measured(self, query: Query) -> Table | None:
        """The one table whose amounts are added up, or whose rows are counted."""
        totals = [each for each in (*query.select, *(o.by for o in query.order)) if is_total(each)]
        of = {each.table for total in totals for each in all_nodes_in(total) if isinstance(each, Col | Rows)}
        return self._catalog.table(*of.pop()) if len(of) == 1 else None

    def _is_owners(self, date: Col, table: Table, said: frozenset[str]) -> bool:
        """Whether a date that no word names is of what the rows of a table belong to, and not of itself."""
        owner = self._catalog.table(*date.table)
        own = set(owner.stems(date.name)) - set(table_stems(owner.name)) - _OF_TIME if owner else set()
        is_named = self._is_named(date, frozenset(own) & said if own else said)
        return date.table != table.key and not is_named and self._joins.belongs(table.key, date.table)

    def _is_unsaid(self, date: Col, said: frozenset[str], measured: Table) -> bool:
        """Whether neither a date nor its rows are spoken of: what the measured rows have too is said of these."""
        own = {each for column in measured.columns if not column.is_time for each in measured.stems(column.name)}
        is_of_others = not rooted(said).isdisjoint(rooted(table_stems(date.table[1])))
        return not is_of_others and not self._is_named(date, said - own)

    def _of_their_day(self, query: Query, question: str, said: frozenset[str]) -> Query:
        """`pubs closed in 2023`: of the day of closing, where a tree has those closed of another day of theirs."""
        deeds = frozenset(stem(each["deed"].lower()) for each in _DEED_IN.finditer(question))
        done = [each for each in query.where if isinstance(each, Missing) and each.negated]
        done = [each for each in done if self._is_named(each.left, deeds) and self._is_date(each.left)]
        periods = [each for each in query.where if isinstance(each, During)]
        if len(done) != 1 or len(periods) != 1:
            return query
        day, other = done[0].left, periods[0].left
        if not isinstance(other, Col) or other.table != day.table or self._is_named(other, said):
            return query
        kept = tuple(each for each in query.where if each not in (*done, *periods))
        return replace(query, where=(*kept, replace(periods[0], left=day)))

    def _of_active_deed(self, query: Query, question: str, said: frozenset[str]) -> Query:
        """`which mechanic fixed the most bikes in 2024`: of the day of fixing, where no word names the tree's own."""
        deeds = frozenset(stem(each["deed"].lower()) for each in _ACTIVE.finditer(question))

        def put(node: Any) -> Any:
            left = node.left if isinstance(node, During) else None
            if not isinstance(left, Col) or self._is_named(left, said):
                return node
            table = self._catalog.table(*left.table)
            dates = [Col(left.table, each.name) for each in table.columns if each.is_time] if table else []
            done = [each for each in dates if each != left and self._is_named(each, deeds)]
            return replace(node, left=done[0]) if len(done) == 1 else node

        made: Query = mapped(query, put, (During,)) if deeds else query
        return made

    def _is_date(self, column: Col) -> bool:
        stored = self._catalog.column(*column.table, column.name)
        return stored is not None and (stored.is_time or is_of_years(column, self._catalog))

    def _as_happened(self, query: Query, said: frozenset[str]) -> Query:
        """Periods and grains of the date on which the rows happen, where the question does not name their own."""
        parts = list(nodes_in(query))
        dated = {each for part in parts if isinstance(part, During | Bucket) for each in columns_in(part)}
        dated |= {each.of for each in parts if isinstance(each, First)}
        bounds = {each.right for each in parts if isinstance(each, Compare)}
        dated |= {each.start for each in parts if isinstance(each, Days) and isinstance(each.start, Col)} - bounds
        unsaid = {column for column in dated if not self._is_named(column, said) or self._is_plan(column, said)}
        moved = {each: self._happened(each, said) for each in unsaid if isinstance(each, Col)}
        moved = {column: to for column, to in moved.items() if to != column}

        def put(node: Any) -> Any:
            if isinstance(node, Days):
                start = moved.get(node.start, node.start)  # type: ignore[arg-type]
                return node if start == node.end else replace(node, start=start)
            is_dated = isinstance(node, During | Bucket | First)
            return mapped(node, lambda each: moved.get(each, each)) if is_dated else node

        return mapped(query, put) if moved else query

    def _of_own_year(self, query: Query, question: str) -> Query:
        """`series of 2014`: of the year in which they began, where no word tells the one in which they ended."""
        said = rooted(spoken_stems(tokenise(question)))
        if not says_coming([token.lower for token in tokenise(question)]):
            return query
        apart = [each for each in nodes_in(query) if isinstance(each, Missing | Minus | Days)]
        kept = {column for each in apart for column in columns_in(each)}
        shown = {each for each in columns_in(query) if isinstance(each, Col) and each not in kept}
        put = {each: to for each in shown if (to := self._own_year(each, said)) and to not in kept}
        made: Query = mapped(query, lambda node: put.get(node, node) if isinstance(node, Col) else node, (Col,))
        return made if put else query

    def _own_year(self, year: Col, said: frozenset[str]) -> Col | None:
        """The year that is the rows' own, where another is that of their end and no word says so."""
        table = self._catalog.table(*year.table)
        own = own_year(table) if table and holds_years(year, self._catalog) else None
        if table is None or own is None or own.name == year.name or not ends(table.stems(year.name)):
            return None
        told = rooted(set(table.stems(year.name)) - _OF_TIME)
        return Col(table.key, own.name) if said.isdisjoint(told) else None

    def _of_coming_about(self, query: Query, question: str) -> Query:
        """`orders per month`, `placed in 2017`: by the day on which rows came to be, where no word tells another."""
        tokens = tokenise(question)
        said = spoken_stems(tokens)
        is_untold = says_coming([token.lower for token in tokens])
        deeds = [each["deed"].lower() for each in _DEED_IN.finditer(question)]
        comes = bool(deeds) and all(map(is_coming, deeds))
        moved: set[Expr] = set()

        def put(node: Any) -> Any:
            left = node.left if isinstance(node, During) else node.of if isinstance(node, Bucket) else None
            to = self._came_about(left) if isinstance(left, Col) and (is_untold or comes) else None
            if to is None or not isinstance(left, Col) or self._is_told(left, said):
                return node
            moved.add(left)
            return replace(node, left=to) if isinstance(node, During) else replace(node, of=to)

        made: Query = mapped(query, put, (During, Bucket))
        gaps = [each for each in made.where if isinstance(each, Missing) and each.negated and each.left in moved]
        return replace(made, where=tuple(each for each in made.where if each not in gaps)) if gaps else made

    def _came_about(self, date: Col) -> Col | None:
        """The date by which the rows of a later one came to be; None where one is no later one."""
        table = self._catalog.table(*date.table)
        name = came_about(table) if table else None
        is_later = table is not None and name != date.name and is_later_stage(table, date.name)
        return Col(date.table, name) if name and is_later else None

    def _is_told(self, date: Col, said: frozenset[str]) -> bool:
        """Whether some word tells a date, beside those for its rows."""
        table = self._catalog.table(*date.table)
        own = set(table.stems(date.name)) - _OF_TIME - set(table_stems(table.name)) if table else set()
        return not own or not rooted(said).isdisjoint(rooted(own))

    def _is_plan(self, column: Col | Rows, said: frozenset[str]) -> bool:
        table = self._catalog.table(*column.table)
        return table is not None and isinstance(column, Col) and is_only_planned(table, column.name, said)

    def _happened(self, column: Col, said: frozenset[str]) -> Col:
        table = self._catalog.table(*column.table)
        is_of_date = table and self._is_date(column)
        return replace(column, name=happened(table, column.name, said)) if table and is_of_date else column

    def _since(self, query: Query, question: str) -> Query:
        """`who signed up in 2024` is of the day of signing up, not of what they did."""
        said = _SIGNED_UP.search(question)
        span = _span_of(said["period"]) if said else None
        owners = [each for key in _tables(query) if (table := self._catalog.table(*key)) and (each := started(table))]
        if span is None or len(owners) != 1 or owners[0] in set(columns_in(query.where)):
            return query
        begun = During(owners[0], *span)
        where = [kept for each in query.where if (kept := _without(each, span))]
        return replace(query, where=(*where, begun)) if tuple(where) != query.where else query

    def _of_measured(self, query: Query) -> Query:
        """The year of what is measured, where another table's year of the same name stands: degrees, not campuses."""
        of = [each.table for shown in query.select if is_total(shown) for each in columns_in(shown)]
        table = self._catalog.table(*of[0]) if len(set(of)) == 1 else None
        if table is None or {each.table for each in all_nodes_in(query) if isinstance(each, Col)} <= {table.key}:
            return query

        def own(node: Any) -> Any:
            is_year = isinstance(node, Col) and node.table != table.key and is_of_years(node, self._catalog)
            column = table.column(node.name) if is_year else None
            return Col(table.key, column.name) if column else node

        parts = {name: mapped(getattr(query, name), own) for name in ("select", "where", "group", "order")}
        return replace(query, **parts)

    def _as_time(self, condition: Cond, query: Query, years: set[int]) -> Cond:
        """`in 2004` is a time, where a tree compares something else with that number."""
        if not isinstance(condition, Compare) or not isinstance(condition.left, Col) or condition.right not in years:
            return condition
        times = list(self._times(query))
        if not times or condition.left in times or not isinstance(condition.right, int | float):
            return condition
        beside = [each for each in times if each.table == condition.left.table]
        return next(_over(replace(condition, operator="="), (beside or times)[0], self._catalog), condition)

    def _moved(self, condition: Cond, query: Query, said: frozenset[str]) -> Cond:
        """A period outside of all that its column holds, of another column of the query's tables that holds it."""
        said = said - _of_values(query)
        if not self._is_outside(condition) or any(self._is_named(each, said) for each in columns_in(condition)):
            return condition
        own = self._measured(query)
        left = next(columns_in(condition), None)
        kept = own.key if own and isinstance(left, Col) and left.table == own.key else None
        times = (each for each in self._times(query) if kept is None or each.table == kept)
        fits = [moved for each in times for moved in _over(condition, each, self._catalog)]
        return next((each for each in fits if not self._is_outside(each)), condition)

    def _is_outside(self, condition: Any) -> bool:
        if isinstance(condition, During) and isinstance(condition.left, Col):
            return outside(condition, self._catalog) is not None
        is_year = isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.left, Col)
        return is_year and outside_years(condition.left, condition.right, self._catalog) is not None

    def _is_named(self, column: Col | Rows, said: frozenset[str]) -> bool:
        """Whether the question says the column's own words: `created in 2005`; or what it tells: `signed up`."""
        table = self._catalog.table(*column.table)
        if table is None or isinstance(column, Rows):
            return False
        if started(table) == column and says_start(said):
            return True
        own = set(table.stems(column.name)) - _OF_TIME
        return not said.isdisjoint(own - STOP or own)

    def _times(self, query: Query) -> Iterator[Col]:
        """The dates and years of the query's tables, first those of what is measured."""
        totals = [each for each in (*query.select, *(o.by for o in query.order)) if is_total(each)]
        tables = dict.fromkeys(each.table for part in (totals, [query]) for node in part for each in columns_in(node))
        for key in (*tables, query.anchor):
            table = self._catalog.table(*key)
            for column in table.columns if table else ():
                if column.is_time or is_of_years(Col(key, column.name), self._catalog):
                    yield Col(key, column.name)


def _dated(query: Query, day: Col, is_other: Callable[[Col], bool]) -> Query:
    """The query with its periods of such other dates as those of a day."""

    def put(node: Cond) -> Cond:
        left = node.left if isinstance(node, During) else None
        return (
            replace(node, left=day) if isinstance(node, During) and isinstance(left, Col) and is_other(left) else node
        )

    where = tuple(map(put, query.where))
    return query if where == query.where else replace(query, where=where)


def _of_values(query: Query) -> frozenset[str]:
    """The stems of the values that rows are told by: `booked` names no date where a status is booked."""
    told = (each.right for each in nodes_in(query.where) if isinstance(each, Compare) and isinstance(each.right, str))
    return frozenset(each for value in told for each in name_stems(value))


def _tables(query: Query) -> dict[TableKey, None]:
    """The tables of a query."""
    return dict.fromkeys([query.anchor, *(each.table for each in columns_in(query))])


def _span_of(words: str) -> tuple[dt.date, dt.date] | None:
    """A period that does not depend on a day, from its first day to before another."""
    found = period_of(words)
    start, end = found.resolve(_SOME_DAY) if found and not found.relative else (None, None)
    return (start, end) if start and end else None


def _without(condition: Cond, span: tuple[dt.date, dt.date]) -> Cond | None:
    """A condition without that it is within a span; None where it says no more."""
    if isinstance(condition, During):
        return None if (condition.start, condition.end) == span else condition
    if isinstance(condition, Inside):
        kept = tuple(each for each in condition.query.where if _without(each, span))
        return replace(condition, query=replace(condition.query, where=kept))
    if not isinstance(condition, Related) or condition.count:
        return condition
    kept = tuple(each for each in condition.where if _without(each, span))
    is_for_it_alone = not kept and condition.where and not condition.negated
    return None if is_for_it_alone else replace(condition, where=kept)


def _within_whole(query: Query, question: str) -> Query:
    """`what percentage of 2012's turnover fell in its last quarter`: of all of 2012, where the whole says no period."""
    for part in (each for each in nodes_in(query.select) if isinstance(each, Ratio) and is_part(each)):
        for own in (each for each in part.top.where if isinstance(each, During)):  # type: ignore[union-attr]
            wider = [span for span in _spans_of(question) if _holds(span, own)]
            others = tuple(each for each in query.where if each != own)
            free = not any(isinstance(each, During) and each.left == own.left for each in others)
            if len(wider) == 1 and free and wider[0][0] and wider[0][1]:
                return replace(query, where=(*others, During(own.left, wider[0][0], wider[0][1])))
    return query


def _spans_of(question: str) -> list[tuple[dt.date | None, dt.date | None]]:
    """The periods of a question that depend on no day."""
    return [each.resolve(_SOME_DAY) for each in periods_said(question) if not each.relative]


def _holds(span: tuple[dt.date | None, dt.date | None], own: During) -> bool:
    """Whether a span is more than a period, and holds it."""
    start, end = span
    return (
        start is not None
        and end is not None
        and start <= own.start
        and own.end <= end
        and (start, end) != (own.start, own.end)
    )


def _over(condition: Cond, column: Col, catalog: Catalog) -> Iterator[Cond]:
    """The condition over another column, where that is of its kind."""
    if is_of_years(column, catalog):
        year = condition.right if isinstance(condition, Compare) else _whole_year(condition)
        if year is not None:
            yield Compare(column, "=", year)
    elif isinstance(condition, During):
        yield replace(condition, left=column)
    elif isinstance(condition, Compare) and dt.MINYEAR <= int(condition.right) < dt.MAXYEAR:
        yield During(column, dt.date(int(condition.right), 1, 1), dt.date(int(condition.right) + 1, 1, 1))


def _whole_year(period: Any) -> int | None:
    is_year = isinstance(period, During) and period.end == period.start.replace(year=period.start.year + 1)
    return period.start.year if is_year and (period.start.month, period.start.day) == (1, 1) else None


def contrasted(query: Query, question: str) -> Query:
    """`compare web and phone revenue`, `more orders in May or in June`: a row for each, not all in one."""
    more = bool(_MORE_OR.search(question))
    if not (more or _COMPARES.search(question)) or query.group or query.limit or query.then or query.having:
        return query
    keys = [key for each in query.where if (key := _contrast(each)) is not None]
    shown = query.select[0] if len(query.select) == 1 and isinstance(query.select[0], Agg) else None
    if shown is None and more and not any(map(is_total, query.select)):
        shown = Agg("count", Rows(query.anchor))
    if len(keys) != 1 or shown is None or shown.where:
        return query
    return replace(query, select=(keys[0], shown), group=(keys[0],), order=(), distinct=False)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _contrast(condition: Cond) -> Expr | None:
    """What tells two values or two periods apart."""
    if isinstance(condition, Among) and len(condition.values) >= _PAIR and not condition.negated:
        return condition.left
    spans = condition.any_of if isinstance(condition, Either) else ()
    named = {each.left for each in spans if isinstance(each, Compare) and each.operator == "=" and _is_text(each.right)}
    if len(named) == 1 and len(spans) >= _PAIR and all(isinstance(each, Compare) for each in spans):
        return named.pop()
    periods = [each for each in spans if isinstance(each, During) and isinstance(each.left, Col)]
    grains = {_grain(each) for each in periods}
    lefts = {each.left for each in periods}
    grain = grains.pop() if len(grains) == 1 else None
    is_pair = len(periods) == len(spans) >= _PAIR and len(lefts) == 1 and grain
    return Bucket(grain, periods[0].left) if is_pair and grain else None


def _grain(period: During) -> Grain | None:
    """The grain of which a period is one: from the first of a month to the first of another."""
    if period.start.day != 1 or period.end.day != 1:
        return None
    months = 12 * (period.end.year - period.start.year) + period.end.month - period.start.month
    return next((grain for grain, length in _GRAINS if months == length), None)
