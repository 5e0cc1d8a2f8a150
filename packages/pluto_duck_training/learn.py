"""Teaches the network to write sketches; one call trains one set of weights."""

from __future__ import annotations

import random
import time
import timeit
from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as f

from pluto_duck_training.batches import Example, batches, collate
from pluto_duck_training.network import LONGEST, WIDTH, Network
from pluto_duck_training.pretrained import upper

BATCH, WARM, DECAY = 24, 0.08, 0.997
RATES = ((7e-4, 6e-5), (3e-4, 2.5e-5))
"""Of the new and the pretrained layers, while a share of the invented questions is seen, and while all are."""
USED_WEIGHT, DROPOUT = 0.4, 0.2
SHARE, WHOLE = 3, 2
"""One invented question in SHARE is seen in each pass, but all of them in WHOLE more passes at the end."""

Passes = Sequence[Sequence[Example]]
Weights = dict[str, torch.Tensor]


def learn(
    examples: Sequence[Example], tensors: dict[str, Any], epochs: int, seed: int, test: Sequence[Example] = ()
) -> Network:
    """The network after `epochs` passes over a share of the examples and WHOLE over all of them."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Network()
    upper(model.upper, tensors)
    shares = [_pass(examples, epoch) for epoch in range(epochs)]
    for passes, rates in zip((shares, [_sayable(examples)] * WHOLE), RATES, strict=True):
        model = _with(_taught(model, passes, rates, rng))
        if test:
            print("  exact", exact(model, test), flush=True)
    return model


def further(examples: Sequence[Example], weights: Weights, passes: int, seed: int) -> Network:
    """The network of `weights` after `passes` more over all examples, at the lower rates."""
    torch.manual_seed(seed)
    return _with(_taught(_with(weights), [_sayable(examples)] * passes, RATES[1], random.Random(seed)))


def halfway(before: Weights, after: Weights) -> Weights:
    """The weights between, which keep what was known and most of what was learned (WiSE-FT, Wortsman et al. 2022)."""
    return {name: torch.lerp(each, after[name], 0.5) for name, each in before.items()}


def _taught(model: Network, passes: Passes, rates: tuple[float, float], rng: random.Random) -> Weights:
    """The running mean of the weights while the passes are seen, with a rate that rises and falls once."""
    optimiser = _optimiser(model, *rates)
    steps = sum(-(-len(each) // BATCH) for each in passes)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: _rate(n / steps))
    mean = {name: p.detach().clone() for name, p in model.state_dict().items()}
    done, start, is_half = 0, time.time(), is_half_quicker()
    for number, kept in enumerate(passes, 1):
        model.train()
        total = 0.0
        for chunk in batches(kept, BATCH, rng):
            total += _step(model, optimiser, collate(chunk, rng), is_half)
            schedule.step()
            done += 1
            _average(mean, model.state_dict(), min(DECAY, (1 + done) / (10 + done)))
        print(f"pass {number} loss {total * BATCH / len(kept):.3f} {time.time() - start:.0f} s", flush=True)
    return mean


def _optimiser(model: Network, rate: float, pretrained_rate: float) -> torch.optim.Optimizer:
    inherited = [p for name, p in model.named_parameters() if name.startswith("upper.")]
    fresh = [p for name, p in model.named_parameters() if not name.startswith("upper.")]
    groups = [{"params": inherited, "lr": pretrained_rate}, {"params": fresh, "lr": rate}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.02, fused=True)


def is_half_quicker() -> bool:
    """Whether this processor multiplies half floats (bfloat16) quicker than floats: some do so twice as fast, others
    half as fast."""
    spent = {}
    for kind in (torch.float32, torch.bfloat16):
        rows, weights = torch.ones(1000, WIDTH, dtype=kind), torch.ones(4 * WIDTH, WIDTH, dtype=kind)
        spent[kind] = min(timeit.repeat(lambda: f.linear(rows, weights), number=5, repeat=5))  # noqa: B023
    return spent[torch.bfloat16] < spent[torch.float32]


def _step(model: Network, optimiser: torch.optim.Optimizer, batch: dict[str, Any], is_half: bool) -> float:
    """One step down; gives the loss."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_half):
        scores, used = model(batch, DROPOUT)
    loss = _loss(scores, used, batch)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return float(loss.detach())


def _pass(examples: Sequence[Example], epoch: int) -> list[Example]:
    """What one pass sees: every question that was asked, and one in SHARE of those invented, others each time."""
    kept = _sayable(examples)
    invented = [each for each in kept if each.invented]
    return [each for each in kept if not each.invented] + invented[epoch % SHARE :: SHARE]


def _sayable(examples: Sequence[Example]) -> list[Example]:
    """Those whose sketch the network has places for."""
    return [each for each in examples if each.targets and len(each.targets) <= LONGEST]


def _rate(part: float) -> float:
    return part / WARM if part < WARM else max(0.02, (1 - part) / (1 - WARM))


def _loss(scores: torch.Tensor, used: torch.Tensor, batch: dict[str, Any]) -> torch.Tensor:
    loss = f.cross_entropy(scores.flatten(0, 1), batch["targets"].flatten(), ignore_index=-100, reduction="sum")
    loss = loss / scores.shape[0]
    items = batch["is_item"]
    return loss + USED_WEIGHT * f.binary_cross_entropy_with_logits(used[items], batch["used"][items]) * 10


def _average(mean: dict[str, torch.Tensor], now: dict[str, torch.Tensor], decay: float) -> None:
    for name, value in now.items():
        mean[name].lerp_(value, 1 - decay)


def _with(weights: dict[str, torch.Tensor]) -> Network:
    model = Network()
    model.load_state_dict(weights)
    return model.eval()


def exact(model: Network, examples: Sequence[Example]) -> float:
    """The share of questions whose whole sketch the network would choose word by word, given the words before."""
    right, kept = 0, _sayable(examples)
    for start in range(0, len(kept), 64):
        batch = collate(kept[start : start + 64], None)
        with torch.no_grad():
            scores, _ = model(batch, 0.0)
        same = (scores.argmax(2) == batch["targets"]) | (batch["targets"] == -100)
        right += int(same.all(1).sum())
    return right / max(len(kept), 1)
