"""Which confirmed questions are like a new one, and whether one is the very same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pluto_duck_backend.agent.memory.example import Example
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.words import STOP, tokenise

_LEAST = 0.2
_RELATIVE = re.compile(
    r"\b(?:today|yesterday|tomorrow|now|currently|current|this|last|past|previous|next|recent(?:ly)?|latest|ago|so far"
    r"|to date|[ymq]td|since)\b",
    re.IGNORECASE,
)


def same(question: str, history: Sequence[str], examples: Sequence[Example]) -> Example | None:
    """The example of this very question after the same ones; none of a time that has moved on since."""
    if _RELATIVE.search(question):
        return None
    alone = (normal(question),)
    whole = (*map(normal, history), normal(question))
    return next((each for each in examples if each.key == whole or (not each.after and each.key == alone)), None)


def similar(question: str, examples: Sequence[Example], most: int = 3) -> list[Example]:
    """The examples that share the most words with a question, the likest first."""
    asked = _words(question)
    scored = [(_share(asked, _words(each.question)), -place, each) for place, each in enumerate(examples)]
    ordered = sorted(scored, key=lambda each: each[:2], reverse=True)
    return [each for share, _, each in ordered if share >= _LEAST][:most]


def _words(text: str) -> set[str]:
    return {token.stem for token in tokenise(text) if token.lower not in STOP}


def _share(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
