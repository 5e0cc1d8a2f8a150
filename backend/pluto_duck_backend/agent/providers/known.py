"""What is known of one user's data as long as its catalog stays the same, and what the user's files say of it.

Made once a catalog, since an index of a thousand tables' words costs more than asking it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.context import Context, Linker, context_for
from pluto_duck_backend.agent.context.rules import read_rules
from pluto_duck_backend.agent.memory.example import Example
from pluto_duck_backend.agent.memory.similar import similar
from pluto_duck_backend.agent.repair import Data
from pluto_duck_text2sql import Analyst


@dataclass(frozen=True)
class Known:
    """One catalog, seen by one user."""

    analyst: Analyst
    data: Data
    linker: Linker
    folders: Sequence[Path]
    #   where rules in prose stand, what comes first holds first
    confirmed: Callable[[], Sequence[Example]]

    def context(self, question: str, room: int, *, values: bool) -> Context:
        """What a model is told before it answers, in at most `room` characters."""
        return context_for(
            question,
            self.analyst,
            self.linker,
            room,
            values=values,
            rules=[rule for folder in self.folders for rule in read_rules(folder)],
            examples=similar(question, self.confirmed()),
        )
