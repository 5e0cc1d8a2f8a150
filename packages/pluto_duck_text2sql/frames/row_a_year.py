"""A figure of the same part of several years, a row for each: `January to March 2024 and 2025, one row per year`.

Without these words the periods stand side by side; with them the same figures stand below each other, beside the year.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import Agg, Bucket, Cond, During, Either, Expr, Order, Query

_ROWS = Pattern(
    r"[,;:.]? ?(?:(?:please )?(?:give|show|return|make|as|with|in) (?:me )?)?(?:one|a|a single|a separate|its own)"
    r" (?:row|line) (?:per|for each|for every|each|a) year\b\.?|[:;] ?by year(?=\W*$)",
    re.IGNORECASE,
)
_LISTED = Pattern(
    r"(?<=[.?:;]) ?(?:(?:give|show)(?: me)? )?(?:the )?year and (?:the |its )?[a-z]+(?: [a-z]+)?(?=\W*$)", re.IGNORECASE
)
_LEAST = 2


class RowAYear(Compounds):
    """Answers questions about parts of years that ask for a row each."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """A row a year; None where the question asks for none, or its periods are not of a year each."""
        text = without_form(question)
        if text == tidy(question):
            return None
        shown = plain.candidates[:1] if plain.status == "answered" else ()
        for part in (*shown, *filter(None, [self._part(text, run)])):
            query = in_rows(part.tree)
            if query and (made := self.candidate(query, [part], (), run)):
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None


def without_form(question: str) -> str:
    """A question without the words that ask for a row a year."""
    return tidy(_LISTED.sub("", _ROWS.sub("", question)))


def in_rows(tree: Query) -> Query | None:
    """The one figure that a query shows in several periods, a row for each year; None where it shows anything else."""
    plain = tree.is_plain and not tree.group
    found = (_side_by_side(tree) or _together(tree)) if plain else None
    if found is None or len({each.left for each in found.periods}) > 1:
        return None
    years = {_year(each) for each in found.periods}
    if None in years or len(years) < max(_LEAST, len(found.periods)):
        return None
    return by_years(tree, found.figure, found.periods, found.where)


def by_years(tree: Query, figure: Agg, periods: tuple[During, ...], where: tuple[Cond, ...]) -> Query:
    """A tree with a figure of several periods, all by one date, a row for the year of each; `where` is what else its
    rows must meet."""
    year = Bucket("year", periods[0].left)
    return replace(tree, select=(year, figure), where=(*where, Either(periods)), group=(year,), order=(Order(year),))


@dataclass(frozen=True)
class _InPeriods:
    """A figure, the periods that it is asked in, and what else its rows must meet."""

    figure: Agg
    periods: tuple[During, ...]
    where: tuple[Cond, ...]


def _side_by_side(tree: Query) -> _InPeriods | None:
    """A column for each period."""
    apart = [found for each in tree.select if (found := _in_period(each))]
    if not apart or len(apart) < len(tree.select) or len({figure for figure, _ in apart}) > 1:
        return None
    return _InPeriods(apart[0][0], tuple(period for _, period in apart), tree.where)


def _together(tree: Query) -> _InPeriods | None:
    """One figure of all periods."""
    figure = tree.select[0] if len(tree.select) == 1 else None
    periods = [each for each in tree.where if isinstance(each, Either) and _are_periods(each.any_of)]
    if not isinstance(figure, Agg) or len(periods) != 1:
        return None
    rest = tuple(each for each in tree.where if each != periods[0])
    return _InPeriods(figure, tuple(each for each in periods[0].any_of if isinstance(each, During)), rest)


def _are_periods(conditions: tuple[Cond, ...]) -> bool:
    return all(isinstance(each, During) for each in conditions)


def _in_period(shown: Expr) -> tuple[Agg, During] | None:
    """A figure without its period, and the period."""
    periods = [each for each in shown.where if isinstance(each, During)] if isinstance(shown, Agg) else []
    if not isinstance(shown, Agg) or len(periods) != 1:
        return None
    return replace(shown, where=tuple(each for each in shown.where if each != periods[0])), periods[0]


def _year(period: During) -> int | None:
    """The year in which all of a period lies."""
    last = period.end - dt.timedelta(days=1)
    return last.year if last.year == period.start.year else None
