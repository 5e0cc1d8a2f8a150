"""All questions of the training set as flat arrays: what `prepare` leaves for `learn`.

An array holds every question's part one after another; the sizes tell where each begins. Names that many graphs share
are kept once, and of words only their pieces, since the frozen layers read them again in a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.grammar import START, WORDS, allowed, step
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.pieces import Pieces

G = len(WORDS)
KINDS = ("<column>", "<table>", "<value>")
Array = NDArray[Any]
Drawn = tuple[str, str, Graph, list[int] | None, bool]
"""Id, database or group, graph, targets (None where no sketch says the SQL), whether the question was invented."""


@dataclass(frozen=True)
class Packed:
    """N questions. A target is a word of the grammar below G, else a node after the question's words."""

    ids: list[str]
    databases: list[str]
    is_invented: Array
    """(N,)"""
    sizes: Array
    """(N, 4): words, columns, tables, values."""
    counts: Array
    """(N, 2): pieces, targets."""
    names: list[list[int]]
    """The pieces of each name."""
    named: Array
    """Which name each column and table of each graph has."""
    pieces: Array
    words: Array
    """The word each piece belongs to, -1: none."""
    features: Array
    """(nodes, FEATURES)"""
    relations: Array
    """Each graph's nodes by its nodes, row by row."""
    spans: Array
    """(values, 2): the first word of each value and the one after its last."""
    targets: Array
    legal: Array
    """(targets, G + 3): the words that the grammar lets stand there; last, columns, tables, values."""


MOST = 6
"""So many words are kept of what may stand in a place, the likeliest."""


@dataclass(frozen=True)
class Told:
    """What may stand in the place of each target, in their order, as a teacher has it: words as targets are."""

    words: Array
    """(targets, MOST)"""
    chances: Array
    """(targets, MOST), from 0 to 1."""


def packed(every: Sequence[Drawn], pieces: Pieces) -> Packed:
    """The questions' arrays."""
    numbers: dict[tuple[str, str], int] = {}
    graphs = [graph for _, _, graph, _, _ in every]
    named = [[numbers.setdefault(each, len(numbers)) for each in _names(graph)] for graph in graphs]
    split = [pieces.of_words([token.text for token in graph.tokens]) for graph in graphs]
    said = [targets or [] for _, _, _, targets, _ in every]
    return Packed(
        ids=[each[0] for each in every],
        databases=[each[1] for each in every],
        is_invented=np.array([each[4] for each in every], bool),
        sizes=np.array([graph.sizes for graph in graphs], np.int32),
        counts=np.array([(len(some), len(targets)) for (some, _), targets in zip(split, said, strict=True)], np.int32),
        names=[pieces.of_name(*each) for each in numbers],
        named=_flat(named, np.int32),
        pieces=_flat([some for some, _ in split], np.int16),
        words=_flat([places for _, places in split], np.int16),
        features=np.concatenate([graph.features for graph in graphs]).astype(np.float16),
        relations=_flat([graph.relations.ravel() for graph in graphs], np.uint8),
        spans=_flat([[v for each in graph.values for v in (each.start, each.end)] for graph in graphs], np.int16),
        targets=_flat(said, np.int16),
        legal=np.concatenate([legal(each, graph.sizes) for each, graph in zip(said, graphs, strict=True)]),
    )


def legal(targets: Sequence[int], sizes: tuple[int, int, int, int]) -> Array:
    """(targets, G + 3): what the grammar lets stand at each place, given the targets before it."""
    columns, tables = sizes[1:3]
    mask = np.zeros((len(targets), G + len(KINDS)), bool)
    state = START
    for place, target in enumerate(targets):
        words = allowed(state)
        mask[place] = [each in words for each in (*WORDS, *KINDS)]
        kind = KINDS[(target >= G + columns) + (target >= G + columns + tables)]
        state = step(state, WORDS[target] if target < G else kind)
    return mask


def is_legal(targets: Sequence[int], sizes: tuple[int, int, int, int]) -> bool:
    """Whether the grammar allows each of the targets, and the graph has its node."""
    columns, tables = sizes[1:3]
    places = [each if each < G else G + (each >= G + columns) + (each >= G + columns + tables) for each in targets]
    return max(targets) < G + sum(sizes[1:]) and bool(legal(targets, sizes)[range(len(targets)), places].all())


def _names(graph: Graph) -> list[tuple[str, str]]:
    columns = [(column.name, column.comment) for _, column in graph.columns]
    return columns + [(table.name, table.comment) for table in graph.tables]


def _flat(parts: Sequence[Any], kind: Any) -> Array:
    return np.concatenate([np.asarray(each, kind) for each in parts])
