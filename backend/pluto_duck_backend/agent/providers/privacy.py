"""What of the data a model may see: everything where it runs in the house, else what the user allowed.

schema   names, types, keys and comments
values   also the stored texts that the question names
rows     also results, so that it can put them in words
"""

from __future__ import annotations

from dataclasses import dataclass

from pluto_duck_backend.app.core.config import Privacy
from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

_TELLS_NO_DATA = ("Parser Error", "Binder Error", "Catalog Error", "Syntax Error")
_OF_NAMES = ("draft_unusable", "result_doubtful", "plan_unusable", "step_failed")
#   errors that quote no cell, or that were made for a model to read
_WITHHELD = (
    "The query failed while it ran; its message may hold values of the data and is withheld. Cast with TRY_CAST."
)


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
        return f"{error.message}\n{error.hint}".strip() if self.values or is_harmless else _WITHHELD
