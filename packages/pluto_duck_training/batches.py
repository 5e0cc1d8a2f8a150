"""Graphs and targets as padded tensors."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from pluto_duck_text2sql.learned.grammar import START, WORDS, allowed, step
from pluto_duck_text2sql.learned.graph import FEATURES, Graph
from pluto_duck_training.network import PRETRAINED_WIDTH, Pretrained

G = len(WORDS)
BEGIN = G
_BLOCK = 12
"""So many batches' graphs are as large as each other before questions are put together by their length."""
_LEXICAL = {*range(9, 14), *range(15, 20), *range(22, 27), *range(28, 33)}


@dataclass
class Example:
    """A question ready for batches; `targets` is None where its SQL cannot be written as a sketch."""

    id: str
    database: str
    graph: Graph
    targets: list[int] | None
    pieces: np.ndarray
    piece_words: list[int]
    static: np.ndarray
    invented: bool = False


def node_kind(graph: Graph, node: int) -> str:
    words, columns, tables, _ = graph.sizes
    del words
    return "<column>" if node < columns else "<table>" if node < columns + tables else "<value>"


def allowed_mask(graph: Graph, targets: Sequence[int]) -> np.ndarray:
    """(places, words of the grammar + nodes): what the grammar lets follow at each place."""
    words, columns, tables, _ = graph.sizes
    mask = np.zeros((len(targets), G + sum(graph.sizes)), bool)
    state = START
    for place, target in enumerate(targets):
        for word in allowed(state):
            first = G + words
            if word == "<column>":
                mask[place, first : first + columns] = True
            elif word == "<table>":
                mask[place, first + columns : first + columns + tables] = True
            elif word == "<value>":
                mask[place, first + columns + tables :] = True
            else:
                mask[place, WORDS.index(word)] = True
        state = step(state, WORDS[target] if target < G else node_kind(graph, target - G))
    return mask


def place_matrix(graph: Graph) -> np.ndarray:
    """(nodes, words): a word is itself, a value the average of its words."""
    words = graph.sizes[0]
    matrix = np.zeros((sum(graph.sizes), words), np.float32)
    matrix[np.arange(words), np.arange(words)] = 1
    first = sum(graph.sizes[:3])
    for n, value in enumerate(graph.values):
        if value.end > value.start:
            matrix[first + n, value.start : value.end] = 1 / (value.end - value.start)
    return matrix


def alike_matrix(static: np.ndarray, sizes: tuple[int, int, int, int]) -> np.ndarray:
    """Cosines between the words' and the names' static vectors, zero elsewhere."""
    words, columns, tables, _ = sizes
    names = words + columns + tables
    unit = static / (np.linalg.norm(static, axis=1, keepdims=True) + 1e-6)
    matrix = np.zeros((len(static), len(static)), np.float32)
    matrix[:words, words:names] = unit[:words] @ unit[words:names].T
    matrix[words:names, :words] = matrix[:words, words:names].T
    return matrix


