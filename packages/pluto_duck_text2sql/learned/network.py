"""The network: reads a graph, writes sketches by beam search. Weights are made by pluto_duck_training.

words ─▶ pretrained layers ─┐
names ─▶ the lower of them ─┴▶ layers that know relations ─▶ memory ─▶ writer (search.py): the likeliest lines
└────────── lower ──────────┘  └───────── reader ─────────┘            └─ writer ─┘

Each part is an ONNX file (parts.py). Arrays are float32; a line is a list of numbers: below the count of words that the
network learned a word of the grammar, else a node of the graph. A network may have learned fewer words than the grammar
has by now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.grammar import NODES, WORDS, State, allowed
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.parts import Floats, Part, settings
from pluto_duck_text2sql.learned.pieces import Pieces
from pluto_duck_text2sql.learned.search import Line, Search

__all__ = ["Floats", "Line", "Memory", "Network"]

_MOST_KEPT = 10_000
_AT_ONCE = 32
Called = tuple[str, str]
"""A name and its comment."""


class Network:
    """Reads graphs and writes lines. Made once from a folder of parts; thread-safe."""

    def __init__(self, folder: Path) -> None:
        s = settings(folder)
        self._lower, self._reader, self.writer = (Part(folder / f"{n}.onnx") for n in ("lower", "reader", "writer"))
        self.pieces = Pieces(s["vocabulary"])
        self.kinds: tuple[str, ...] = tuple(s["kinds"])
        self.words: tuple[str, ...] = tuple(s["words"])
        self.closed = lru_cache(maxsize=_MOST_KEPT)(self._closed)
        self._vectors: dict[Called, Floats] = {}
        if not set(self.words) <= set(WORDS):
            raise ValueError("The weights were trained for another grammar: run `make train`.")

    def _closed(self, state: State) -> NDArray[np.bool_]:
        """Which of its words and kinds of nodes may not come next."""
        may_come = allowed(state)
        return np.array([each not in may_come for each in (*self.words, *NODES)])

    def name_vectors(self, names: Sequence[Called]) -> Floats:
        """The static vectors of tables' and columns' names; those of the last ten thousand or so are remembered."""
        found = {name: self._vectors.get(name) for name in names}
        missing = [name for name, vector in found.items() if vector is None]
        if missing:
            new = self._new_vectors(missing)
            found.update(new)
            is_full = len(self._vectors) + len(new) > _MOST_KEPT
            self._vectors = new if is_full else {**self._vectors, **new}
        return np.stack([vector for name in names if (vector := found[name]) is not None])

    def _new_vectors(self, names: Sequence[Called]) -> dict[Called, Floats]:
        """Names of as many pieces are read together."""
        by_length: dict[int, list[tuple[Called, list[int]]]] = defaultdict(list)
        for name in names:
            pieces = self.pieces.of_name(*name)
            by_length[len(pieces)].append((name, pieces))
        made: dict[Called, Floats] = {}
        for some in by_length.values():
            for start in range(0, len(some), _AT_ONCE):
                made.update(self._read_together(some[start : start + _AT_ONCE]))
        return made

    def _read_together(self, some: Sequence[tuple[Called, list[int]]]) -> Iterator[tuple[Called, Floats]]:
        long = len(some[0][1])
        inner = np.ones((1, long), np.float32)
        if long > 2:
            inner[:, [0, -1]] = 0
        told = self._lower({"pieces": np.array([each for _, each in some]), "averages": inner / inner.sum()})
        return ((name, vector[0]) for (name, _), vector in zip(some, told["vectors"], strict=True))

    def read(self, graph: Graph, names: Floats) -> Memory:
        """What the writer looks at; `names` are the static vectors of the graph's columns, then of its tables."""
        pieces, places = self.pieces.of_words([token.text for token in graph.tokens])
        pool = _pool(places, len(graph.tokens))
        low = self._lower({"pieces": np.array([pieces]), "averages": pool})
        words, nodes = graph.sizes[0], sum(graph.sizes)
        static = np.zeros((nodes, names.shape[1]), np.float32)
        static[:words] = low["vectors"][0]
        static[words : words + len(names)] = names
        told = self._reader(
            {
                "states": low["states"],
                "spread": _spread(graph, pool),
                "static": static,
                "features": graph.features,
                "relations": graph.relations.astype(np.int64),
                "pairs": _pairs(graph),
            }
        )
        return Memory(graph, told)

    def write(
        self,
        memory: Memory,
        beam: int = 10,
        finished: int = 10,
        behind: float = -np.inf,
        is_good: Callable[[Line], bool] = lambda line: True,
    ) -> list[Line]:
        """The likeliest lines, the best first. Deterministic: ties keep the order of words.

        Lines further `behind` the likeliest good one than this (a logarithm) may be left out.
        """
        return Search(self, memory, beam).lines(finished, behind, is_good)

    def score(self, memory: Memory, numbers: Sequence[int]) -> float:
        """The logarithmic probability of a given line, or a very low one where the grammar does not allow it."""
        return Search(self, memory, 1).score(numbers)


@dataclass(frozen=True)
class Memory:
    """A graph after reading, and what the reader told: vectors to write and point at, keys and values to attend to."""

    graph: Graph
    told: dict[str, Floats]

    @property
    def used(self) -> Floats:
        """How likely each node is used: (nodes,)."""
        return self.told["uses"]


def _pool(places: Sequence[int], words: int) -> Floats:
    """Averages of each word's pieces: (words, pieces)."""
    matrix = np.zeros((words, len(places)), np.float32)
    for piece, word in enumerate(places):
        if word >= 0:
            matrix[word, piece] = 1
    return matrix / np.maximum(matrix.sum(1, keepdims=True), 1)


def _spread(graph: Graph, pool: Floats) -> Floats:
    """Each node's own pieces, (nodes, pieces): a word's, of a value the average of its words', none for names."""
    nodes = np.zeros((sum(graph.sizes), pool.shape[1]), np.float32)
    nodes[: len(pool)] = pool
    first = sum(graph.sizes[:3])
    for n, value in enumerate(graph.values):
        if value.end > value.start:
            nodes[first + n] = pool[value.start : value.end].mean(0)
    return nodes


def _pairs(graph: Graph) -> Floats:
    """1 for a word and a name, whose likeness counts, 0 for others: (nodes, nodes)."""
    words, names, nodes = graph.sizes[0], sum(graph.sizes[:3]), sum(graph.sizes)
    pairs = np.zeros((nodes, nodes), np.float32)
    pairs[:words, words:names] = pairs[words:names, :words] = 1
    return pairs
