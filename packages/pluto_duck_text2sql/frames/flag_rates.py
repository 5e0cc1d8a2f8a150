"""What part of rows a flag is set of: `return rate by category` is the mean of `is_returned`, of those that tell it.

The number of these rows is a question of its own; the mean of the flag stands in its place. Rates of what other rows
tell are of event_rates.py, those of states of rewording/outcome_rates.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.states import participles
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.event_rates import RATE, rate_is_kept
from pluto_duck_text2sql.language.words import name_stems, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Query, all_nodes_in, is_total
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.parts import home


class FlagRates(Compounds):
    """Answers questions for the rate of what a flag tells."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rate, in the groups and the period asked for; None where the question asks no such."""
        said = RATE.search(question)
        flag = self._flag(said["deed"].lower()) if said and not rate_is_kept(said["deed"], self.reader.names) else None
        if said is None or flag is None or _tells(plain, flag):
            return None
        rows = " ".join(table_words(flag.table[1]))
        rest = question[said.end() :].strip(" ?.!")
        asked = f"{question[: said.start()]}number of {rows} {rest}" if rest or said.start() else f"how many {rows}"
        main, phrases = split_spec(asked)
        part = self._part(main, run)
        query = _mean(part.tree, flag) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _flag(self, deed: str) -> Col | None:
        """The one flag that is called as the deed, or as what it was done to."""
        found = list(self._flags(rooted(each for text in (deed, *participles(deed)) for each in name_stems(text))))
        return found[0] if len(found) == 1 else None

    def _flags(self, words: frozenset[str]) -> Iterator[Col]:
        for table in self.reader.catalog.tables:
            for column in table.columns:
                if column.type == "BOOLEAN" and not words.isdisjoint(rooted(table.stems(column.name))):
                    yield Col(table.key, column.name)


def _mean(tree: Query, flag: Col) -> Query | None:
    """The tree with the mean of the flag in place of a number of its rows; None where it counts no such."""
    shown = dict.fromkeys(each for each in (*tree.select, *(order.by for order in tree.order)) if is_total(each))
    count = next(iter(shown)) if len(shown) == 1 else None
    is_count = isinstance(count, Agg) and count.function == "count" and not count.where
    if count is None or not is_count or home(replace(tree, select=(count,))) != flag.table or tree.having:
        return None
    mean = Agg("avg", flag)
    order = tuple(replace(each, by=mean) if each.by == count else each for each in tree.order)
    return replace(tree, select=tuple(mean if each == count else each for each in tree.select), order=order)


def _tells(plain: Analysis, flag: Col) -> bool:
    """Whether an answer has a mean of the flag already."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    return tree is not None and any(isinstance(each, Agg) and each.of == flag for each in all_nodes_in(tree.select))
