"""What each is worth on average, group by group: `what is an order worth on average in each segment`.

Without the group the question asks the mean of totals, one of each row; in groups that is what there is in the group by
how many rows it has of them. Both are asked for themselves (compounds.py) and put together.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Nested,
    Query,
    Ratio,
    Rows,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)

_EACH = r"(?:by|per|in each|of each|from each|for each|for every|in every|at each|within each)"
_GROUPED = Pattern(
    r"^(?P<main>.*?\b(?:average|averaged|mean|typical|typically|usually|worth)\b.*?),?"
    rf" (?P<by>{_EACH} (?:the |our )?(?:(?!\b(?:by|per|each|every|on average)\b)[a-z0-9 -])+?)"
    r"(?P<average>,? on average)?$",
    re.IGNORECASE,
)
_OF_ONE = Pattern(r"\b(?:per|each|every|an?|one|single)\b", re.IGNORECASE)
"""What says that the mean is one over rows of which each has a total."""
_BY_TIME = Pattern(rf"{_EACH} (?:the )?(?:{UNIT})(?: (?:in|this|last|since|during|for) .+)?", re.IGNORECASE)
_ASSUMED = "The mean over each group is its total by how many it has."


class MeansOfGroups(Compounds):
    """Answers questions for the mean of totals in groups."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The totals of each group by the number of their rows; None where none is asked, or `plain` has it so."""
        main, phrases = split_spec(question)
        said = _GROUPED.match(main.strip(" .?!"))
        if said is None or not _OF_ONE.search(said["main"]) or _is_of_groups(plain):
            return None
        mean = self._part(f"{said['main']}{said['average'] or ''}", run)
        inner = _totals(mean.tree) if mean else None
        if mean is None or inner is None:
            return None
        rows = self.reader.joins.pointed(inner.group[0]).table if isinstance(inner.group[0], Col) else inner.anchor
        count = self._part(f"number of {rows[1].replace('_', ' ')} {said['by']}", run)
        query = _of_groups(inner, self._by_its_time(count.tree, inner, said["by"])) if count else None
        made = self.candidate(query, [mean, *([count] if count else [])], phrases, run) if query else None
        return Analysis("answered", (_told(made), *plain.candidates), links=plain.links) if made else None

    def _by_its_time(self, count: Query, inner: Query, by: str) -> Query:
        """A count by a bare `month` is by that in which the totals' rows happen, not by that in which anybody began."""
        home = next(columns_in(inner.select))
        dates = self.reader.resolver.time_column([home.table], frozenset()) if _BY_TIME.fullmatch(by) else []
        own = {each.of for each in nodes_in(count) if isinstance(each, Bucket)}
        return cast(Query, mapped(count, lambda each: dates[0][1] if each in own else each)) if dates else count


def _is_of_groups(plain: Analysis) -> bool:
    """Whether the question was read as a quotient in groups already, or as several figures."""
    query = plain.candidates[0].tree if plain.candidates else None
    totals = [each for each in query.select if is_total(each)] if query else []
    return bool(query and query.group and any(isinstance(each, Ratio) for each in totals)) or len(totals) > 1


def _totals(query: Query) -> Query | None:
    """The query of the totals of which the mean is asked, one for each row of a table."""
    shown = query.select[0] if len(query.select) == 1 and not query.group else None
    if not isinstance(shown, Agg) or shown.function != "avg" or not isinstance(shown.of, Nested):
        return None
    inner = shown.of.query
    is_one = len(inner.select) == 1 and isinstance(inner.select[0], Agg) and len(inner.group) == 1
    return inner if is_one and not (inner.having or inner.limit or inner.then) else None


def _of_groups(inner: Query, count: Query) -> Query | None:
    """The totals by the number of rows, in the groups of a count of these; None where it has no groups."""
    total, key = inner.select[0], inner.group[0]
    counts = [each for each in count.select if is_total(each)]
    if not isinstance(total, Agg) or not count.group or not count.is_plain or len(counts) != 1:
        return None
    of = next(columns_in(total)).table
    is_shared = isinstance(total.of, Rows) and isinstance(key, Col) and of != key.table
    if total.distinct or is_shared:  # different ones of all groups are fewer than those of each
        total = replace(total, of=Rows(key.table if is_shared and isinstance(key, Col) else of), distinct=False)
    mean = Ratio(total, Agg("count", key, distinct=True, where=total.where))
    shown = tuple(mean if each == counts[0] else each for each in count.select)
    order = tuple(each for each in count.order if not any(isinstance(part, Agg) for part in nodes_in(each.by)))
    where = (*inner.where, *(each for each in count.where if each not in inner.where))
    return replace(inner, select=shown, where=where, group=count.group, order=order, flat=True)


def _told(made: Candidate) -> Candidate:
    return replace(made, assumptions=(*made.assumptions, _ASSUMED))
