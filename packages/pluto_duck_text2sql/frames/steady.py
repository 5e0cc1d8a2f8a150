"""What happened in every period: `which customers ordered in every month of 1997`, `clients active in each year`.

The question without `every` (`which customers ordered in 1997`) is answered as any other; of those it finds, the ones
stay that have a row in as many different periods as there are.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import YEAR, floor, shift
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Grain,
    Inside,
    Query,
    Related,
    columns_in,
)

_YEARS = rf"{YEAR}(?:(?:, ?(?:and )?| and ){YEAR})+"
_EVERY = Pattern(
    rf"(?: at least once)?(?: (?:in|during))? (?P<each>each and every|every single|every one of the|every|each|all)(?: of)?(?: the)?"
    rf"(?: \w+)? (?P<unit>{UNIT})s?(?: (?:of|in|during|from|between|through) (?P<period>(?:the year )?(?:{YEAR}|[a-z]+ {YEAR}|q[1-4] {YEAR}|[^,:]*{YEAR}))"
    rf"| (?P<years>{_YEARS}))?(?=$|[,:;]| -)",
    re.IGNORECASE,
)
_EACH_OF_LAST = Pattern(
    rf"(?: (?:in|during))? (?P<each>each|every one|all) of the (?P<period>(?:last|past|previous) \w+ (?P<unit>{UNIT})s)(?P<years>)"
    r"(?=$|[,:;]| -)",
    re.IGNORECASE,
)
_ASKS = Pattern(
    r"^(?:(?P<count>how many|(?:the )?number of)|which|what|who|list|show|find|name|give|all)\b(?: (?:me|us)\b)?"
    r"(?: (?:of )?(?:the|our|all|those)\b)* ?(?P<who>[a-z]+(?: [a-z]+)??)\b",
    re.IGNORECASE,
)
_BARE = Pattern(r"^(?:(?:the|our|all)(?: the| our)? )?(?P<who>[a-z]+s) (?:that|who|which) (?=[a-z]+)", re.IGNORECASE)
"""`customers that ordered in every month` are those of whom it is said."""
_MOST = Pattern(
    r"\b(?:most|least|fewest|top|best|worst|highest|lowest|largest|biggest|smallest|average|total|sum|per|by)\b",
    re.IGNORECASE,
)


class Steady(Compounds):
    """Answers questions about what happened in every period."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those that did; None where the question asks no such."""
        main, phrases = split_spec(question)
        text = _BARE.sub(r"which \g<who> ", same(main))
        asks, every = _ASKS.match(text), _EACH_OF_LAST.search(text) or _EVERY.search(text)
        if asks is None or every is None or _MOST.search(text):
            return None
        owner = self.table(asks["who"])
        if owner is None or (asks["count"] and every["each"].lower() in ("each", "all")):
            return None
        period = every["years"] or every["period"]
        period = _in_whole_units(period) if every.re is _EACH_OF_LAST.compiled else period
        asked = tidy(f"{text[: every.start()]}{f' in {period}' if period else ''}{text[every.end() :]}")
        part = self._part(asked, run)
        query = self._steady(part.tree, owner, cast(Grain, every["unit"].lower())) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _steady(self, tree: Query, owner: Table, unit: Grain) -> Query | None:
        """The tree of those that have a row in all of the periods; None where they have none of their own."""
        keys = self.reader.resolver.key(owner)
        if tree.having or tree.limit or tree.then or tree.per or len(keys) != 1:
            return None
        key = Col(owner.key, keys[0])
        for related in (each for each in tree.where if isinstance(each, Related) and not each.negated):
            inside = self._inside(key, related.table, related.where, unit)
            if inside and related.count is None:
                return replace(tree, where=tuple(inside if each == related else each for each in tree.where))
        tables = dict.fromkeys(each.table for each in columns_in(tree) if each.table != owner.key)
        for table in tables:
            within = tuple(each for each in tree.where if {table} == {column.table for column in columns_in(each)})
            inside = self._inside(key, table, within, unit)
            if inside:
                return replace(tree, where=(*tree.where, inside))
        return None

    def _inside(self, key: Col, table: tuple[str, str], where: tuple[Cond, ...], unit: Grain) -> Inside | None:
        """That an owner is among those of the rows of a table in all periods."""
        joins = self.reader.joins
        times = [col for _, col in self.reader.resolver.time_column([table], frozenset()) if col.table == table]
        said = _spans(where)
        date = next((each.left for each in said if isinstance(each.left, Col)), times[0] if times else None)
        pointer = joins.pointer(table, key.table) if date and joins.belongs(table, key.table) else None
        if date is None or pointer is None or pointer.table != table:
            return None
        bucket = Agg("count", Bucket(unit, date), distinct=True)
        number = self._number(said, date, unit) if said else Query(table, (bucket,))
        return Inside(key, Query(table, (pointer,), where, (pointer,), (Compare(bucket, "=", number),)))

    def _number(self, spans: list[During], date: Col, unit: Grain) -> int:
        """How many periods there are, none that begins after the last day that is stored."""
        last = self.reader.catalog.last_day(*date.table, date.name, self.reader.today)
        found = {start for each in spans for start in _starts(each, unit) if start <= last}
        return len(found)


def _in_whole_units(period: str) -> str:
    """`the last 3 full months`: of part of a month nothing is said."""
    *before, unit = period.split()
    return f"the {' '.join(before)} full {unit}"


def _spans(where: tuple[Cond, ...]) -> list[During]:
    found: list[During] = []
    for each in where:
        found += [each] if isinstance(each, During) else _spans(each.any_of) if isinstance(each, Either) else []
    return found


def _starts(span: During, unit: Grain) -> list[dt.date]:
    """The first days of the periods of a span."""
    found, day = [], floor(span.start, unit)
    while day < span.end:
        found.append(day)
        day = shift(day, unit, 1)
    return found
