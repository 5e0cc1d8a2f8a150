"""Questions on the device that learns, put together into padded batches there.

Of a batch b is the number of questions, n of nodes, w of words, p of pieces, t of targets: the most that one has.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pluto_duck_text2sql.learned.graph import LINKED
from pluto_duck_training.network import Pretrained
from pluto_duck_training.packed import G, Packed, Told

BEGIN = G
HIDDEN, CUT = 0.15, 0.1
"""How often a word that names something loses its own vector, and a name its links, while the network learns."""
_BLOCK = 12
"""So many batches' graphs are as large as each other before questions are put together by their length."""
_LEXICAL = (*range(9, 14), *range(15, 20), *range(22, 27), *range(28, 33))
_LINKS, _DISTANCE = slice(4, 11), 10
"""Features of names: what links them to words; how far the nearest is."""
Batch = dict[str, Tensor]


class Questions:
    """All questions of `packed` on `device`; `lower` are the frozen layers, which read every word once, here. With
    `told`, batches also hold what teachers would write."""

    def __init__(self, packed: Packed, lower: Pretrained, device: str, told: Told | None = None) -> None:
        self.packed, self.device = packed, device
        sizes = packed.sizes.astype(np.int64)
        nodes, named = sizes.sum(1), sizes[:, 1] + sizes[:, 2]
        self._sizes, self._counts = self._kept(sizes), self._kept(packed.counts.astype(np.int64))
        self._at = {
            name: self._kept(np.cumsum(each) - each)
            for name, each in {
                "nodes": nodes,
                "pairs": nodes**2,
                "named": named,
                "values": sizes[:, 3],
                "pieces": packed.counts[:, 0].astype(np.int64),
                "targets": packed.counts[:, 1].astype(np.int64),
            }.items()
        }
        self._features, self._relations = self._kept(packed.features), self._kept(packed.relations)
        self._named, self._spans = self._kept(packed.named), self._kept(packed.spans.reshape(-1, 2))
        self._words, self._targets = self._kept(packed.words), self._kept(packed.targets)
        self._legal = self._kept(packed.legal)
        self._told: tuple[Tensor, Tensor] | None = None
        if told:
            self.learn_from(told)
        lower = lower.to(device)
        self._states = torch.cat(read(lower, _split(packed.pieces, packed.counts[:, 0]), device))
        vectors = torch.stack([_averaged(each) for each in read(lower, packed.names, device)])
        self.mean = vectors.mean(0)
        """(PRETRAINED_WIDTH,): of all names' vectors; taken from each."""
        self._vectors = vectors - self.mean
        self._lexical = torch.zeros(256, dtype=torch.bool, device=device)
        self._lexical[list(_LEXICAL)] = True

    def learn_from(self, told: Told) -> None:
        """Batches also hold what teachers would write from now on."""
        self._told = self._kept(told.words), self._kept(told.chances)

    def batch(self, rows: Sequence[int], dice: torch.Generator | None = None) -> Batch:
        """The questions of these numbers. With `dice`, for training: words that name something lose their own vector
        now and then, and names lose their links, so that the network learns both ways of finding out what is meant."""
        at = torch.tensor(rows, device=self.device)
        sizes = self._sizes[at]
        words, nodes = sizes[:, 0, None], sizes.sum(1, keepdim=True)
        own, counts = self.packed.sizes[rows], self.packed.counts[rows]
        w, most_pieces, most_targets = int(own[:, 0].max()), int(counts[:, 0].max()), int(counts[:, 1].max())
        node = torch.arange(int(own.sum(1).max()), device=self.device)[None]
        is_node, is_word = node < nodes, node < words
        is_name = ~is_word & (node < nodes - sizes[:, 3, None])
        read = self._read(at, w, most_pieces)
        static = self._static(at, read, is_word, is_name, node - words)
        batch = {
            **read,
            "static": static,
            "place": self._places(at, sizes, node, is_word, is_node & ~is_word & ~is_name, w),
            "features": self._features[self._within("nodes", at, node, is_node)].float() * is_node[:, :, None],
            "relations": self._pairs(at, nodes, node, is_node),
            "alike": _alike(static, is_word, is_name),
            "mask": is_node,
            "keep": torch.ones(is_node.shape, device=self.device),
            "is_item": is_node & ~is_word,
            **self._said(at, sizes, node, is_node, max(most_targets, 1)),
        }
        return self._disturbed(batch, is_word, is_name, dice) if dice else batch

    def _read(self, at: Tensor, w: int, most: int) -> Batch:
        """(b, p, PRETRAINED_WIDTH) pieces as the frozen layers read them; (b, w, p) the pieces that a word averages."""
        count = self._counts[at, 0, None]
        piece = torch.arange(most, device=self.device)[None]
        mask = piece < count
        place = self._within("pieces", at, piece, mask)
        word = self._words[place].masked_fill(~mask, -1)
        pool = (word[:, None] == torch.arange(w, device=self.device)[None, :, None]).float()
        return {
            "pieces": self._states[place].float() * mask[:, :, None],
            "piece_mask": mask,
            "pool": pool / pool.sum(2, keepdim=True).clamp(min=1),
        }

    def _static(self, at: Tensor, read: Batch, is_word: Tensor, is_name: Tensor, name: Tensor) -> Tensor:
        """(b, n, PRETRAINED_WIDTH): words and names by the frozen layers alone; zero for values."""
        static = self._vectors[self._named[self._within("named", at, name, is_name)]] * is_name[:, :, None]
        words = torch.bmm(read["pool"], read["pieces"]) - self.mean
        static[:, : words.shape[1]] += words * is_word[:, : words.shape[1], None]
        return static

    def _places(self, at: Tensor, sizes: Tensor, node: Tensor, is_word: Tensor, is_value: Tensor, w: int) -> Tensor:
        """(b, n, w): a word is itself, a value the average of its words."""
        word = torch.arange(w, device=self.device)[None, None]
        value = node - sizes[:, :3].sum(1, keepdim=True)
        spans = self._spans[self._within("values", at, value, is_value)] * is_value[:, :, None]
        start, end = spans[:, :, :1], spans[:, :, 1:]
        own = (word == node[:, :, None]) & is_word[:, :, None]
        return own + ((word >= start) & (word < end)) / (end - start).clamp(min=1)

    def _pairs(self, at: Tensor, nodes: Tensor, node: Tensor, is_node: Tensor) -> Tensor:
        """(b, n, n): the relation of each node to each other."""
        both = is_node[:, :, None] & is_node[:, None]
        place = self._at["pairs"][at, None, None] + node[:, :, None] * nodes[:, :, None] + node[:, None]
        return self._relations[place.masked_fill(~both, 0)].int() * both

    def _said(self, at: Tensor, sizes: Tensor, node: Tensor, is_node: Tensor, most: int) -> Batch:
        """(b, t): what is to be written, what stands before it, what the grammar allows there; which nodes are used."""
        count = self._counts[at, 1, None]
        target = torch.arange(most, device=self.device)[None]
        mask = target < count
        place = self._within("targets", at, target, mask)
        said = _numbered(self._targets[place], sizes[:, 0, None])
        before = torch.full_like(said, BEGIN)
        before[:, 1:] = (said + (said >= G))[:, :-1].masked_fill(~mask[:, 1:], BEGIN)
        used = torch.zeros(len(at), is_node.shape[1] + 1, device=self.device)
        used.scatter_(1, torch.where(mask & (said >= G), said - G, is_node.shape[1]), 1.0)
        return {
            "targets": said.masked_fill(~mask, -100),
            "before": before,
            "allowed": self._allowed(self._legal[place] & mask[:, :, None], sizes, node, mask),
            "used": used[:, :-1],
            **self._teaching(place, sizes, mask),
        }

    def _teaching(self, place: Tensor, sizes: Tensor, mask: Tensor) -> Batch:
        """(b, t, MOST): what may stand in each place, and how likely each is; nothing without teachers."""
        if self._told is None:
            return {}
        words, chances = (each[place] * mask[:, :, None] for each in self._told)
        return {"told": _numbered(words, sizes[:, 0, None, None]), "chances": chances.float()}

    def _allowed(self, legal: Tensor, sizes: Tensor, node: Tensor, mask: Tensor) -> Tensor:
        """(b, t, G + n); where nothing is to be written the first word is."""
        ends = sizes.cumsum(1)
        kind = (node[:, :, None] >= ends[:, None]).sum(2)  # 0: a word; 1 to 3: column, table, value; 4: none
        legal = torch.cat([legal, torch.zeros_like(legal[:, :, :1])], 2)
        column = torch.where(kind == 0, G + 3, G - 1 + kind)
        nodes = torch.gather(legal, 2, column[:, None].expand(-1, legal.shape[1], -1))
        words = legal[:, :, :G].clone()
        words[:, :, 0] |= ~mask
        return torch.cat([words, nodes], 2)

    def _disturbed(self, batch: Batch, is_word: Tensor, is_name: Tensor, dice: torch.Generator) -> Batch:
        chance = torch.rand(is_word.shape, generator=dice, device=self.device)
        features = batch["features"]
        is_hidden = is_word & (features[:, :, LINKED] != 0).any(2) & (chance < HIDDEN)
        is_cut = is_name & (chance < CUT)
        features[:, :, _LINKS] *= ~is_cut[:, :, None]
        features[:, :, _DISTANCE] -= is_cut.float()
        relations = batch["relations"]
        lost = (is_cut[:, :, None] | is_cut[:, None]) & self._lexical[relations]
        return {**batch, "keep": batch["keep"] * ~is_hidden, "relations": relations * ~lost}

    def _within(self, part: str, at: Tensor, place: Tensor, mask: Tensor) -> Tensor:
        """Where in the flat array of a part each place of these questions is; 0 for those they have not."""
        return (self._at[part][at, None] + place).masked_fill(~mask, 0)

    def _kept(self, array: Any) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)


