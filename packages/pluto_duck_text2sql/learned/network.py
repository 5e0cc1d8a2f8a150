"""The network in numpy: reads a graph, writes sketches by beam search. Weights are made by pluto_duck_training.

words ─▶ pretrained layers ─┐
names ─▶ the lower of them ─┴▶ layers that know relations ─▶ memory ─▶ writer: word after word, the likeliest lines kept

Arrays are float32; a line is a list of numbers: below the count of words that the network learned a word of the
grammar, else a node of the graph. A network may have learned fewer words than the grammar has by now.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from pluto_duck_text2sql.learned.grammar import START, WORDS, State, allowed, step
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.pieces import Pieces

Floats = NDArray[np.float32]
_LONGEST = 38
_LEAST = -1e9


@dataclass(frozen=True)
class Line:
    """A sketch as numbers, and its logarithmic probability."""

    numbers: tuple[int, ...]
    score: float


class Weights:
    """Arrays by name; matrices are kept as bytes with a scale for each row, and opened when read."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], settings: Mapping[str, Any]) -> None:
        self._arrays = {name: _opened(name, arrays) for name in arrays if not name.endswith("#scale")}
        self.settings = dict(settings)

    @classmethod
    def read(cls, path: Path) -> Weights:
        """From an .npz file with its settings in `settings`."""
        with np.load(path) as found:
            settings = json.loads(bytes(found["settings"]).decode())
            return cls({name: found[name] for name in found.files if name != "settings"}, settings)

    def __getitem__(self, name: str) -> Floats:
        return self._arrays[name]

    def linear(self, name: str, x: Floats) -> Floats:
        result: Floats = x @ self._arrays[name + ".weight"] + self._arrays[name + ".bias"]
        return result

    def norm(self, name: str, x: Floats, epsilon: float = 1e-5) -> Floats:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + epsilon)
        result: Floats = scaled * self._arrays[name + ".weight"] + self._arrays[name + ".bias"]
        return result


def _opened(name: str, arrays: Mapping[str, NDArray[Any]]) -> Floats:
    """Linear maps are turned so that `x @ w` applies them."""
    array = arrays[name]
    scale = arrays.get(name + "#scale")
    opened = array.astype(np.float32) * scale[:, None] if scale is not None else array.astype(np.float32)
    turned = opened.ndim == 2 and name.endswith(".weight") and not name.startswith(_TABLES)
    return np.ascontiguousarray(opened.T) if turned else opened


_TABLES = ("lower.words", "lower.places", "relations", "grammar", "places")


def _gelu(x: Floats) -> Floats:
    result: Floats = 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    return result


def _softmax(x: Floats) -> Floats:
    e = np.exp(x - x.max(-1, keepdims=True))
    result: Floats = e / e.sum(-1, keepdims=True)
    return result


def _heads(x: Floats, heads: int) -> Floats:
    """(…, n, width) as (…, heads, n, width / heads)."""
    return np.swapaxes(x.reshape(*x.shape[:-1], heads, -1), -3, -2)


