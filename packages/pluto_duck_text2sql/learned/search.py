"""Writing: beam search over the words that the grammar allows. The likeliest beginnings are kept, each with its past.

A beginning that is already further behind the likeliest line than a line may be is given up: it only gets less likely.
So is one so far behind the likeliest beginning that this one would have to lose much more until it ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.grammar import START, State, allowed, step
from pluto_duck_text2sql.learned.parts import Floats, Shape

if TYPE_CHECKING:
    from pluto_duck_text2sql.learned.network import Memory, Network

_LONGEST = 38
_LEAST = -1e9
_CAUGHT_UP = 1.0
"""How much nearer to the likeliest, at most, a beginning is taken to end than it is."""
_DIGITS = 4
#   two words that the network cannot tell apart (`true`, `false`) are equal whatever the machine's last digits are


@dataclass(frozen=True)
class Line:
    """A sketch as numbers, and its logarithmic probability."""

    numbers: tuple[int, ...]
    score: float


@dataclass(frozen=True)
class _Beginning:
    """The beginning of a line, its logarithmic probability, and what the grammar expects next."""

    numbers: tuple[int, ...] = ()
    score: float = 0.0
    state: State = START


class Search:
    """One search; what was written so far is kept as keys and values of attention."""

    def __init__(self, network: Network, memory: Memory, beam: int) -> None:
        self._writer, self._memory, self._beam = network.writer, memory, beam
        self._words = network.words
        self._number = {word: number for number, word in enumerate(network.words)}
        self._masks: dict[State, NDArray[np.bool_]] = {}
        self._start = len(memory.told["before"]) - 1
        self._rows = [0]
        """Which beginnings of those before go on."""
        self._known = {name: memory.told[name] for name in self._writer.inputs if name in memory.told}
        self._past = {name: _nothing_yet(shape) for name, shape in self._writer.pasts.items()}
        """Keys and values of every layer, by beginning, head and place."""

    def lines(self, finished: int, behind: float, is_good: Callable[[Line], bool]) -> list[Line]:
        """The likeliest `finished` lines; those `behind` the best good one by more may be missing."""
        done: list[Line] = []
        alive, least = [_Beginning()], -math.inf
        for _ in range(_LONGEST):
            ended, alive, rows = self._kept(self._next(alive), alive)
            done += ended
            for line in ended:
                if line.score + behind > least and is_good(line):
                    least = line.score + behind
            hopeless = max(least, self._ahead(alive) + behind - _CAUGHT_UP)
            alive = [each for each in alive if each.score >= hopeless]
            if not alive or self._is_enough(done, finished, alive[0].score):
                break
            self._rows = rows[: len(alive)]
        return sorted(done, key=lambda line: -line.score)[:finished]

    def _ahead(self, alive: Sequence[_Beginning]) -> float:
        """How likely the likeliest is that says something."""
        nothing = (self._number.get("nothing"),)
        return next((each.score for each in alive if each.numbers != nothing), -math.inf)

    def _kept(self, logs: Floats, alive: Sequence[_Beginning]) -> tuple[list[Line], list[_Beginning], list[int]]:
        """The lines that end here, the likeliest beginnings that go on, and which of `alive` each of these was."""
        ended, kept, rows = list[Line](), list[_Beginning](), list[int]()
        flat = logs.ravel()
        for place in _best(flat, 2 * self._beam):
            row, number = divmod(place, logs.shape[1])
            score, before = float(flat[place]), alive[row]
            if score < _LEAST / 2 or len(kept) == self._beam:
                break
            if number == self._number["end"]:
                ended.append(Line(before.numbers, score))
            else:
                state = step(before.state, self._word(number))
                kept.append(_Beginning((*before.numbers, number), score, state))
                rows.append(row)
        return ended, kept, rows

    @staticmethod
    def _is_enough(done: list[Line], finished: int, best: float) -> bool:
        """No beginning can still become one of the best."""
        if len(done) < finished:
            return False
        return sorted((line.score for line in done), reverse=True)[finished - 1] >= best

    def _word(self, number: int) -> str:
        if number < len(self._words):
            return self._words[number]
        words, columns, tables, _ = self._memory.graph.sizes
        node = number - len(self._words) - words
        return "<column>" if node < columns else "<table>" if node < columns + tables else "<value>"

    def _mask(self, state: State) -> NDArray[np.bool_]:
        """Which words and nodes may come next."""
        if state not in self._masks:
            words, columns, tables, values = self._memory.graph.sizes
            first = len(self._words) + words
            nodes = {
                "<column>": slice(first, first + columns),
                "<table>": slice(first + columns, first + columns + tables),
                "<value>": slice(first + columns + tables, None),
            }
            mask = np.zeros(first + columns + tables + values, bool)
            for word in allowed(state):
                if word in nodes or word in self._number:
                    mask[nodes.get(word) or self._number[word]] = True
            self._masks[state] = mask
        return self._masks[state]

    def _next(self, alive: Sequence[_Beginning]) -> Floats:
        """The logarithmic probability of each beginning with each word after it."""
        place = len(alive[0].numbers)
        scores = self._written([each.numbers[-1] if place else self._start for each in alive], place)
        forbidden = ~np.array([self._mask(each.state) for each in alive])
        scores[forbidden] = _LEAST
        scores -= np.maximum.reduce(scores, 1, keepdims=True)
        before = np.array([each.score for each in alive], np.float32)[:, None]
        scores += before - np.log(np.add.reduce(np.exp(scores), 1, keepdims=True))
        scores[forbidden] = _LEAST
        return np.round(scores, _DIGITS)

    def _written(self, last: Sequence[int], place: int) -> Floats:
        """Scores of each word and node after the `last` of every beginning."""
        now = {"last": np.array(last), "rows": np.array(self._rows), "place": np.array([place])}
        told = self._writer({**self._known, **self._past, **now})
        self._past = {name: told[f"{name}.next"] for name in self._past}
        return told["scores"]

    def score(self, numbers: Sequence[int]) -> float:
        """The logarithmic probability of one line."""
        total, before = 0.0, _Beginning()
        for number in (*numbers, self._number["end"]):
            logs = self._next([_Beginning(before.numbers, 0.0, before.state)])[0]
            if logs[number] < _LEAST / 2:
                return _LEAST
            total += float(logs[number])
            before = _Beginning((*before.numbers, number), 0.0, step(before.state, self._word(number)))
        return total


def _nothing_yet(shape: Shape) -> Floats:
    """The past of one beginning that has no place yet: (1, heads, 0, width of a head)."""
    return np.empty([1, shape[1], 0, shape[3]], np.float32)


def _best(flat: Floats, most: int) -> list[int]:
    """The places of the largest numbers, the largest first, equal ones in their order."""
    if len(flat) > 4 * most:
        least = np.partition(flat, len(flat) - most)[len(flat) - most]
        places = np.flatnonzero(flat >= least)
        return [int(each) for each in places[np.argsort(-flat[places], kind="stable")][:most]]
    return [int(each) for each in np.argsort(-flat, kind="stable")[:most]]
