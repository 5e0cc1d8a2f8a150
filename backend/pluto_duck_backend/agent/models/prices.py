"""What a call costs: prices.toml beside this file, and the user's `<root>/configs/prices.toml` over it."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput

_OURS = Path(__file__).with_name("prices.toml")
_MILLION = 1_000_000
_VERSION = re.compile(r"(?:[-@:](?:latest|preview[-\d]*|\d[-\d]*))?")
#   what may follow a name of ours: gpt-5-2025-08-07 costs what gpt-5 does, gpt-5-pro and gpt-5.9 do not
_Table = dict[str, dict[str, dict[str, float]]]


class Prices:
    """Read anew for each workspace. Raises InvalidInput for a user's file that is no table of prices."""

    def __init__(self, own: Path) -> None:
        self._own = _read(own) if own.is_file() else {}
        self._ours = _read(_OURS)

    def cost(self, providers: Sequence[str], model: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars, by the first of these providers that has a price for the model; a model may be called after its
        maker, `openai/gpt-5`. None where nobody says what it costs."""
        maker, _, name = model.rpartition("/")
        named = [(provider, model) for provider in providers] + ([(maker, name)] if maker else [])
        own = (_price_of(self._own, *each) for each in named)
        ours = (_price_of(self._ours, *each, any_end=False) for each in named)
        found = next(filter(None, (*own, *ours)), None)
        return (input_tokens * found["input"] + output_tokens * found["output"]) / _MILLION if found else None


def _price_of(table: _Table, provider: str, model: str, *, any_end: bool = True) -> dict[str, float] | None:
    """That of the longest name the model's begins with; without `any_end` no more than a version may follow it."""
    prices = table.get(provider, {})
    begun = [name for name in prices if model.startswith(name)]
    fits = [name for name in begun if any_end or _VERSION.fullmatch(model, len(name))]
    return prices[max(fits, key=len)] if fits else None


def _read(path: Path) -> _Table:
    try:
        return {provider: _of(provider, models) for provider, models in tomllib.loads(path.read_text("utf-8")).items()}
    except ValueError as error:
        raise InvalidInput(
            f"{path} is no table of prices: {error}",
            code="bad_prices",
            hint='Write them as in docs/models.md: "MODEL" = { input = 1.0, output = 2.0 } below [PROVIDER].',
        ) from error


def _of(provider: str, models: Any) -> dict[str, dict[str, float]]:
    """A provider's prices. Raises ValueError."""
    if not isinstance(models, dict):
        raise ValueError(f"{provider} = {models!r} is no provider with its models")
    return {name: _price(f"{provider}.{name}", given) for name, given in models.items()}


def _price(name: str, given: Any) -> dict[str, float]:
    """What a million tokens cost. Raises ValueError; one that is no amount would make every sum with it none."""
    if not isinstance(given, dict) or set(given) != {"input", "output"}:
        raise ValueError(f"{name} must have input and output, and nothing else")
    for way, price in given.items():
        if isinstance(price, bool) or not isinstance(price, int | float) or not 0 <= price < math.inf:
            raise ValueError(f"{name}.{way} = {price!r} is no amount of dollars")
    return given