def _joined(x: Floats) -> Floats:
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


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
        if not set(self.words) <= set(WORDS):
            raise ValueError("The weights were trained for another grammar: run `make train`.")

    def name_vector(self, name: str, comment: str = "") -> Floats:
        """The static vector of a table's or column's name."""
        states = self._lowest(self.pieces.of_name(name, comment))
        inner = states[1:-1] if len(states) > 2 else states
        vector: Floats = inner.mean(0) - self._w["mean"]
        return vector

    def _lowest(self, pieces: Sequence[int]) -> Floats:
        x = self._w["lower.words.weight"][list(pieces)] + self._w["lower.places.weight"][: len(pieces)]
        x = self._w.norm("lower.norm", x, 1e-12)
        for n in range(self._lower):
            x = self._layer(f"lower.layers.{n}", x)
        return x

    def _layer(self, name: str, x: Floats) -> Floats:
        w = self._w
        q, k, v = np.split(w.linear(name + ".qkv", x), 3, -1)
        y = self._attend(q, k, v, self._pretrained_heads)
        x = w.norm(name + ".norm1", x + w.linear(name + ".out", y), 1e-12)
        return w.norm(name + ".norm2", x + w.linear(name + ".down", _gelu(w.linear(name + ".up", x))), 1e-12)

    @staticmethod
    def _attend(q: Floats, k: Floats, v: Floats, heads: int, bias: Floats | float = 0.0) -> Floats:
        q, k, v = _heads(q, heads), _heads(k, heads), _heads(v, heads)
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) + bias
        return _joined(_softmax(scores.astype(np.float32)) @ v)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """On one thread: matrices of this size are multiplied sooner so than by several that wait for each other."""
        with self._threads.limit(limits=1, user_api="blas"):
            yield

    def read(self, graph: Graph, names: Floats) -> Memory:
        """What the writer looks at; `names` are the static vectors of the graph's columns, then of its tables."""
        pieces, places = self.pieces.of_words([token.text for token in graph.tokens])
        lowest = self._lowest(pieces)
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
        return self._related(graph, nodes, static)

    def _related(self, graph: Graph, nodes: Floats, static: Floats) -> Memory:
        w = self._w
        alike = _alike(static, graph.sizes)
        bias = w["relations.weight"][graph.relations] + alike[:, :, None] * w["alike"]
        bias = np.moveaxis(bias, -1, 0)
        for n in range(self._readers):
            name = f"readers.{n}"
            q, k, v = np.split(w.linear(name + ".qkv", w.norm(name + ".norm1", nodes)), 3, -1)
            own = bias[n * self.heads : (n + 1) * self.heads]
            nodes = nodes + w.linear(name + ".out", self._attend(q, k, v, self.heads, own))
            nodes = nodes + w.linear(name + ".down", _gelu(w.linear(name + ".up", w.norm(name + ".norm2", nodes))))
        nodes = w.norm("read", nodes)
        keys = [np.split(w.linear(f"writers.{n}.kv", nodes), 2, -1) for n in range(self.writers)]
        crossed = [(_heads(k, self.heads), _heads(v, self.heads)) for k, v in keys]
        used = (1 / (1 + np.exp(-w.linear("used", nodes)[:, 0]))).astype(np.float32)
        return Memory(graph, crossed, w.linear("pointed", nodes), w.linear("answer", nodes), used)

    def write(self, memory: Memory, beam: int = 12, finished: int = 12) -> list[Line]:
        """The likeliest lines, the best first. Deterministic: ties keep the order of words."""
        return _Search(self, self._w, memory, beam, finished).lines()

    def score(self, memory: Memory, numbers: Sequence[int]) -> float:
        """The logarithmic probability of a given line, or a very low one where the grammar does not allow it."""
        return _Search(self, self._w, memory, 1, 1).score(numbers)


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


def _alike(static: Floats, sizes: tuple[int, int, int, int]) -> Floats:
    """Cosines between the words' and the names' static vectors, zero elsewhere."""
    words, names = sizes[0], sum(sizes[:3])
    unit = static / (np.linalg.norm(static, axis=1, keepdims=True) + 1e-6)
    matrix = np.zeros((len(static), len(static)), np.float32)
    matrix[:words, words:names] = unit[:words] @ unit[words:names].T
    matrix[words:names, :words] = matrix[:words, words:names].T
    return matrix


