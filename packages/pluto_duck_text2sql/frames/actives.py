"""Active ones: `daily active players in October`, `monthly active users by platform`, `average number of daily active
customers`: how many different ones did anything in each period.

What they did is of the rows called after being there (sessions, visits, logins) where there are such, else of what else
they do: orders. Which rows and which groups is a question of its own, that counts them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import Deeds, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Grain, Nested, Order, Query, is_total
from pluto_duck_text2sql.trees.parts import home

_ACTIVE = Pattern(
    r"^(?P<average>(?:average|mean|avg|typical) )?(?:(?:how many|number of|count of) )?(?:the )?"
    r"(?P<ly>daily|weekly|monthly|quarterly|yearly) active (?P<who>[a-z]+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_ON_AVERAGE = Pattern(r",? on average\b", re.IGNORECASE)


class Actives(Compounds):
    """Answers questions for how many were active in each period."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """How many in each period, or on average; None where the question asks no such."""
        main, phrases = split_spec(question)
        said = _ACTIVE.match(LEAD.sub("", same(without_remarks(main))))
        owner = self.table(said["who"]) if said else None
        deeds = self.activity(owner) if owner else None
        done = self.reader.catalog.table(*deeds.table) if deeds else None
        if said is None or owner is None or deeds is None or done is None:
            return None
        rest = _ON_AVERAGE.sub("", said["rest"])
        part = self._part(f"number of {' '.join(table_words(done.name))}{rest}", run)
        is_mean = bool(said["average"]) or rest != said["rest"]
        query = _of_each_period(part.tree, deeds, said["ly"].lower(), is_mean=is_mean) if part else None
        told = [f"active {owner.name} → {deeds.date.table[1]}.{deeds.date.name}"]
        made = self.candidate(query, [part], phrases, run, told) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _of_each_period(tree: Query, deeds: Deeds, ly: str, *, is_mean: bool) -> Query | None:
    """The different ones in each period, in the groups of a count of what they did; None where it counts no such."""
    counts = [each for each in tree.select if is_total(each)]
    times = [each for each in tree.group if isinstance(each, Bucket)]
    if home(tree) != deeds.table or len(counts) != 1 or not tree.is_plain or times or (is_mean and tree.group):
        return None
    bucket = Bucket(cast(Grain, "day" if ly == "daily" else ly.removesuffix("ly")), deeds.date)
    figure = Agg("count", deeds.owner, distinct=True)
    if is_mean:
        inner = Query(tree.anchor, (figure,), tree.where, (bucket,), flat=tree.flat)
        return Query(tree.anchor, (Agg("avg", Nested(inner)),))
    keys = tuple(each for each in tree.select if not is_total(each))
    order = (Order(bucket), *(Order(each) for each in keys))
    return replace(tree, select=(bucket, *keys, figure), group=(bucket, *tree.group), order=order, flat=True)
