"""What of the data a model may see: everything where it runs in the house, else what the user allowed.

schema   names, types, keys and comments
values   also the stored texts that the question names
rows     also results, so that it can put them in words, and what errors quote of them
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_backend.app.core.config import Privacy
from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

_TELLS_NO_DATA = ("Parser Error", "Binder Error", "Catalog Error", "Syntax Error")
_OF_NAMES = (
    *("draft_unusable", "result_doubtful", "plan_unusable", "step_failed"),
    *("query_timeout", "result_too_large"),
)
#   errors in our own words, which quote no cell, or that were made for a model to read
_KIND = re.compile(r"[\w :]*?\b[A-Z]\w* ?Error\b")
#   what an error begins with before it quotes anything: Conversion Error, The code failed: line 2: ValueError
_WITHHELD = "Its message may quote the data, and is withheld."


@dataclass(frozen=True)
class Sight:
    """What one model may see."""

    values: bool
    rows: bool

    @classmethod
    def of(cls, privacy: Privacy, is_local: bool) -> Sight:
        return cls(values=is_local or privacy != "schema", rows=is_local or privacy == "rows")

    def error(self, error: PlutoDuckError) -> str:
        """An error as the model may read it: messages of running queries quote cells."""
        is_harmless = isinstance(error, Refused) or error.code in _OF_NAMES
        is_harmless = is_harmless or error.message.startswith(_TELLS_NO_DATA)
        told = error.message if self.rows or is_harmless else _withheld(error.message)
        return f"{told}\n{error.hint}".strip()


def _withheld(message: str) -> str:
    """The kind of an error alone."""
    kind = _KIND.match(message)
    return f"{kind[0]}. {_WITHHELD}" if kind else f"It failed while it ran. {_WITHHELD}"