class _Search:
    """Beam search: the likeliest beginnings are kept, each with its own past."""

    def __init__(self, network: Network, weights: Weights, memory: Memory, beam: int, finished: int) -> None:
        self._w, self._memory = weights, memory
        self._writers, self._heads = network.writers, network.heads
        self._words = network.words
        self._number = {word: number for number, word in enumerate(network.words)}
        self._beam, self._finished = beam, finished
        self._masks: dict[State, NDArray[np.bool_]] = {}
        self._past: list[list[Floats]] = []

    def lines(self) -> list[Line]:
        done: list[Line] = []
        alive: list[tuple[tuple[int, ...], float, State]] = [((), 0.0, START)]
        self._past = [[] for _ in range(self._writers)]
        for _ in range(_LONGEST):
            logs = self._next(alive)
            flat = logs.ravel()
            most = min(2 * self._beam, int((flat > _LEAST / 2).sum()))
            best = np.argsort(-flat, kind="stable")[:most]
            alive, rows = self._kept(best, flat, logs.shape[1], alive, done)
            if not alive or self._is_enough(done, alive):
                break
            self._choose(rows)
        return sorted(done, key=lambda line: -line.score)[: self._finished]

    def _kept(
        self,
        best: NDArray[np.int64],
        flat: Floats,
        wide: int,
        alive: list[tuple[tuple[int, ...], float, State]],
        done: list[Line],
    ) -> tuple[list[tuple[tuple[int, ...], float, State]], list[int]]:
        kept = list[tuple[tuple[int, ...], float, State]]()
        rows = list[int]()
        for place in best:
            row, number = divmod(int(place), wide)
            score = float(flat[place])
            if score < _LEAST / 2 or len(kept) == self._beam:
                break
            before, _, state = alive[row]
            if number == self._number["end"]:
                done.append(Line(before, score))
            else:
                kept.append(((*before, number), score, step(state, self._word(number))))
                rows.append(row)
        return kept, rows

    def _is_enough(self, done: list[Line], alive: Sequence[tuple[tuple[int, ...], float, State]]) -> bool:
        """No beginning can still become one of the best."""
        if len(done) < self._finished:
            return False
        worst = sorted((line.score for line in done), reverse=True)[self._finished - 1]
        return worst >= alive[0][1]

    def _choose(self, rows: list[int]) -> None:
        for n in range(self._writers):
            self._past[n] = [each[rows] for each in self._past[n]]

    def _word(self, number: int) -> str:
        if number < len(self._words):
            return self._words[number]
        words, columns, tables, _ = self._memory.graph.sizes
        node = number - len(self._words) - words
        return "<column>" if node < columns else "<table>" if node < columns + tables else "<value>"

    def _mask(self, state: State) -> NDArray[np.bool_]:
        if state not in self._masks:
            words, columns, tables, values = self._memory.graph.sizes
            mask = np.zeros(len(self._words) + words + columns + tables + values, bool)
            first = len(self._words) + words
            for word in allowed(state):
                if word == "<column>":
                    mask[first : first + columns] = True
                elif word == "<table>":
                    mask[first + columns : first + columns + tables] = True
                elif word == "<value>":
                    mask[first + columns + tables :] = True
                elif word in self._number:
                    mask[self._number[word]] = True
            self._masks[state] = mask
        return self._masks[state]

    def _next(self, alive: Sequence[tuple[tuple[int, ...], float, State]]) -> Floats:
        """The logarithmic probability of each beginning with each word after it."""
        place = len(alive[0][0])
        known = len(self._words)
        last = [line[-1] if line else known for line, _, _ in alive]
        scores = self._written(last, place)
        masks = np.stack([self._mask(state) for _, _, state in alive])
        scores = np.where(masks, scores, np.float32(_LEAST))
        top = scores.max(1, keepdims=True)
        logs = scores - top - np.log(np.exp(scores - top).sum(1, keepdims=True))
        logs = logs + np.array([score for _, score, _ in alive], np.float32)[:, None]
        result: Floats = np.where(masks, logs, np.float32(_LEAST))
        return result

    def _written(self, last: Sequence[int], place: int) -> Floats:
        w = self._w
        known = len(self._words)
        grammar, pointed = w["grammar.weight"], self._memory.pointed
        x = np.stack([grammar[n] if n < known or place == 0 else pointed[n - known] for n in last])
        x = x + w["places.weight"][place]
        for n in range(self._writers):
            x = self._layer(n, x)
        x = w.norm("written", x)
        points = w.linear("ask", x) @ self._memory.answers.T / np.float32(np.sqrt(x.shape[1]))
        return np.concatenate([w.linear("choose", x), points], 1)

    def _layer(self, n: int, x: Floats) -> Floats:
        """One place more of every beginning; keys and values of the places before are kept."""
        w, name = self._w, f"writers.{n}"
        q, k, v = np.split(w.linear(name + ".qkv", w.norm(name + ".norm1", x)), 3, -1)
        past = self._past[n]
        k, v = k[:, None], v[:, None]
        if past:
            k, v = np.concatenate([past[0], k], 1), np.concatenate([past[1], v], 1)
        self._past[n] = [k, v]
        x = x + w.linear(name + ".out1", self._over(q, _heads(k, self._heads), _heads(v, self._heads)))
        q = w.linear(name + ".q", w.norm(name + ".norm2", x))
        keys, values = self._memory.crossed[n]
        x = x + w.linear(name + ".out2", self._over(q, keys, values))
        return x + w.linear(name + ".down", _gelu(w.linear(name + ".up", w.norm(name + ".norm3", x))))

    def _over(self, q: Floats, k: Floats, v: Floats) -> Floats:
        """One query a beginning: (beginnings, width) over (…, heads, places, width / heads)."""
        q = q.reshape(len(q), self._heads, 1, -1)
        scores = q @ np.swapaxes(k, -1, -2) / np.float32(np.sqrt(q.shape[-1]))
        result: Floats = (_softmax(scores) @ v).reshape(len(q), -1)
        return result

    def score(self, numbers: Sequence[int]) -> float:
        self._past = [[] for _ in range(self._writers)]
        total, state, before = 0.0, START, list[int]()
        for number in (*numbers, self._number["end"]):
            logs = self._next([(tuple(before), 0.0, state)])[0]
            if logs[number] < _LEAST / 2:
                return _LEAST
            total += float(logs[number])
            state = step(state, self._word(number))
            before.append(number)
        return total
