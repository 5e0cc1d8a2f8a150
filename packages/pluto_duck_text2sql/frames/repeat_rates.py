"""Repeat rates: `repeat purchase rate by country`, `what percentage of our clients are repeat customers`: of those who
bought, the part that bought at least twice.

Those who bought, in the groups that are said, are a question of their own; their number is then one of a ratio.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import stem, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import TRADED, Deeds, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.rewording.newness import REPEAT_RATE
from pluto_duck_text2sql.tree import Agg, Cond, Query, Ratio, Related, Rows, is_total
from pluto_duck_text2sql.trees.parts import home

_BUYERS = frozenset(map(stem, "customer buyer client user guest purchase order".split()))
_TWICE = 2


class RepeatRates(Compounds):
    """Answers questions for the part of buyers that bought again."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """That part; None where the question asks no such, or nobody buys."""
        main, phrases = split_spec(question)
        said = REPEAT_RATE.match(same(without_remarks(main)))
        owner = self._owner(said) if said else None
        deeds = self.deeds(owner) if owner else None
        if said is None or owner is None or deeds is None or self._is_other(said["what"], deeds):
            return None
        when = said["when"] or said["late"]
        during = self.during(when.strip(" ,"), deeds.date) if when else None
        part = self._part(f"number of {' '.join(table_words(owner.name))}{said['tail'] or ''}", run)
        if part is None or (when and (during is None or during[1])):
            return None
        query = _again(part.tree, owner, deeds, (during[0],) if during else (), _scale(said))
        told = [f"repeat → at least {_TWICE} rows in {deeds.table[1]}, of those with any"]
        made = self.candidate(query, [part], phrases, run, told) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _owner(self, said: re.Match[str]) -> Table | None:
        """Those whom the question names, else whom money comes from."""
        named = said["who"] or said["all"]
        return self.table(named) if named else self.table("customers") or self.payer()

    def _is_other(self, what: str | None, deeds: Deeds) -> bool:
        """Whether a word names neither who buys nor what they do: a repeat repair rate."""
        named = self.table(what) if what else None
        is_deed = named is not None and named.key == deeds.table
        return what is not None and stem(what.lower()) not in _BUYERS | TRADED and not is_deed


def _scale(said: re.Match[str]) -> int:
    return 100 if "percent" in (said["rate"] or said["share"] or said["part"]).lower() else 1


def _again(tree: Query, owner: Table, deeds: Deeds, during: tuple[Cond, ...], scale: int) -> Query | None:
    """A count of owners as the part of those with any deeds that has two; None where it counts anything else."""
    counts = [each for each in tree.select if is_total(each)]
    of_them = Agg("count", Rows(owner.key))
    if counts != [of_them] or not tree.is_plain or home(tree) != owner.key or tree.outer:
        return None
    twice = replace(of_them, where=(Related(deeds.table, during, count=(">=", _TWICE)),))
    shown = tuple(Ratio(twice, of_them, scale) if each == of_them else each for each in tree.select)
    order = tuple(each for each in tree.order if not is_total(each.by))
    return replace(tree, select=shown, where=(*tree.where, Related(deeds.table, during)), order=order)
