"""What a call costs: prices.toml beside this file, and the user's `<root>/configs/prices.toml` over it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput

_OURS = Path(__file__).with_name("prices.toml")
_MILLION = 1_000_000


class Prices:
    """Read anew for each workspace. Raises InvalidInput for a user's file that is no table of prices."""

    def __init__(self, own: Path) -> None:
        self._of = [_read(path) for path in (own, _OURS) if path.is_file()]

    def cost(self, providers: Sequence[str], model: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars, by the first of these providers that has a price for the model; a model may be called after its
        maker, `openai/gpt-5`. None where nobody says what it costs."""
        maker, _, name = model.rpartition("/")
        named = [(provider, model) for provider in providers] + ([(maker, name)] if maker else [])
        prices = (price for table in self._of for each in named if (price := _price_of(table, *each)))
        found = next(prices, None)
        return (input_tokens * found["input"] + output_tokens * found["output"]) / _MILLION if found else None


def _price_of(table: dict[str, dict[str, dict[str, float]]], provider: str, model: str) -> dict[str, float] | None:
    """That of the longest name the model's begins with."""
    prices = table.get(provider, {})
    fits = [name for name in prices if model.startswith(name)]
    return prices[max(fits, key=len)] if fits else None


def _read(path: Path) -> dict[str, dict[str, dict[str, float]]]:
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