def _numbered(said: Tensor, words: Tensor) -> Tensor:
    """Targets as numbers among the words of the grammar and all nodes, of which a question's words are the first."""
    return said.long() + (said >= G) * words


def _alike(static: Tensor, is_word: Tensor, is_name: Tensor) -> Tensor:
    """(b, n, n): cosines between words and names, zero elsewhere."""
    unit = static / (static.norm(dim=2, keepdim=True) + 1e-6)
    across = is_word[:, :, None] & is_name[:, None]
    return torch.bmm(unit, unit.transpose(1, 2)) * (across | across.transpose(1, 2))


def read(model: Pretrained, lists: Sequence[Sequence[int]], device: str) -> list[Tensor]:
    """The layers' output for each list of pieces, in half precision."""
    found: list[Any] = [None] * len(lists)
    order = sorted(range(len(lists)), key=lambda n: len(lists[n]))
    for start in range(0, len(order), 256):
        chosen = order[start : start + 256]
        most = len(lists[chosen[-1]])
        ids = torch.tensor([[*lists[n], *[0] * (most - len(lists[n]))] for n in chosen], device=device)
        lengths = torch.tensor([len(lists[n]) for n in chosen], device=device)
        with torch.no_grad():
            out = model(ids, torch.arange(most, device=device)[None] < lengths[:, None]).half()
        for row, n in enumerate(chosen):
            found[n] = out[row, : len(lists[n])].clone()
    return found


def _split(flat: Any, counts: Any) -> list[list[int]]:
    return [each.tolist() for each in np.split(flat, np.cumsum(counts)[:-1])]


def _averaged(state: Tensor) -> Tensor:
    """A name's vector: the mean of its pieces, without the marks at its ends."""
    return (state[1:-1] if len(state) > 2 else state).float().mean(0)


def batches(rows: Sequence[int], packed: Packed, size: int, rng: random.Random) -> Iterator[list[int]]:
    """Numbers of questions of like size, in random order: graphs as large as each other, of them questions as long."""
    nodes, pieces = packed.sizes.sum(1).tolist(), packed.counts[:, 0].tolist()
    order = sorted(rows, key=lambda row: nodes[row] + rng.uniform(0, 12))
    blocks = _chunks(order, size * _BLOCK)
    alike = [sorted(each, key=lambda row: pieces[row] + rng.uniform(0, 3)) for each in blocks]
    chunks = [chunk for block in alike for chunk in _chunks(block, size)]
    rng.shuffle(chunks)
    yield from chunks


def _chunks(some: Sequence[int], size: int) -> list[list[int]]:
    return [list(some[start : start + size]) for start in range(0, len(some), size)]
