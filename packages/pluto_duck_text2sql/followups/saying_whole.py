"""A follow-up said whole and asked as any other question, of the rows shown before (antecedents.py)."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.asides.zeros import without_zeros
from pluto_duck_text2sql.corrections.kinds_asked import each_once
from pluto_duck_text2sql.corrections.ways import Ways
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.earlier import Earlier
from pluto_duck_text2sql.followups.antecedents import wholes
from pluto_duck_text2sql.followups.asking import IN_ALL
from pluto_duck_text2sql.followups.pronouns import asks_of_nth
from pluto_duck_text2sql.followups.readings import Ask, Run, Shown, Writer, rows_of
from pluto_duck_text2sql.followups.telling import told
from pluto_duck_text2sql.followups.whole_questions import Whole
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Inside,
    Query,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.parts import conditions, is_aggregate, keys
from pluto_duck_text2sql.trees.titles import title
from pluto_duck_text2sql.trees.whole_groups import whole as with_empty

_LEAST = 0.3
_WHAT_THEY = Pattern(r"\bwhat (?:(?:do|does|did) )?(?:each of )?(?:the|each|they)\b", re.IGNORECASE)
_EACH = Pattern(r"^how many\b.* each ", re.IGNORECASE)
_HOW_MANY = Pattern(r"^how (?:many|much)\b", re.IGNORECASE)


class SaidWhole:
    """Asks follow-ups with what their pronouns stand for in their place, over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, reader: Reader, ask: Ask) -> None:
        self._catalog, self._joins, self._reader, self._ask = catalog, joins, reader, ask
        self._writer = Writer(catalog, joins)

    def asked(self, question: str, earlier: tuple[Earlier, ...], before: Shown, run: Run | None) -> Analysis | None:
        """The question with what its pronouns stand for in their place; None where it has none, or is not answered."""
        sql = self._writer.write(before.query)
        shown = (rows_of(sql, run) or []) if sql and run else []
        asked = [each.question for each in earlier]
        several = len(shown) > 1 and not asks_of_nth(question)  # the date of the second one stands alone
        ways = list(wholes(without_zeros(question) or question, asked, before.query, self._reader, shown))
        for some in ([each for each in ways if not each.as_asked], [each for each in ways if each.as_asked]):
            found = [made for each in some if (made := self._held(each, run, of_several=several))]
            if found:
                return max(found, key=lambda each: each.candidates[0].confidence)
        return None

    def _held(self, whole: Whole, run: Run | None, *, of_several: bool) -> Analysis | None:
        """What a question said whole finds of the rows shown before; None where it finds none."""
        alone = self._ask(whole.text, run, None)
        if alone.status != "answered" or not alone.candidates:
            return None
        best = alone.candidates[0]
        query = whole.held(best.tree) if whole.among else best.tree
        query = self._of_each(query, whole) if whole.among and of_several else query
        query = self._by_name(query, whole) if whole.among and of_several else query
        query = self._with_none(query, whole) if whole.among and of_several else query
        query = _of_one(query, whole)
        query = query if is_aggregate(query) else each_once(query, whole.text, self._catalog)
        sql = self._writer.write(query)
        rows = rows_of(sql, run) if sql else None
        is_open = bool(whole.among) and Ways(self._catalog, self._joins).left_open(query, whole.text) is not None
        if sql is None or not rows or best.confidence < _LEAST or is_open:
            return None
        of = [each for each in whole.among if each in set(conditions(query))]
        lines = (*best.reading, f"asked → {whole.text}", *([f"of → {told(of)}"] if of else []))
        return Analysis("answered", (replace(best, sql=sql, tree=query, reading=lines, title=title(query)),))

    def _of_each(self, query: Query, whole: Whole) -> Query:
        """`what do they earn?` of several: what each has, not what all of them come to."""
        total = query.select[0] if len(query.select) == 1 and not query.group else None
        column = total.of if isinstance(total, Agg) and total.function == "sum" else None
        own = isinstance(column, Col) and column.table == whole.of and isinstance(total, Agg) and not total.where
        asks = bool(_WHAT_THEY.search(whole.text)) and not IN_ALL.search(whole.text)
        return replace(query, select=(column,), flat=False) if own and asks and isinstance(column, Col) else query

    def _with_none(self, query: Query, whole: Whole) -> Query:
        """`how many bikes does each of them have?`: each of those shown has a number, also where it is none."""
        totals = [each for each in query.select if is_total(each)]
        counts = len(totals) == 1 and isinstance(totals[0], Agg) and totals[0].function == "count"
        own = bool(query.group) and all(each.table == whole.of for each in columns_in(query.group))
        if not (counts and own and _EACH.search(whole.text)) or query.limit is not None or query.having:
            return query
        made = with_empty(query, self._joins)
        return made if made and self._writer.write(made) else query

    def _by_name(self, query: Query, whole: Whole) -> Query:
        """What several rows have, each beside its name: `when were they hired?`"""
        table = self._catalog.table(*whole.of)
        label = self._reader.resolver.label(table) if table else []
        own = all(isinstance(each, Col) and each.table == whole.of for each in query.select)
        if (
            is_aggregate(query)
            or query.distinct
            or query.limit is not None
            or not own
            or set(label) & set(query.select)
        ):
            return query
        return replace(query, select=(*label, *query.select))


def _of_one(query: Query, whole: Whole) -> Query:
    """`how many moves did the worst one lead?`: the figure alone, where it is of a single one of those shown."""
    is_one = any(isinstance(each, Inside) and each.query.limit is not None for each in whole.among)
    is_one = is_one and all(
        not isinstance(each, Inside) or each.query.limit == 1 or each.query.nth for each in whole.among
    )
    totals = tuple(each for each in query.select if is_total(each))
    own = bool(query.group) and all(each.table == whole.of for each in columns_in(keys(query)))
    if not (is_one and own and totals and _HOW_MANY.match(whole.text)):
        return query
    return replace(query, select=totals, group=(), order=(), limit=None)
