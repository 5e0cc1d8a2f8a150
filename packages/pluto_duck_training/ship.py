"""Trained weights as the package reads them: matrices as bytes with a scale for each row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.literals import KINDS
from pluto_duck_training import parts
from pluto_duck_training.network import HEADS, LOWER, PRETRAINED_HEADS, READERS, UPPER, WRITERS

_PLAIN_BELOW = 2_000


def ship(weights: dict[str, Any], lower: dict[str, Any], mean: np.ndarray, vocabulary: list[str], folder: Path) -> int:
    """Writes the network's parts into `folder`; returns their size in bytes."""
    return parts.write(arrays_of(weights, lower, mean), settings_of(vocabulary), folder)


def shipped(folder: Path) -> dict[str, Any]:
    """The network's weights of a folder that `ship` wrote, as torch has them; not those that stay frozen."""
    found = parts.arrays(folder)
    names = [name for name in found if not name.startswith("lower.") and not name.endswith(parts.SCALE)]
    return {name: _opened(found, name) for name in names if name != "mean"}


def _opened(found: parts.Arrays, name: str) -> Any:
    import torch

    scale = found[name + parts.SCALE][:, None] if name + parts.SCALE in found else np.float32(1)
    return torch.from_numpy(found[name].astype(np.float32) * scale)


def settings_of(vocabulary: list[str]) -> dict[str, Any]:
    return {
        "vocabulary": vocabulary,
        "words": list(WORDS),
        "kinds": list(KINDS),
        "lower": LOWER,
        "upper": UPPER,
        "readers": READERS,
        "writers": WRITERS,
        "heads": HEADS,
        "pretrained_heads": PRETRAINED_HEADS,
    }


def arrays_of(weights: dict[str, Any], lower: dict[str, Any], mean: np.ndarray) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {"mean": mean.astype(np.float16)}
    every = {**weights, **{f"lower.{name}": each for name, each in lower.items()}}
    for name, each in every.items():
        array = each.detach().cpu().float().numpy()
        if array.ndim == 2 and array.size > _PLAIN_BELOW:
            scale = np.abs(array).max(1) / 127 + 1e-12
            found[name] = np.round(array / scale[:, None]).astype(np.int8)
            found[name + parts.SCALE] = scale.astype(np.float32)
        else:
            found[name] = array.astype(np.float32)
    return found
