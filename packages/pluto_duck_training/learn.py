"""Teaches the network to write sketches; one call trains one set of weights."""

from __future__ import annotations

import random
import time
import timeit
from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as f

from pluto_duck_training.batches import Batch, Questions, batches
from pluto_duck_training.network import LONGEST, WIDTH, Network
from pluto_duck_training.packed import Packed
from pluto_duck_training.pretrained import upper

BATCH, WARM, DECAY = 128, 0.08, 0.99
RATES = ((1.4e-3, 1.3e-4), (6e-4, 6e-5))
"""Of the new and the pretrained layers, while a share of the invented questions is seen, and while all are."""
USED_WEIGHT, DROPOUT = 0.4, 0.2
TAUGHT = 0.6
"""How much what teachers would write counts beside what is right, where there are teachers."""
SHARE, WHOLE = 3, 2
"""One invented question in SHARE is seen in each pass, but all of them in WHOLE more passes at the end."""
FURTHER, FURTHER_RATES = 3, (6e-4, 6e-5)
"""How often new questions are seen when a network learns on, and at which rates."""
ASKED_BESIDE, INVENTED_BESIDE = 0.6, 0.25
"""What share of those that it knows is seen beside them in each pass, others each time, so that it forgets none."""

Rows = Sequence[int]
"""Numbers of questions."""
Weights = dict[str, torch.Tensor]


def learn(
    questions: Questions, rows: Rows, tensors: dict[str, Any], epochs: int, seed: int, test: Rows = ()
) -> Network:
    """The network after `epochs` passes over a share of these questions and WHOLE over all of them."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Network()
    upper(model.upper, tensors)
    shares = [_pass(questions.packed, rows, epoch) for epoch in range(epochs)]
    for passes, rates in zip((shares, [_sayable(questions.packed, rows)] * WHOLE), RATES, strict=True):
        model = _with(_taught(model, questions, passes, rates, rng))
        if test:
            print("  exact", exact(model, questions, test), flush=True)
    return model


def further(questions: Questions, new: Rows, known: Rows, weights: Weights, seed: int) -> Network:
    """The network of these weights after it learned on from `new` questions, with some that it knows beside them."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    new, known = _sayable(questions.packed, new), _sayable(questions.packed, known)
    rng.shuffle(known)
    asked, invented = ([row for row in known if questions.packed.is_invented[row] == kind] for kind in (False, True))
    beside = ((asked, ASKED_BESIDE), (invented, INVENTED_BESIDE))
    passes = [[*new, *(row for some, share in beside for row in _part(some, share, n))] for n in range(FURTHER)]
    return _with(_taught(_with(weights), questions, passes, FURTHER_RATES, rng))


def _part(rows: Rows, share: float, number: int) -> Rows:
    """A share of all of them, another one for each number, from the beginning again where they end."""
    size = int(len(rows) * share)
    start = int(len(rows) * number / FURTHER)
    return [*rows, *rows][start : start + size]