def encode_pieces(model: Pretrained, lists: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """The lower layers' output for each list of pieces."""
    found: list[Any] = [None] * len(lists)
    order = sorted(range(len(lists)), key=lambda n: len(lists[n]))
    for start in range(0, len(order), 64):
        chosen = order[start : start + 64]
        most = max(len(lists[n]) for n in chosen)
        ids = torch.zeros(len(chosen), most, dtype=torch.long)
        mask = torch.zeros(len(chosen), most, dtype=torch.bool)
        for row, n in enumerate(chosen):
            ids[row, : len(lists[n])] = torch.tensor(lists[n])
            mask[row, : len(lists[n])] = True
        with torch.no_grad():
            out = model(ids, mask).numpy()
        for row, n in enumerate(chosen):
            found[n] = out[row, : len(lists[n])].astype(np.float16)
    return found


def collate(
    examples: Sequence[Example], rng: random.Random | None, mask_p: float = 0.15, cut_p: float = 0.1
) -> dict[str, Any]:
    """A batch. With `rng`, for training: words that name something lose their own vector now and then, and names
    lose their lexical links, so that the network learns both ways of finding out what is meant."""
    b = len(examples)
    sizes = [sum(each.graph.sizes) for each in examples]
    n, w = max(sizes), max(each.graph.sizes[0] for each in examples)
    p = max(len(each.pieces) for each in examples)
    t = max((len(each.targets) for each in examples if each.targets), default=1)
    batch: dict[str, Any] = {
        "pieces": torch.zeros(b, p, PRETRAINED_WIDTH),
        "piece_mask": torch.zeros(b, p, dtype=torch.bool),
        "pool": torch.zeros(b, w, p),
        "place": torch.zeros(b, n, w),
        "static": torch.zeros(b, n, PRETRAINED_WIDTH),
        "features": torch.zeros(b, n, FEATURES),
        "relations": torch.zeros(b, n, n, dtype=torch.long),
        "alike": torch.zeros(b, n, n),
        "mask": torch.zeros(b, n, dtype=torch.bool),
        "keep": torch.ones(b, n),
        "before": torch.full((b, t), BEGIN, dtype=torch.long),
        "targets": torch.full((b, t), -100, dtype=torch.long),
        "allowed": torch.zeros(b, t, G + n, dtype=torch.bool),
        "used": torch.zeros(b, n),
        "is_item": torch.zeros(b, n, dtype=torch.bool),
    }
    batch["allowed"][:, :, 0] = True
    for row, each in enumerate(examples):
        _fill(batch, row, each, rng, mask_p, cut_p)
    return batch


def _fill(
    batch: dict[str, Any], row: int, each: Example, rng: random.Random | None, mask_p: float, cut_p: float
) -> None:
    graph = each.graph
    size, words = sum(graph.sizes), graph.sizes[0]
    batch["pieces"][row, : len(each.pieces)] = torch.from_numpy(each.pieces.astype(np.float32))
    batch["piece_mask"][row, : len(each.pieces)] = True
    batch["pool"][row, :words, : len(each.pieces)] = torch.from_numpy(pool_matrix(each.piece_words, words))
    batch["place"][row, :size, :words] = torch.from_numpy(place_matrix(graph))
    static = each.static.astype(np.float32)
    batch["static"][row, :size] = torch.from_numpy(static)
    features, relations, keep = graph.features, graph.relations, np.ones(size, np.float32)
    if rng is not None:
        features, relations, keep = _disturbed(graph, rng, mask_p, cut_p)
    batch["features"][row, :size] = torch.from_numpy(features)
    batch["relations"][row, :size, :size] = torch.from_numpy(relations.astype(np.int64))
    batch["alike"][row, :size, :size] = torch.from_numpy(alike_matrix(static, graph.sizes))
    batch["mask"][row, :size] = True
    batch["keep"][row, :size] = torch.from_numpy(keep)
    batch["is_item"][row, words:size] = True
    if each.targets:
        targets = [x if x < G else x + words for x in each.targets]
        batch["targets"][row, : len(targets)] = torch.tensor(targets)
        batch["before"][row, 1 : len(targets)] = torch.tensor([x if x < G else x + 1 for x in targets[:-1]])
        batch["allowed"][row, : len(targets), : G + size] = torch.from_numpy(allowed_mask(graph, each.targets))
        for x in targets:
            if x >= G:
                batch["used"][row, x - G] = 1


def pool_matrix(piece_words: Sequence[int], words: int) -> np.ndarray:
    """(words, pieces): each word is the average of its pieces."""
    matrix = np.zeros((words, len(piece_words)), np.float32)
    for piece, word in enumerate(piece_words):
        if word >= 0:
            matrix[word, piece] = 1
    return matrix / np.maximum(matrix.sum(1, keepdims=True), 1)


def _disturbed(
    graph: Graph, rng: random.Random, mask_p: float, cut_p: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    features, relations = graph.features.copy(), graph.relations.copy()
    words, columns, tables, _ = graph.sizes
    keep = np.ones(len(features), np.float32)
    for word in range(words):
        if features[word, 4:14].any() and rng.random() < mask_p:
            keep[word] = 0
    for name in range(words, words + columns + tables):
        if rng.random() < cut_p:
            for side in (relations[name], relations[:, name]):
                side[np.isin(side, list(_LEXICAL))] = 0
            features[name, 4:11] = 0
            features[name, 10] = -1
    return features, relations, keep


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Batches of examples of like size, in random order: graphs as large as each other, of them questions as long."""
    order = sorted(examples, key=lambda each: sum(each.graph.sizes) + rng.uniform(0, 12))
    blocks = _chunks(order, size * _BLOCK)
    alike = [sorted(each, key=lambda one: len(one.pieces) + rng.uniform(0, 3)) for each in blocks]
    chunks = [chunk for block in alike for chunk in _chunks(block, size)]
    rng.shuffle(chunks)
    yield from chunks


def _chunks(some: Sequence[Example], size: int) -> list[list[Example]]:
    return [list(some[start : start + size]) for start in range(0, len(some), size)]
