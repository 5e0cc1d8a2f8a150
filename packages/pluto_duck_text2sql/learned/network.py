"""The network in numpy: reads a graph, writes sketches by beam search. Weights are made by pluto_duck_training.

words ─▶ pretrained layers ─┐
names ─▶ the lower of them ─┴▶ layers that know relations ─▶ memory ─▶ writer (search.py): the likeliest lines

Arrays are float32; a line is a list of numbers: below the count of words that the network learned a word of the
grammar, else a node of the graph. A network may have learned fewer words than the grammar has by now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from threadpoolctl import ThreadpoolController

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.layers import Floats, Weights, attend, gelu, heads_of, joined
from pluto_duck_text2sql.learned.pieces import Pieces
from pluto_duck_text2sql.learned.search import Line, Search

__all__ = ["Floats", "Line", "Memory", "Network", "Weights"]

_MOST_KEPT = 10_000
_AT_ONCE = 32
Called = tuple[str, str]
"""A name and its comment."""


class Network:
    """Reads graphs and writes lines. Made once; thread-safe."""

    def __init__(self, weights: Weights) -> None:
        self._w = weights
        self._threads = ThreadpoolController()
        s = weights.settings
        self.pieces = Pieces(s["vocabulary"])
        self.kinds: tuple[str, ...] = tuple(s["kinds"])
        self._lower, self._upper, self._readers, self.writers = s["lower"], s["upper"], s["readers"], s["writers"]
        self.heads, self._pretrained_heads = s["heads"], s["pretrained_heads"]
        self.words: tuple[str, ...] = tuple(s["words"])
        self._vectors: dict[Called, Floats] = {}
        if not set(self.words) <= set(WORDS):
            raise ValueError("The weights were trained for another grammar: run `make train`.")

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
        states = self._lowest([pieces for _, pieces in some])
        inner = states[:, 1:-1] if states.shape[1] > 2 else states
        vectors = inner.mean(1) - self._w["mean"]
        return ((name, vector) for (name, _), vector in zip(some, vectors, strict=True))

    def _lowest(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """The lower layers over texts of as many pieces each: (texts, pieces, width)."""
        count, long = len(pieces), len(pieces[0])
        x = self._w.rows("lower.words.weight", [piece for each in pieces for piece in each]).reshape(count, long, -1)
        x = self._w.norm("lower.norm", x + self._w["lower.places.weight"][:long], 1e-12)
        for n in range(self._lower):
            x = self._layer(f"lower.layers.{n}", x)
        return x

    def _layer(self, name: str, x: Floats) -> Floats:
        w = self._w
        x = w.norm(name + ".norm1", x + w.linear(name + ".out", self._mixed(name, x, self._pretrained_heads)), 1e-12)
        return w.norm(name + ".norm2", x + w.linear(name + ".down", gelu(w.linear(name + ".up", x))), 1e-12)

    def _mixed(self, name: str, x: Floats, heads: int, bias: Floats | None = None) -> Floats:
        """What each place attends to."""
        qkv = self._w.linear(name + ".qkv", x).reshape(*x.shape[:-1], 3, heads, -1)
        q, k, v = (qkv[..., n, :, :].swapaxes(-3, -2) for n in range(3))
        return joined(attend(q, k, v, bias))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """On one thread: matrices of this size are multiplied sooner so than by several that wait for each other."""
        with self._threads.limit(limits=1, user_api="blas"):
            yield

    def read(self, graph: Graph, names: Floats) -> Memory:
        """What the writer looks at; `names` are the static vectors of the graph's columns, then of its tables."""
        pieces, places = self.pieces.of_words([token.text for token in graph.tokens])
        lowest = self._lowest([pieces])[0]
        x = lowest
        for n in range(self._upper):
            x = self._layer(f"upper.{n}", x)
        pool = _pool(places, len(graph.tokens))
        static = np.zeros((sum(graph.sizes), lowest.shape[1]), np.float32)
        words = graph.sizes[0]
        static[:words] = pool @ lowest - self._w["mean"]
        static[words : words + len(names)] = names
        nodes = self._w.linear("names", static) + self._w.linear("features", graph.features)
        nodes += self._w.linear("words", _spread(graph, pool @ x))
        return self._memory(graph, self._related(nodes, self._bias(graph, static)))

    def _bias(self, graph: Graph, static: Floats) -> Floats:
        """What relations and likeness add to the attention: (heads of all layers, nodes, nodes)."""
        w = self._w
        bias: Floats = np.take(np.ascontiguousarray(w["relations.weight"].T), graph.relations.astype(np.intp), 1)
        words, names = graph.sizes[0], sum(graph.sizes[:3])
        alike = w["alike"][:, None, None] * _alike(static, words, names)
        bias[:, :words, words:names] += alike
        bias[:, words:names, :words] += np.swapaxes(alike, 1, 2)
        return bias

    def _related(self, nodes: Floats, bias: Floats) -> Floats:
        w = self._w
        for n in range(self._readers):
            name = f"readers.{n}"
            own = bias[n * self.heads : (n + 1) * self.heads]
            mixed = self._mixed(name, w.norm(name + ".norm1", nodes), self.heads, own)
            nodes = nodes + w.linear(name + ".out", mixed)
            nodes += w.linear(name + ".down", gelu(w.linear(name + ".up", w.norm(name + ".norm2", nodes))))
        return w.norm("read", nodes)

    def _memory(self, graph: Graph, nodes: Floats) -> Memory:
        w = self._w
        keys = [np.split(w.linear(f"writers.{n}.kv", nodes), 2, -1) for n in range(self.writers)]
        crossed = [(heads_of(k, self.heads), heads_of(v, self.heads)) for k, v in keys]
        used = (1 / (1 + np.exp(-w.linear("used", nodes)[:, 0]))).astype(np.float32)
        return Memory(graph, crossed, w.linear("pointed", nodes), w.linear("answer", nodes), used)

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
        return Search(self, self._w, memory, beam).lines(finished, behind, is_good)

    def score(self, memory: Memory, numbers: Sequence[int]) -> float:
        """The logarithmic probability of a given line, or a very low one where the grammar does not allow it."""
        return Search(self, self._w, memory, 1).score(numbers)


@dataclass(frozen=True)
class Memory:
    """A graph after reading: keys and values for each writing layer, vectors to point at, how likely each is used."""

    graph: Graph
    crossed: list[tuple[Floats, Floats]]
    pointed: Floats
    answers: Floats
    used: Floats


def _pool(places: Sequence[int], words: int) -> Floats:
    matrix = np.zeros((words, len(places)), np.float32)
    for piece, word in enumerate(places):
        if word >= 0:
            matrix[word, piece] = 1
    return matrix / np.maximum(matrix.sum(1, keepdims=True), 1)


def _spread(graph: Graph, words: Floats) -> Floats:
    """Each node's own words: a word's itself, a value's the average of its span, none for names."""
    nodes = np.zeros((sum(graph.sizes), words.shape[1]), np.float32)
    nodes[: len(words)] = words
    first = sum(graph.sizes[:3])
    for n, value in enumerate(graph.values):
        if value.end > value.start:
            nodes[first + n] = words[value.start : value.end].mean(0)
    return nodes


def _alike(static: Floats, words: int, names: int) -> Floats:
    """Cosines between the words' and the names' static vectors."""
    unit = static[:names] / (np.linalg.norm(static[:names], axis=1, keepdims=True) + np.float32(1e-6))
    return unit[:words] @ unit[words:].T
