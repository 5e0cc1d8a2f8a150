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

from pluto_duck_text2sql.learned.grammar import NODES, START, State, step
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
        self._closed = network.closed
        self._kinds = _kinds(len(network.words), memory.graph.sizes)
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
            ended, alive, rows = self._kept(self._next(alive), alive, least, behind)
            done += ended
            for line in ended:
                if line.score + behind > least and is_good(line):
                    least = line.score + behind
            alive = [each for each in alive if each.score >= least]
            if not alive or self._is_enough(done, finished, alive[0].score):
                break
            self._rows = rows[: len(alive)]
        return sorted(done, key=lambda line: -line.score)[:finished]

    def _kept(
        self, logs: Floats, alive: Sequence[_Beginning], least: float, behind: float
    ) -> tuple[list[Line], list[_Beginning], list[int]]:
        """The lines that end here, the likeliest beginnings that go on, and which of `alive` each of these was.

        Of these none is below `least`, nor further `behind` the likeliest that says something than it may catch up.
        """
        ended, kept, rows = list[Line](), list[_Beginning](), list[int]()
        flat, width, going_on = logs.ravel(), logs.shape[1], 0
        places = _best(flat, 2 * self._beam)
        for place, score in zip(places, flat[places].tolist(), strict=True):
            if going_on == self._beam:
                break
            row, number = divmod(place, width)
            before = alive[row]
            if number == self._number["end"]:
                ended.append(Line(before.numbers, score))
                continue
            going_on += 1
            if score < least:
                continue
            if before.numbers or number != self._number.get("nothing"):
                least = max(least, score + behind - _CAUGHT_UP)
            kept.append(_Beginning((*before.numbers, number), score, step(before.state, self._kind(number))))
            rows.append(row)
        return ended, kept, rows

    @staticmethod
    def _is_enough(done: list[Line], finished: int, best: float) -> bool:
        """No beginning can still become one of the best."""
        if len(done) < finished:
            return False
        return sorted((line.score for line in done), reverse=True)[finished - 1] >= best

    def _kind(self, number: int) -> str:
        """What the grammar calls a word or node."""
        return self._words[number] if number < len(self._words) else NODES[self._kinds[number] - len(self._words)]

    def _next(self, alive: Sequence[_Beginning]) -> Floats:
        """The logarithmic probability of each beginning with each word after it; near _LEAST where none may come."""
        place = len(alive[0].numbers)
        scores = self._written([each.numbers[-1] if place else self._start for each in alive], place)
        closed = np.array([self._closed(each.state) for each in alive])
        np.copyto(scores, _LEAST, where=closed.take(self._kinds, 1))
        scores -= np.maximum.reduce(scores, 1, keepdims=True)
        before = np.array([each.score for each in alive], np.float32)[:, None]
        scores += before - np.log(np.add.reduce(np.exp(scores), 1, keepdims=True))
        return scores.round(_DIGITS)

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
            before = _Beginning((*before.numbers, number), 0.0, step(before.state, self._kind(number)))
        return total


def _kinds(known: int, sizes: tuple[int, int, int, int]) -> NDArray[np.intp]:
    """By number, the place of each word among those that the network knows, and of each node's kind after these."""
    return np.concatenate([np.arange(known), np.repeat(np.arange(known, known + len(NODES)), sizes)])


def _nothing_yet(shape: Shape) -> Floats:
    """The past of one beginning that has no place yet: (1, heads, 0, width of a head)."""
    return np.empty([1, shape[1], 0, shape[3]], np.float32)


def _best(flat: Floats, most: int) -> list[int]:
    """The places of the largest numbers that are not near _LEAST, the largest first, equal ones in their order."""
    places = (flat > _LEAST / 2).nonzero()[0]
    best: list[int] = places[(-flat[places]).argsort(kind="stable")][:most].tolist()
    return best
