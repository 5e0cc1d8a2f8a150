"""From a question to the likeliest query trees: graph ▶ network ▶ sketches ▶ trees. Knows nothing of running them."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.learned.graph import Graph, Grapher
from pluto_duck_text2sql.learned.network import Line, Memory, Network
from pluto_duck_text2sql.learned.sketch import Malformed, Val, Word, to_query
from pluto_duck_text2sql.tree import Col, Query, Rows
from pluto_duck_text2sql.trees.term import Term


@dataclass(frozen=True)
class Sketch:
    """A tree, the line it was written as, and the line's logarithmic probability."""

    query: Query
    line: tuple[Word, ...]
    nodes: tuple[int, ...]
    score: float


_REMEMBERED = 8
"""The sketches of so many questions are kept: one that leans on the question before has that one read again."""


@dataclass(frozen=True)
class Sketches:
    """All that was written for one question, the likeliest first; `nothing`: how likely the data does not answer it."""

    graph: Graph
    memory: Memory
    found: list[Sketch]
    nothing: float = 0.0


class Sketcher:
    """Writes sketches over one catalog."""

    def __init__(
        self,
        catalog: Catalog,
        joins: JoinGraph,
        network: Network,
        today: dt.date | None = None,
        aliases: Sequence[Term] = (),
    ) -> None:
        self._catalog = catalog
        self._today = today
        self._grapher = Grapher(catalog, joins, network.kinds, aliases)
        self._network = network
        self._kept = lru_cache(maxsize=_REMEMBERED)(self._made)

    def sketches(
        self, question: str, beam: int = 10, behind: float = -math.inf, today: dt.date | None = None
    ) -> Sketches:
        """The likeliest sketches of a question, which has words, over a catalog, which has tables.

        Those further `behind` the likeliest than this (a logarithm) may be left out. Periods count from `today`, where
        the question says a day, or the one given at the beginning.
        """
        return self._kept(question, beam, behind, today or self._today or dt.date.today())

    def _made(self, question: str, beam: int, behind: float, today: dt.date) -> Sketches:
        graph = self._grapher.graph(question)
        names = [(column.name, column.comment) for _, column in graph.columns]
        names += [(" ".join(table_words(table.name)), table.comment) for table in graph.tables]
        network, read = self._network, dict[Line, Sketch | None]()

        def sketched(line: Line) -> Sketch | None:
            if line not in read:
                read[line] = self._sketch(graph, line.numbers, line.score, today)
            return read[line]

        memory = network.read(graph, network.name_vectors(names))
        lines = network.write(memory, beam, beam, behind, lambda line: sketched(line) is not None)
        found = _near(map(sketched, lines), behind)
        nothing = sum(
            math.exp(line.score) for line in lines if words_of(graph, line.numbers, network.words) == ["nothing"]
        )
        return Sketches(graph, memory, found, nothing)

    def _sketch(self, graph: Graph, numbers: Sequence[int], score: float, today: dt.date) -> Sketch | None:
        known = self._network.words
        line = words_of(graph, numbers, known)
        try:
            query = to_query(line, self._catalog, today)
        except Malformed:
            return None
        return Sketch(
            query, tuple(line), tuple(number - len(known) for number in numbers if number >= len(known)), score
        )


def _near(sketches: Iterator[Sketch | None], behind: float) -> list[Sketch]:
    """Those there are, the likeliest first, up to the first that is further behind it; what comes after is not read."""
    good = (each for each in sketches if each is not None)
    first = next(good, None)
    return [first, *takewhile(lambda each: each.score >= first.score + behind, good)] if first else []


def words_of(graph: Graph, numbers: Sequence[int], known: Sequence[str]) -> list[Word]:
    """The line in words, of which the network knows `known`; a value is spelt as the column before it keeps it."""
    words, columns, tables, _ = graph.sizes
    line: list[Word] = []
    near: Col | None = None
    for number in numbers:
        if number < len(known):
            line.append(known[number])
            continue
        node = number - len(known) - words
        if node < columns:
            near = graph.column(node)
            line.append(near)
        elif node < columns + tables:
            line.append(Rows(graph.tables[node - columns].key))
        else:
            literal = graph.values[node - columns - tables]
            line.append(Val(literal.spelt(near) if near else literal.value))
    return line
