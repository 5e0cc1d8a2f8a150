"""Which errors quote the data, and what of them tells nothing of it."""

from __future__ import annotations

import re

from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

_TELLS_NO_DATA = ("Parser Error", "Binder Error", "Catalog Error", "Syntax Error")
_KIND = re.compile(r"[\w :]*?\b[A-Z]\w* ?Error\b")
#   what an error begins with before it quotes anything: Conversion Error, The code failed: line 2: ValueError
_PARTS = re.compile(r"(?<=[;.])\s+")
_WITHHELD = "Its message may quote the data, and is withheld."


def quotes_no_cell(error: PlutoDuckError) -> bool:
    """Whether an error of SQL was found without looking at any row."""
    return isinstance(error, Refused) or error.message.startswith(_TELLS_NO_DATA)


def withheld(message: str) -> str:
    """The kind of an error alone."""
    kind = _KIND.match(message)
    return f"{kind[0]}. {_WITHHELD}" if kind else f"It failed while it ran. {_WITHHELD}"


def next_step(error: PlutoDuckError) -> str:
    """What an error says is to be done, without commands: whoever writes SQL runs none."""
    parts = [each for each in _PARTS.split(error.hint) if "pluto-duck " not in each]
    return " ".join(parts).rstrip("; ")
