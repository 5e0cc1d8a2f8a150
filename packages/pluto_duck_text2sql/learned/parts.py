"""The network's parts, each one ONNX file, as ONNX Runtime runs them; `pluto_duck_training/parts.py` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Shape = list[Any]
"""Lengths; one that changes from call to call has a name."""
_ONLY_ERRORS = 3


class Part:
    """One file, opened. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._session = _session(path)
        self._names = [each.name for each in self._session.get_outputs()]
        self.inputs: dict[str, Shape] = {each.name: each.shape for each in self._session.get_inputs()}
        self.pasts = {name: shape for name, shape in self.inputs.items() if f"{name}.next" in self._names}
        """What a call is given of the one before it."""

    def __call__(self, inputs: dict[str, NDArray[Any]]) -> dict[str, Floats]:
        """Every output by its name."""
        return dict(zip(self._names, self._session.run(self._names, inputs), strict=True))


def settings(folder: Path) -> dict[str, Any]:
    """What the files beside it were made with: vocabulary, words, counts of layers and heads."""
    read: dict[str, Any] = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    return read


def _session(path: Path) -> Any:
    """On one thread: matrices of this size are multiplied sooner so than by several that wait for each other.

    Without an arena, which would keep the memory that the longest question took.
    """
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # On Windows it tells the system's trace what it runs.
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = _ONLY_ERRORS
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
