"""What is known of one user's data as long as its catalog stays the same, and what the user's files say of it.

Made once a catalog, since an index of a thousand tables' words costs more than asking it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.agents.skills import body, skills_of
from pluto_duck_backend.agent.context import Context, Linker, context_for
from pluto_duck_backend.agent.context.rules import Rule, read_rules, rules_in, share_words
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
            rules=[rule for folder in self.folders for rule in (*_skilled(question, folder), *read_rules(folder))],
            examples=similar(question, self.confirmed()),
        )


def _skilled(question: str, folder: Path) -> Iterator[Rule]:
    """What the skills say whose name or description shares a word with the question; the others are not read."""
    for skill in skills_of(folder):
        if share_words(question, f"{skill.name} {skill.description}"):
            yield from rules_in(body(folder, skill.name), skill.name)
