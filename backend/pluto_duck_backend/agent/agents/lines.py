"""YAML with the line of every value, so that what is wrong is told where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput

Where = tuple[str | int, ...]
_DEEPEST = 20
_LONGEST = 200_000


@dataclass(frozen=True)
class Parsed:
    """A mapping, and the line (from 1) of each of its keys, by the way to it."""

    value: dict[str, Any]
    lines: dict[Where, int]


def parsed(text: str, place: str) -> Parsed:
    """The mapping that YAML `text` is; empty for an empty file. Raises InvalidInput naming `place` and the line."""
    import yaml

    if len(text) > _LONGEST:
        raise _bad(place, 1, f"it has {len(text):,} characters; at most {_LONGEST:,} are read")
    lines: dict[Where, int] = {}
    try:
        loader = yaml.CSafeLoader(text)
        root = loader.get_single_node()
        _note(root, (), lines, set(), place)
        value = loader.construct_document(root) if root else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _bad(place, mark.line + 1 if mark else 1, f"no valid YAML: {getattr(error, 'problem', error)}") from error
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise _bad(place, 1, "it holds no `key: value` lines")
    return Parsed(value, lines)


def line_of(where: Where, lines: Mapping[Where, int]) -> int:
    """The line of what `where` leads to, or of the nearest thing around it."""
    around = (where[:length] for length in range(len(where), 0, -1))
    return next((lines[each] for each in around if each in lines), 1)


def _note(node: Any, where: Where, lines: dict[Where, int], seen: set[int], place: str) -> None:
    """An alias (`*name`) is refused: it could stand for more than the file holds."""
    if node is None:
        return
    if id(node) in seen:
        raise _bad(place, node.start_mark.line + 1, "what stands here is named again by an alias; write it out")
    seen.add(id(node))
    if len(where) > _DEEPEST:
        raise _bad(place, node.start_mark.line + 1, "it is nested too deep")
    for step, line, below in _parts(node):
        if (*where, step) in lines:
            raise _bad(place, line, f"{step!r} stands there twice")
        lines[(*where, step)] = line
        _note(below, (*where, step), lines, seen, place)


def _parts(node: Any) -> Sequence[tuple[str | int, int, Any]]:
    kind, value = node.id, node.value
    if kind == "mapping":
        return [(str(key.value), key.start_mark.line + 1, below) for key, below in value]
    if kind == "sequence":
        return [(place, below.start_mark.line + 1, below) for place, below in enumerate(value)]
    return []


def _bad(place: str, line: int, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{place}:{line}: {problem}.", code="bad_agent", hint="docs/agents.md lists what an agent's file may say."
    )
