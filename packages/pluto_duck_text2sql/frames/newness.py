"""New and returning ones: `new vs returning customers by month`, `how many orders came from new customers and how many
from returning ones`, `share of revenue from returning customers by quarter`.

Somebody is new in the period in which the first deed was, and comes back in each later one; where no period is said,
the deed itself is the first, or a later one. The figure is a question of its own; each side restricts its part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import name_words, stem, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import Deeds
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.rewording.newness import Newness, newness_of
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Cond, During, Expr, First, Order, Query, Ratio, is_total
from pluto_duck_text2sql.trees.parts import home, once

_SIDES = frozenset("new returning existing repeat recurring".split())
_FIGURE_AFTER = Pattern(r" (?:sales|revenue|orders|spend\w*|purchases)\b", re.IGNORECASE)
_WHO_BUY = frozenset(map(stem, "customer client buyer shopper guest".split()))
_CYCLES = ("weekday", "weekday_name", "month_of_year", "quarter_of_year", "hour_of_day")


class NewAndReturning(Compounds):
    """Answers questions that tell new ones and returning ones apart."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figure of each side; None where the question tells none apart, or a part of it has no answer."""
        main, phrases = split_spec(question)
        said = newness_of(without_remarks(main))
        owner = self._owner(said) if said else None
        deeds = self._deeds(owner, said) if owner and said else None
        if (
            said is None
            or owner is None
            or deeds is None
            or _FIGURE_AFTER.match(said.rest)
            or self._is_kept(question, owner, deeds)
        ):
            return None
        done = self.reader.catalog.table(*deeds.table)
        rows = said.what or f"number of {' '.join(table_words(done.name if done else ''))}"
        part = self._part(f"{rows}{said.rest}", run)
        query = self._apart(part.tree, deeds, said) if part else None
        made = self.candidate(query, [part], phrases, run, _told(said, deeds)) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _owner(self, said: Newness) -> Table | None:
        """Those whom the question names; buyers may be called otherwise here."""
        return self.table(said.who) or (self.payer() if stem(said.who.lower()) in _WHO_BUY else None)

    def _deeds(self, owner: Table, said: Newness) -> Deeds | None:
        """What they did: who is called a buyer bought, others were there."""
        buys = said.what or stem(said.who.lower()) in _WHO_BUY
        return self.deeds(owner) if buys else self.activity(owner)

    def _is_kept(self, question: str, owner: Table, deeds: Deeds) -> bool:
        """Whether something stored, or a column of theirs, is called so: cars are new or used."""
        said = _SIDES.intersection(re.findall(r"[a-z]+", question.lower()))
        catalog = self.reader.catalog
        tables = (owner, catalog.table(*deeds.table))
        words = {word for table in tables if table for each in table.columns for word in name_words(each.name)}
        keys = {each.key for each in tables if each}
        hits = (each for word in said for each in catalog.values.lookup(word, 5) if each.score == 1)
        return bool(said & words) or any((each.schema, each.table) in keys for each in hits)

    def _apart(self, tree: Query, deeds: Deeds, said: Newness) -> Query | None:
        """The tree with its figure of each side in its place."""
        totals = [each for each in tree.select if is_total(each)]
        figure = totals[0] if len(totals) == 1 and tree.is_plain and not tree.outer else None
        at = home(tree)
        if not isinstance(figure, Agg) or at is None or not self._is_of(at, deeds):
            return None
        if not said.what:
            figure = Agg("count", deeds.owner, distinct=True, where=figure.where)
        sides = self._sides(tree, deeds, bool(said.what))
        if sides is None:
            return None
        parts = tuple(_with(figure, sides[0] if is_new else sides[1]) for is_new in said.sides)
        shown = _share(parts[0], figure, said.share) if said.share else parts
        keys = tuple(each for each in tree.select if not is_total(each))
        order = tuple(Order(each) for each in keys if isinstance(each, Bucket))
        return replace(tree, select=(*keys, *shown), order=order, flat=True)

    def _is_of(self, at: tuple[str, str], deeds: Deeds) -> bool:
        return at == deeds.table or self.reader.joins.belongs(at, deeds.table)

    def _sides(self, tree: Query, deeds: Deeds, is_of_rows: bool) -> tuple[Cond, Cond] | None:
        """What holds of the new and of those who come back; None where no time tells them apart."""
        buckets = [each for each in tree.group if isinstance(each, Bucket)]
        times = [each for each in once(tree.where) if isinstance(each, During) and isinstance(each.left, Col)]
        date = _date_of(buckets, times, deeds)
        first = First(date, deeds.owner)
        if buckets:
            of = Bucket(buckets[0].grain, first)
            is_period = len(buckets) == 1 and buckets[0].grain not in _CYCLES
            return (Compare(of, "=", buckets[0]), Compare(of, "<", buckets[0])) if is_period else None
        if len(times) == 1:
            return During(first, times[0].start, times[0].end), Compare(first, "<", times[0].start)
        return (Compare(first, "=", date), Compare(first, "<", date)) if is_of_rows and not times else None


def _date_of(buckets: Sequence[Bucket], times: Sequence[During], deeds: Deeds) -> Col:
    """The date of the deeds that the figure itself goes by, where it goes by one."""
    of = [each.of for each in buckets] + [each.left for each in times]
    return next((each for each in of if isinstance(each, Col) and each.table == deeds.table), deeds.date)


def _with(figure: Agg, side: Cond) -> Agg:
    return replace(figure, where=(*figure.where, side))


def _share(part: Agg, whole: Agg, said: str) -> tuple[Expr, ...]:
    return (Ratio(part, whole, 100 if said.lower().startswith("percent") else 1),)


def _told(said: Newness, deeds: Deeds) -> list[str]:
    first = f"{deeds.date.table[1]}.{deeds.date.name}"
    return [f"{'new' if is_new else 'returning'} {said.who} → by their first {first}" for is_new in said.sides]
