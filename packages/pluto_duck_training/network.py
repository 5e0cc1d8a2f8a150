"""The network in torch, for training; `parts.py` writes the same as ONNX.

words ─▶ pretrained layers (MiniLM, Wang et al. 2020) ─┐
names, values ─▶ the lower of them, averaged ──────────┴▶ relation-aware layers (RAT-SQL) ─▶ decoder that points
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as f

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.graph import FEATURES, RELATIONS
from pluto_duck_text2sql.learned.pieces import MOST_PLACES

PRETRAINED_WIDTH = 384
PRETRAINED_HEADS = 12
LOWER, UPPER = 3, 2
WIDTH, HEADS, READERS, WRITERS, LONGEST = 224, 7, 3, 2, 40


def gelu(x: Tensor) -> Tensor:
    return f.gelu(x, approximate="tanh")


class PretrainedLayer(nn.Module):
    """A layer of BERT: attention, then two linear maps, each followed by a norm."""

    def __init__(self) -> None:
        super().__init__()
        d = PRETRAINED_WIDTH
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.norm1, self.norm2 = nn.LayerNorm(d, 1e-12), nn.LayerNorm(d, 1e-12)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x: Tensor, mask: Tensor, dropout: float = 0.0) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, PRETRAINED_HEADS, -1).permute(2, 0, 3, 1, 4)
        y = f.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        y = self.out(y.transpose(1, 2).reshape(b, n, d))
        x = self.norm1(x + y)
        return self.norm2(x + f.dropout(self.down(gelu(self.up(x))), dropout, self.training))


class Pretrained(nn.Module):
    """The embeddings and first layers of MiniLM."""

    def __init__(self, words: int, layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, PRETRAINED_WIDTH)
        self.places = nn.Embedding(MOST_PLACES, PRETRAINED_WIDTH)
        self.norm = nn.LayerNorm(PRETRAINED_WIDTH, 1e-12)
        self.layers = nn.ModuleList(PretrainedLayer() for _ in range(layers))

    def forward(self, pieces: Tensor, mask: Tensor) -> Tensor:
        x = self.norm(self.words(pieces) + self.places.weight[: pieces.shape[1]])
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Reader(nn.Module):
    """Attention among all nodes, with a learned bias for each relation, and a feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, bias: Tensor, dropout: float) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = f.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        x = x + self.out(y.transpose(1, 2).reshape(b, n, d))
        return x + f.dropout(self.down(gelu(self.up(self.norm2(x)))), dropout, self.training)


class Writer(nn.Module):
    """Attention to what is written, then to the nodes, and a feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out1 = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.q, self.kv, self.out2 = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, dropout: float) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = f.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out1(y.transpose(1, 2).reshape(b, n, d))
        q = self.q(self.norm2(x)).view(b, n, HEADS, -1).transpose(1, 2)
        k, v = self.kv(memory).view(b, memory.shape[1], 2, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = f.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = x + self.out2(y.transpose(1, 2).reshape(b, n, d))
        return x + f.dropout(self.down(gelu(self.up(self.norm3(x)))), dropout, self.training)


class Network(nn.Module):
    """Writes sketches. `upper` begins with pretrained layers; `lower` is kept apart, frozen, its outputs are inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.upper = nn.ModuleList(PretrainedLayer() for _ in range(UPPER))
        self.words = nn.Linear(PRETRAINED_WIDTH, WIDTH)
        self.names = nn.Linear(PRETRAINED_WIDTH, WIDTH)
        self.features = nn.Linear(FEATURES, WIDTH)
        self.relations = nn.Embedding(RELATIONS, READERS * HEADS)
        self.alike = nn.Parameter(torch.zeros(READERS * HEADS))
        self.readers = nn.ModuleList(Reader() for _ in range(READERS))
        self.read = nn.LayerNorm(WIDTH)
        self.used = nn.Linear(WIDTH, 1)
        self.grammar = nn.Embedding(len(WORDS) + 1, WIDTH)
        self.places = nn.Embedding(LONGEST, WIDTH)
        self.pointed = nn.Linear(WIDTH, WIDTH)
        self.writers = nn.ModuleList(Writer() for _ in range(WRITERS))
        self.written = nn.LayerNorm(WIDTH)
        self.choose = nn.Linear(WIDTH, len(WORDS))
        self.ask, self.answer = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        nn.init.normal_(self.relations.weight, 0, 0.3)
        nn.init.normal_(self.grammar.weight, 0, 0.3)
        nn.init.normal_(self.places.weight, 0, 0.1)

    def encode(self, batch: dict[str, Any], dropout: float) -> Tensor:
        """The nodes after reading: (batch, nodes, WIDTH)."""
        x = batch["pieces"]
        for layer in self.upper:
            x = layer(x, batch["piece_mask"], dropout / 2)
        words = torch.bmm(batch["pool"], x)
        static = batch["static"]
        nodes = self.names(static) + self.features(batch["features"])
        nodes = nodes + self.words(torch.bmm(batch["place"], words) * batch["keep"][:, :, None])
        nodes = f.dropout(nodes, dropout, self.training)
        bias = self.relations(batch["relations"]) + batch["alike"][:, :, :, None] * self.alike
        bias = bias.permute(0, 3, 1, 2).masked_fill(~batch["mask"][:, None, None, :], -1e4)
        for n, reader in enumerate(self.readers):
            nodes = reader(nodes, bias[:, n * HEADS : (n + 1) * HEADS], dropout)
        return self.read(nodes)

    def decode(self, memory: Tensor, batch: dict[str, Any], dropout: float) -> Tensor:
        """Scores of the next word at each place: (batch, places, words of the grammar + nodes)."""
        before = batch["before"]
        grammar = before.clamp(max=len(WORDS))
        is_node = before > len(WORDS)
        node = (before - len(WORDS) - 1).clamp(min=0)
        pointed = torch.gather(self.pointed(memory), 1, node[:, :, None].expand(-1, -1, WIDTH))
        x = torch.where(is_node[:, :, None], pointed, self.grammar(grammar))
        x = f.dropout(x + self.places.weight[: x.shape[1]], dropout, self.training)
        for writer in self.writers:
            x = writer(x, memory, batch["mask"], dropout)
        x = self.written(x)
        points = torch.bmm(self.ask(x), self.answer(memory).transpose(1, 2)) / math.sqrt(WIDTH)
        return torch.cat([self.choose(x), points], 2).float()

    def forward(self, batch: dict[str, Any], dropout: float = 0.1) -> tuple[Tensor, Tensor]:
        memory = self.encode(batch, dropout)
        scores = self.decode(memory, batch, dropout)
        scores = scores.masked_fill(~batch["allowed"], -1e4)
        return scores, self.used(memory)[:, :, 0].float()
