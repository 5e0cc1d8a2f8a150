"""A figure's course along time: its change on the period before, its sum so far, its moving average.

`orders by month with a running total` is `orders by month`, answered as any other question, and what is made of that
(course_words.py). Where the answer read as a whole shows it already, that one stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.course_words import Course, course_of, is_made, unit_of
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Expr,
    Grain,
    Growth,
    Order,
    Query,
    Running,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.wide import looking_back

Choose = Callable[[Query, Bucket, Expr, Expr, Course], tuple[Expr, ...] | None]
_AMOUNTS = frozenset("amount amounts billed invoiced charged value worth".split())
_OF_PERIOD = Pattern(r"\b(?:that|the|this|each) (?:day|week|month|quarter|year)['’]s (?:own )?", re.IGNORECASE)
_A_YEAR: dict[Grain, int] = {"month": 12, "quarter": 4, "week": 52}


class Courses(Compounds):
    """Answers questions about a course."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figure and what is made of it; None where the question asks no such, or `plain` shows it."""
        course = course_of(question)
        if course is None or self._shows(plain, course, keys=0):
            return None
        part = self._part(_with_amount(course), run)
        query = along(part.tree, course, self._chosen) if part else None
        if query is None or self._shows(plain, course, _keys(query)):
            return None
        made = self.candidate(looking_back(query, question), [part], (), run) if part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _shows(self, plain: Analysis, course: Course, keys: int) -> bool:
        """Whether an answer shows the course already, all that is listed, and no more than so many keys."""
        tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
        made = next((each for each in tree.select if _is_meant(each, course)), None) if tree else None
        if tree is None or not isinstance(made, Growth | Running) or not isinstance(made.over, Bucket):
            return False
        chosen = self._chosen(tree, made.over, made.of, made, course) if course.phrases else tree.select
        return chosen is not None and set(chosen) == set(tree.select) and _keys(tree) <= keys

    def _chosen(self, query: Query, time: Bucket, figure: Expr, made: Expr, course: Course) -> tuple[Expr, ...] | None:
        """The columns that the phrases mean, in their order; None where two mean the same, or none what is made."""
        found: list[Expr] = []
        for phrase in course.phrases:
            if unit_of(phrase) == time.grain:
                found.append(time)
            elif is_made(phrase, course) and made not in found:
                found.append(made)
            else:
                key = self.key_named(query, phrase)
                if key is None and _counts(figure) and _is_money(phrase):
                    return None
                found.append(key or figure)
        return tuple(found) if len(set(found)) == len(found) and made in found else None


def _with_amount(course: Course) -> str:
    """The figure's question, with the columns listed where one of them is an amount: `fees by month: month, amount`."""
    listed = [_OF_PERIOD.sub("", each) for each in course.phrases if not is_made(each, course)]
    return f"{course.of}: {', '.join(listed)}" if any(map(_is_money, listed)) else course.of


def _is_money(phrase: str) -> bool:
    """Whether a column listed is an amount of money, and no number of rows."""
    return any(token.lower in _AMOUNTS or token.stem in MONEY for token in tokenise(phrase))


def _counts(figure: Expr) -> bool:
    return isinstance(figure, Agg) and figure.function == "count"


def along(tree: Query, course: Course, choose: Choose | None = None) -> Query | None:
    """The tree with what is made of its one figure; None where it has no course, or a column is not in it.

    `choose` finds the columns that the course's phrases mean.
    """
    times = [each for each in tree.group if isinstance(each, Bucket)]
    figures = [each for each in tree.select if is_total(each)]
    plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
    if not plain or len(times) != 1 or len(figures) != 1 or (course.unit and times[0].grain != course.unit):
        return None
    if any(isinstance(each, Growth | Running) for each in nodes_in(figures[0])):
        return None
    keys = [each for each in tree.select if not is_total(each)]
    others = [each for each in keys if each != times[0]]
    made = _made(figures[0], times[0], others, course)
    query = replace(tree, order=(Order(times[0], course.descending), *(Order(each) for each in others)))
    if not course.phrases:
        return replace(query, select=(*keys, *([figures[0]] if course.shows_figure else []), made))
    chosen = choose(query, times[0], figures[0], made, course) if choose else None
    return replace(query, select=chosen) if chosen else None


def _keys(tree: Query) -> int:
    """How many columns a tree shows as they are."""
    return sum(isinstance(each, Col) for each in tree.select)


def _made(figure: Expr, time: Bucket, by: Sequence[Expr], course: Course) -> Expr:
    """What the course makes of the figure, for each of the other keys apart."""
    if course.kind == "growth":
        lag = _A_YEAR.get(time.grain, 1) if course.yearly else 1
        return Growth(figure, time, lag, course.scale, tuple(by), course.is_difference)
    if course.kind == "moving":
        return Running(figure, time, course.last, tuple(by))
    restarts = (Bucket("year", time.of),) if course.within and time.grain != "year" else ()
    return Running(figure, time, None, (*by, *restarts))


def _is_meant(node: object, course: Course) -> bool:
    if isinstance(node, Growth):
        grain = node.over.grain if isinstance(node.over, Bucket) else "year"
        is_lag = not course.yearly or node.lag == _A_YEAR.get(grain, 1)
        return (
            is_lag
            and course.kind == "growth"
            and (node.is_difference, node.scale) == (course.is_difference, course.scale)
        )
    if not isinstance(node, Running) or course.kind == "growth":
        return False
    if course.kind == "moving":
        return node.last == course.last
    restarts = any(isinstance(each, Bucket) and each.grain == "year" for each in node.by)
    is_yearly = isinstance(node.over, Bucket) and node.over.grain == "year"
    return node.last is None and (restarts or is_yearly or not course.within)
