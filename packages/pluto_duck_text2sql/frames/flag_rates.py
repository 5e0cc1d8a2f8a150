"""What part of rows a flag is set of: `return rate by category` is the mean of `is_returned`, of those that tell it; or
the part that has the letter of it, `R` of a `returnflag`.

The number of these rows is a question of its own; the mean of the flag stands in its place. Rates of what other rows
tell are of event_rates.py, those of states of rewording/outcome_rates.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.states import participles
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.event_rates import RATE, rate_is_kept
from pluto_duck_text2sql.language.words import name_stems, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Expr, Query, Ratio, Rows, all_nodes_in, columns_in, is_total
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.parts import home


class FlagRates(Compounds):
    """Answers questions for the rate of what a flag tells."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rate, in the groups and the period asked for; None where the question asks no such."""
        said = RATE.search(question)
        is_kept = said is not None and rate_is_kept(said["deed"], self.reader.names)
        rate = self._rate(said["deed"].lower()) if said and not is_kept else None
        if said is None or rate is None or _tells(plain, rate):
            return None
        rows = " ".join(table_words(next(columns_in(rate)).table[1]))
        rest = question[said.end() :].strip(" ?.!")
        asked = f"{question[: said.start()]}number of {rows} {rest}" if rest or said.start() else f"how many {rows}"
        main, phrases = split_spec(asked)
        part = self._part(main, run)
        query = _with_rate(part.tree, rate) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _rate(self, deed: str) -> Expr | None:
        """What the one flag tells that is called as the deed, or as what it was done to."""
        words = rooted(each for text in (deed, *participles(deed)) for each in name_stems(text))
        found = [rate for table in self.reader.catalog.tables for rate in _rates(table, words, deed[0])]
        return found[0] if len(found) == 1 else None


def _rates(table: Table, words: frozenset[str], letter: str) -> Iterator[Expr]:
    """The means of the flags that are called so, and the parts that have a letter in columns of letters."""
    for column in table.columns:
        flag = Col(table.key, column.name)
        if words.isdisjoint(rooted(table.stems(column.name))):
            continue
        if column.type == "BOOLEAN":
            yield Agg("avg", flag)
        elif letter.upper() in column.samples and all(len(str(each)) == 1 for each in column.samples):
            rows = Rows(table.key)
            yield Ratio(Agg("count", rows, where=(Compare(flag, "=", letter.upper()),)), Agg("count", rows))


def _with_rate(tree: Query, rate: Expr) -> Query | None:
    """The tree with a rate in place of a number of its rows; None where it counts no such."""
    shown = dict.fromkeys(each for each in (*tree.select, *(order.by for order in tree.order)) if is_total(each))
    count = next(iter(shown)) if len(shown) == 1 else None
    is_count = isinstance(count, Agg) and count.function == "count" and not count.where
    if (
        count is None
        or not is_count
        or home(replace(tree, select=(count,))) != next(columns_in(rate)).table
        or tree.having
    ):
        return None
    order = tuple(replace(each, by=rate) if each.by == count else each for each in tree.order)
    return replace(tree, select=tuple(rate if each == count else each for each in tree.select), order=order)


def _tells(plain: Analysis, rate: Expr) -> bool:
    """Whether an answer has a figure of the flag already."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    figures = (each for each in (*tree.select, *(order.by for order in tree.order)) if is_total(each)) if tree else ()
    flags = {each for each in all_nodes_in(rate) if isinstance(each, Col)}
    return any(not flags.isdisjoint(all_nodes_in(each)) for each in figures)
