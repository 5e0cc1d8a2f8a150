"""Words that people say for each other, and what they say of facts; from lexicon.txt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Lexicon:
    """`alike`: what else a word is called; `did`: what people say who had a fact; `actors` do so; `people` are who."""

    alike: dict[str, tuple[str, ...]]
    did: dict[str, tuple[str, ...]]
    actors: frozenset[str]
    people: frozenset[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The one lexicon there is."""
    parts = _parts()
    alike: dict[str, tuple[str, ...]] = {}
    for line in parts["alike"]:
        words = [each.replace("|", " ") for each in line.split()]
        alike[words[0]] = (*alike.get(words[0], ()), *words[1:])
    did = {line.split(": ")[0]: tuple(line.split(": ")[1].split("|")) for line in parts["did"]}
    actors, people = (frozenset(" ".join(parts[name]).split()) for name in ("actors", "people"))
    return Lexicon(alike, did, actors, people)


def _parts() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    here: list[str] = []
    for line in (Path(__file__).parent / "lexicon.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            here = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            here.append(line)
    return found