def _taught(
    model: Network, questions: Questions, passes: Sequence[Rows], rates: tuple[float, float], rng: random.Random
) -> Weights:
    """The running mean of the weights while the passes are seen, with a rate that rises and falls once."""
    device = questions.device
    model.to(device).train()
    optimiser = _optimiser(model, *rates)
    dice = torch.Generator(device).manual_seed(rng.randrange(1 << 30))
    steps = sum(-(-len(each) // BATCH) for each in passes)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: _rate(n / steps))
    mean = {name: p.detach().clone() for name, p in model.state_dict().items()}
    done, start, is_half = 0, time.time(), is_half_quicker(device)
    for number, rows in enumerate(passes, 1):
        total = torch.zeros((), device=device)
        for chunk in batches(rows, questions.packed, BATCH, rng):
            total += _step(model, optimiser, questions.batch(chunk, dice), is_half)
            schedule.step()
            done += 1
            _average(mean, model.state_dict(), min(DECAY, (1 + done) / (10 + done)))
        print(f"pass {number} loss {float(total) * BATCH / len(rows):.3f} {time.time() - start:.0f} s", flush=True)
    return {name: each.cpu() for name, each in mean.items()}


def _optimiser(model: Network, rate: float, pretrained_rate: float) -> torch.optim.Optimizer:
    inherited = [p for name, p in model.named_parameters() if name.startswith("upper.")]
    fresh = [p for name, p in model.named_parameters() if not name.startswith("upper.")]
    groups = [{"params": inherited, "lr": pretrained_rate}, {"params": fresh, "lr": rate}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.02, fused=True)


def is_half_quicker(device: str = "cpu") -> bool:
    """Whether the device multiplies half floats (bfloat16) quicker than floats: every GPU does; of processors some do
    so twice as fast, others half as fast."""
    if device != "cpu":
        return True
    spent = {}
    for kind in (torch.float32, torch.bfloat16):
        rows, weights = torch.ones(1000, WIDTH, dtype=kind), torch.ones(4 * WIDTH, WIDTH, dtype=kind)
        spent[kind] = min(timeit.repeat(lambda: f.linear(rows, weights), number=5, repeat=5))  # noqa: B023
    return spent[torch.bfloat16] < spent[torch.float32]


def _step(model: Network, optimiser: torch.optim.Optimizer, batch: Batch, is_half: bool) -> torch.Tensor:
    """One step down; gives the loss."""
    with torch.autocast(batch["mask"].device.type, dtype=torch.bfloat16, enabled=is_half):
        scores, used = model(batch, DROPOUT)
    loss = _loss(scores, used, batch)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return loss.detach()


def _pass(packed: Packed, rows: Rows, epoch: int) -> list[int]:
    """What one pass sees: every question that was asked, and one in SHARE of those invented, others each time."""
    kept = _sayable(packed, rows)
    invented = [row for row in kept if packed.is_invented[row]]
    return [row for row in kept if not packed.is_invented[row]] + invented[epoch % SHARE :: SHARE]


def _sayable(packed: Packed, rows: Rows) -> list[int]:
    """Those whose sketch the network has places for."""
    return [row for row in rows if 0 < packed.counts[row, 1] <= LONGEST]


def _rate(part: float) -> float:
    return part / WARM if part < WARM else max(0.02, (1 - part) / (1 - WARM))


def _loss(scores: torch.Tensor, used: torch.Tensor, batch: Batch) -> torch.Tensor:
    loss = f.cross_entropy(scores.flatten(0, 1), batch["targets"].flatten(), ignore_index=-100, reduction="sum")
    if "told" in batch:
        likely = torch.gather(f.log_softmax(scores, 2), 2, batch["told"])
        loss = torch.lerp(loss, -(likely * batch["chances"]).sum(), TAUGHT)
    loss = loss / scores.shape[0]
    items = batch["is_item"].float()
    found = f.binary_cross_entropy_with_logits(used, batch["used"], reduction="none")
    return loss + USED_WEIGHT * (found * items).sum() / items.sum() * 10


def _average(mean: Weights, now: Weights, decay: float) -> None:
    torch._foreach_lerp_([mean[name] for name in now], list(now.values()), 1 - decay)


def _with(weights: dict[str, torch.Tensor]) -> Network:
    model = Network()
    model.load_state_dict(weights)
    return model.eval()


def exact(model: Network, questions: Questions, rows: Rows) -> float:
    """The share of questions whose whole sketch the network would choose word by word, given the words before."""
    model.to(questions.device)
    right, kept = 0, _sayable(questions.packed, rows)
    for start in range(0, len(kept), 64):
        batch = questions.batch(kept[start : start + 64])
        with torch.no_grad():
            scores, _ = model(batch, 0.0)
        same = (scores.argmax(2) == batch["targets"]) | (batch["targets"] == -100)
        right += int(same.all(1).sum())
    return right / max(len(kept), 1)
