"""One cheap call to a model: is it there, does it take the key, has it the model. `pluto-duck doctor` asks here."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.messages import HumanMessage

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.models.abilities import AbilityStore
from pluto_duck_backend.agent.models.endpoints import Endpoint
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.models.model import Call, Model
from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.models.reply import Reply

_QUESTION = "Reply with the word ready."
_MOST_S = 20.0


@dataclass(frozen=True)
class Tried:
    """A call that came back."""

    endpoint: Endpoint
    elapsed_s: float
    tokens: int
    is_priced: bool
    #   whether anybody says what it costs


def try_out(endpoint: Endpoint, prices: Path | None = None) -> Tried:
    """Call the model once; `prices` is the user's own file of them. Raises ModelFault saying what is wrong."""
    meter, began = Meter(), time.perf_counter()
    limits = endpoint.limits.model_copy(update={"retries": 0, "stall_s": _MOST_S, "timeout_s": _MOST_S})
    with TemporaryDirectory() as folder:
        model = Model(
            replace(endpoint, limits=limits),
            AbilityStore(Path(folder) / "abilities.json"),
            Prices(prices or Path(folder) / "none"),
        )
        model.ask(Call([HumanMessage(_QUESTION)], CancelToken(), meter), lambda reply: _heard(reply, endpoint.name))
    used = meter.used
    return Tried(model.endpoint, time.perf_counter() - began, used.tokens, model.cost(1, 1) is not None)


def _heard(reply: Reply, name: str) -> Reply:
    if not (reply.text or reply.thought or reply.calls):
        raise ModelFault("nonsense", name, "an empty reply")
    return reply
