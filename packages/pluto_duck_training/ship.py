"""Writes trained weights as the package reads them: matrices as bytes with a scale for each row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.literals import KINDS
from pluto_duck_training.network import HEADS, LOWER, PRETRAINED_HEADS, READERS, UPPER, WRITERS

_PLAIN_BELOW = 2_000


def ship(weights: dict[str, Any], lower: dict[str, Any], mean: np.ndarray, vocabulary: list[str], path: Path) -> int:
    """Writes `path`, an .npz; returns its size in bytes."""
    arrays = arrays_of(weights, lower, mean)
    settings = settings_of(vocabulary)
    arrays["settings"] = np.frombuffer(json.dumps(settings).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return path.stat().st_size


def shipped(path: Path) -> dict[str, Any]:
    """The network's weights of a file that `ship` wrote, as torch has them; not those that stay frozen."""
    with np.load(path) as file:
        names = [name for name in file.files if not name.startswith("lower.") and not name.endswith("#scale")]
        return {name: _opened(file, name) for name in names if name not in ("mean", "settings")}


def _opened(file: Any, name: str) -> Any:
    import torch

    scale = file[f"{name}#scale"][:, None] if f"{name}#scale" in file.files else np.float32(1)
    return torch.from_numpy(file[name].astype(np.float32) * scale)


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
            found[name + "#scale"] = scale.astype(np.float32)
        else:
            found[name] = array.astype(np.float32)
    return found
