"""How a model is asked once more after a fault that lies in how it was asked; pure.

Servers differ in what they take beyond the plain protocol, models in how many tokens they think and write: what fits is
found by asking, and what a reply has then shown is remembered (abilities.py).
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_backend.agent.models.abilities import Abilities
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.presets import Family

_ASKED_OF: dict[Family, tuple[str, ...]] = {"openai": ("stream_options",), "ollama": ("thinking",)}
#   what is asked beyond the plain protocol, which not every server and model takes
_ROOM = ("brief", "roomy")
_TIMES = 4


def otherwise(can: Abilities, family: Family, fault: ModelFault) -> Abilities | None:
    """What is believed of the model for the next try; None where asking otherwise would not help."""
    if fault.kind == "rejected":
        return _less(can, family, fault)
    if fault.kind == "cut_short" and can.brief:
        return replace(can, brief=False)
    if fault.kind == "too_large" and can.roomy:
        return replace(can, roomy=False)
    return None


def _less(can: Abilities, family: Family, fault: ModelFault) -> Abilities | None:
    """Without one thing that the server may have rejected the request for."""
    left = [name for name in _ASKED_OF.get(family, ()) if getattr(can, name)]
    named = [name for name in left if name.partition("_")[0][:5] in fault.message.casefold()]
    if not left or (not named and "tool" in fault.message.casefold()):
        return None
    return replace(can, **{(named or left)[0]: False})


def shown(can: Abilities, family: Family) -> dict[str, bool]:
    """What a reply has shown the model not to do: what was left out of the call.

    A call that is rejected whatever is left out shows nothing; its fault is another one.
    """
    return {name: False for name in (*_ASKED_OF.get(family, ()), *_ROOM) if not getattr(can, name)}


def tokens_for(can: Abilities, usual: int) -> int:
    """How many tokens one reply may have: more than usual for a model that thinks long, fewer where room is scarce."""
    return usual * (1 if can.brief else _TIMES) // (1 if can.roomy else _TIMES)
