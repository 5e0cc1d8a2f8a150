"""Makes examples: each question's graph, the sketch of its SQL as nodes, the frozen layers' output for its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Graph, Grapher
from pluto_duck_text2sql.learned.pieces import Pieces
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_training import negatives
from pluto_duck_training.batches import Example, G, allowed_mask, encode_pieces, pool_matrix
from pluto_duck_training.gold import Beyond, to_sketch
from pluto_duck_training.network import PRETRAINED_WIDTH, Pretrained
from pluto_duck_training.targets import Missed, to_targets

Drawn = tuple[str, str, Graph, list[int] | None, bool]
"""Id, database or group, graph, targets, whether the question was invented."""


def drawn(name: str, catalog: Catalog, questions: Sequence[dict[str, Any]]) -> list[Drawn]:
    """Graph and targets of each question about one database; targets are None where no sketch says its SQL.

    A question goes with its database into a fold, or with its `group` where it has one.
    """
    joins = JoinGraph(catalog)
    grapher = Grapher(catalog, joins)
    found = []
    for question in questions:
        graph = grapher.graph(question["question"])
        try:
            line: list[Word] = question.get("line") or to_sketch(question["sql"], catalog, joins)
            targets: list[int] | None = checked(graph, to_targets(line, graph))
        except (Beyond, Missed):
            targets = None
        group = question.get("group", name)
        found.append((question["id"], group, _light(graph), targets, question.get("invented", False)))
        if targets and negatives.is_chosen(question["id"]):
            found += _unanswerable(question, group, line, catalog)
    return found


def _unanswerable(question: dict[str, Any], group: str, line: list[Word], catalog: Catalog) -> list[Drawn]:
    """The question where something that it needs is not there."""
    less = negatives.lesser(question["id"], line, catalog)
    if less is None:
        return []
    graph = Grapher(less.catalog, JoinGraph(less.catalog)).graph(question["question"])
    try:
        targets = checked(graph, to_targets(less.line, graph))
    except Missed:
        return []
    return [(f"{question['id']}-lacking", group, _light(graph), targets, question.get("invented", False))]


def _light(graph: Graph) -> Graph:
    """The graph with its values' places alone, which is all that training needs of them once targets are known."""
    return replace(graph, values=[replace(each, value="", stored={}) for each in graph.values])


def checked(graph: Graph, targets: list[int]) -> list[int] | None:
    """The targets, where the grammar allows each of them."""
    words = graph.sizes[0]
    try:
        mask = allowed_mask(graph, targets)
    except IndexError:
        return None
    fits = all(mask[n, each if each < G else each + words] for n, each in enumerate(targets))
    return targets if fits else None


def examples(every: Sequence[Drawn], model: Pretrained, pieces: Pieces) -> tuple[list[Example], np.ndarray]:
    """Examples, and the mean of all names' vectors, which is taken from each."""
    names = sorted({name for _, _, graph, _, _ in every for name in _names(graph)})
    states = encode_pieces(model, [pieces.of_name(*each) for each in names])
    vectors = {name: _averaged(state) for name, state in zip(names, states, strict=True)}
    mean = np.mean(list(vectors.values()), 0)
    split = [pieces.of_words([token.text for token in graph.tokens]) for _, _, graph, _, _ in every]
    read = encode_pieces(model, [each for each, _ in split])
    made = [
        Example(id_, name, graph, targets, state, places, _static(graph, state, places, vectors, mean), invented)
        for (id_, name, graph, targets, invented), (_, places), state in zip(every, split, read, strict=True)
    ]
    return made, mean


def _names(graph: Graph) -> list[tuple[str, str]]:
    columns = [(column.name, column.comment) for _, column in graph.columns]
    return columns + [(table.name, table.comment) for table in graph.tables]


def _averaged(state: np.ndarray) -> np.ndarray:
    inner = state[1:-1] if len(state) > 2 else state
    return inner.astype(np.float32).mean(0)


def _static(
    graph: Graph, state: np.ndarray, places: list[int], vectors: dict[tuple[str, str], np.ndarray], mean: np.ndarray
) -> np.ndarray:
    """(nodes, 384): words and names by the frozen layers alone, without the mean; zero for values."""
    static = np.zeros((sum(graph.sizes), PRETRAINED_WIDTH), np.float32)
    words = graph.sizes[0]
    static[:words] = pool_matrix(places, words) @ state.astype(np.float32) - mean
    for n, name in enumerate(_names(graph)):
        static[words + n] = vectors[name] - mean
    return static.astype(np.float16)


def limit_threads(count: int) -> None:
    """One process trains one fold: as many threads as it is given."""
    torch.set_num_threads(count)
