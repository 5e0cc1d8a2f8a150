"""What networks together make of every question: from it the network that ships learns too (Hinton et al. 2015).

Several networks' mean is surer than each of them, and those of the folds are there already: of every question one has
not seen it, and four have.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from pluto_duck_training.batches import Questions
from pluto_duck_training.network import LONGEST, Network
from pluto_duck_training.packed import MOST, G, Told
from pluto_duck_training.ship import shipped

_AT_ONCE = 64


def opened_network(folder: Path, device: str) -> Network:
    """The network that a folder of shipped parts holds."""
    network = Network()
    network.load_state_dict(shipped(folder))
    return network.eval().to(device)


def told(questions: Questions, networks: Sequence[Network], of: Sequence[int] | None = None) -> Told:
    """What the mean of the networks holds likely at each place, given the words before it; of questions that are not
    among those given, what is right."""
    counts = questions.packed.counts[:, 1]
    first = np.cumsum(counts) - counts
    words = np.zeros((int(counts.sum()), MOST), np.int16)
    chances = np.zeros(words.shape, np.float16)
    words[:, 0], chances[:, 0] = questions.packed.targets, 1
    wanted = np.arange(len(counts)) if of is None else np.asarray(of, int)
    sayable = wanted[(counts[wanted] > 0) & (counts[wanted] <= LONGEST)]
    rows = sorted(sayable, key=lambda row: questions.packed.sizes[row].sum())
    for start in range(0, len(rows), _AT_ONCE):
        some = [int(row) for row in rows[start : start + _AT_ONCE]]
        said, likely = _likeliest(questions, some, networks)
        for n, row in enumerate(some):
            to = slice(first[row], first[row] + counts[row])
            own = said[n, : counts[row]]
            words[to] = np.where(own < G, own, own - questions.packed.sizes[row, 0])
            chances[to] = likely[n, : counts[row]]
    return Told(words, chances)


def _likeliest(
    questions: Questions, rows: Sequence[int], networks: Sequence[Network]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """(b, t, MOST) the likeliest words of a batch, and how likely each is."""
    batch = questions.batch(rows)
    with torch.no_grad():
        mean = torch.stack([torch.softmax(each(batch, 0.0)[0], 2) for each in networks]).mean(0)
    best = mean.topk(MOST, 2)
    return best.indices.cpu().numpy(), best.values.cpu().numpy()
