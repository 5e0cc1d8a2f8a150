"""Those who did so much within one period: `who worked more than 170 hours in a month`, `how many customers placed at
least three orders in a single week`.

Who did so much at all is a question of its own; the number then bounds what each has in each period, of which one will
do.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Grain,
    Inside,
    Nested,
    Order,
    Query,
    all_nodes_in,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)

_N = r"(?:\d[\d,.]*k?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_BOUND = rf"(?:more than|over|above|at least|exceeding|upwards of|fewer than|less than|under|{_N} or more)"
_ONE = r"(?:a|any|one|a single|any one|any single|any given|some|the same|at least one)"
_ASKED = Pattern(
    rf"^(?=.*\b{_BOUND}\b)(?P<who>.+?),? (?:within|in|on) {_ONE}"
    rf" (?P<unit>{UNIT})(?P<rest>(?: (?:of|in|during) (?:the )?(?:year )?\d{{4}})?)$",
    re.IGNORECASE,
)


class InOnePeriod(Compounds):
    """Answers who did so much in one period."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those that have a period with so much; None where the question asks no such, or nothing is bounded."""
        main, phrases = split_spec(question)
        said = _ASKED.match(same(main))
        part = self._part(f"{said['who']}{said['rest']}", run) if said else None
        query = self._within(part.tree, cast(Grain, said["unit"].lower())) if said and part else None
        told = [f"within one {said['unit'].lower()}"] if said else []
        made = self.candidate(query, [part], phrases, run, told) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _within(self, tree: Query, unit: Grain) -> Query | None:
        """A tree whose groups are bounded, by each period of theirs."""
        tree = _grouped(tree)
        bounded = next((each for each in all_nodes_in(tree) if isinstance(each, Query) and _is_bounded(each)), None)
        group = bounded.group[0] if bounded else None
        date = self._date(bounded) if bounded else None
        if bounded is None or date is None or not isinstance(group, Col):
            return None
        in_each = replace(bounded, select=(group,), group=(*bounded.group, Bucket(unit, date)), order=())
        if bounded == tree:
            return _listed(tree, Inside(group, in_each))
        if _counts_groups(tree):
            among = Inside(group, in_each)
            return Query(group.table, (Agg("count", group, distinct=True),), where=(among,))
        made: Query = mapped(tree, lambda node: in_each if node == bounded else node)
        return made

    def _date(self, tree: Query) -> Col | None:
        """The time of what is bounded; None where it has none, or several as good."""
        of = [each for each in nodes_in(tree.having) if isinstance(each, Agg)]
        tables = list(dict.fromkeys(column.table for each in of for column in columns_in(each))) or [tree.anchor]
        found = self.reader.resolver.time_column(tables, frozenset())
        return found[0][1] if found else None


def _listed(tree: Query, among: Inside) -> Query:
    """What a tree shows of each of those that are among some, without its figures."""
    shown = tuple(each for each in tree.select if not is_total(each))
    order = tuple(each for each in tree.order if not is_total(each.by))
    return replace(tree, select=shown, where=(among,), having=(), order=order)


def _counts_groups(tree: Query) -> bool:
    """Whether it is the number of groups that another query finds."""
    shown = tree.select[0] if len(tree.select) == 1 else None
    return isinstance(shown, Agg) and shown.function == "count" and isinstance(shown.of, Nested)


def _is_bounded(tree: Query) -> bool:
    """Whether its groups are bounded by a figure, and nothing else is made of them."""
    is_plain = not (tree.limit or tree.then or tree.per)
    return bool(tree.having and tree.group) and is_plain and all(isinstance(each, Compare) for each in tree.having)


def _grouped(tree: Query) -> Query:
    """A list of those with a row of more than so much, as those that have more than that together."""
    shown = tree.select[0] if len(tree.select) == 1 else None
    counted = shown.of if isinstance(shown, Agg) and shown.function == "count" and shown.distinct else None
    bounds = [each for each in tree.where if isinstance(each, Compare) and isinstance(each.right, int | float)]
    amounts = [each for each in bounds if isinstance(each.left, Col) and each.operator not in ("=", "!=")]
    who = counted or shown
    if tree.group or tree.having or len(amounts) != 1 or not isinstance(who, Col):
        return tree
    bound = replace(amounts[0], left=Agg("sum", amounts[0].left))
    where = tuple(each for each in tree.where if each != amounts[0])
    them = Query(tree.anchor, (who,), where=where, group=(who,), having=(bound,), order=(Order(who),))
    return replace(tree, where=(Inside(who, replace(them, order=())),)) if counted else them
