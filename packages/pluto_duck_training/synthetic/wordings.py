"""Reads the families of questions: a line with places, and the wordings that mean it.

`[a|b|]` is one of the parts, `<name>` one of a macro's (macros.txt), `{slot.attribute}` a place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).parent
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_MACRO = re.compile(r"<(\w+)>")
PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


@dataclass(frozen=True)
class Family:
    """Questions of one meaning: `line` in words and places, `wordings` with choices and places."""

    kind: str
    name: str
    line: tuple[str, ...]
    wordings: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the slots in the line, in order; `w` where further conditions may come."""
        found = [match[1] for word in self.line for match in PLACE.finditer(word)]
        return tuple(dict.fromkeys("w" if each in ("where", "and") else each for each in found))

    def wording(self, rng: random.Random) -> str:
        """One wording, its choices made."""
        return chosen(rng.choice(self.wordings), rng)


def chosen(text: str, rng: random.Random) -> str:
    """A text with its macros and choices made."""
    while match := _MACRO.search(text):
        text = f"{text[: match.start()]}{rng.choice(macros()[match[1]])}{text[match.end() :]}"
    while match := _CHOICE.search(text):
        text = f"{text[: match.start()]}{rng.choice(match[1].split('|'))}{text[match.end() :]}"
    return " ".join(text.split())


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """All of them."""
    return tuple(family for path in sorted((_HERE / "families").glob("*.txt")) for family in _read(path))


def _read(path: Path) -> list[Family]:
    found, kind = [], path.stem
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip() and not line.startswith("#")]
        if lines and lines[0].startswith("kind "):
            kind, lines = lines[0].removeprefix("kind "), lines[1:]
        if lines:
            found.append(_family(kind, lines))
    return found


def _family(kind: str, lines: Sequence[str]) -> Family:
    name, line, *wordings = lines
    return Family(kind, name.removeprefix("= "), tuple(line.split()), tuple(wordings))


@lru_cache(maxsize=1)
def macros() -> dict[str, tuple[str, ...]]:
    """The words that many wordings have in common."""
    found = {}
    for line in (_HERE / "macros.txt").read_text(encoding="utf-8").splitlines():
        name, _, ways = line.partition(": ")
        if ways:
            found[name] = tuple(each.strip() for each in ways.split(" | "))
    return found
