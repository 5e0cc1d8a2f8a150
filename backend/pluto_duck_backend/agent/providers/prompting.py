"""The prompts: Markdown files that ship beside this one, each of which a user's own file replaces.

`<root>/configs/prompts/write_sql.md` is read instead of ours where it exists, at the next question. A name after `$` is
filled in; whatever else holds a `$` stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from string import Template
from typing import Literal, get_args

from pluto_duck_backend.app.core.errors import did_you_mean
from pluto_duck_backend.app.core.folders import files_in

PromptName = Literal[
    "write_sql",
    "lane_tools",
    "lane_json",
    "question",
    "repair",
    "mended",
    "doubt",
    "unreadable",
    "words",
    "result",
    "second",
    "outside",
    "looked",
]
_OURS = Path(__file__).parent / "prompts"


class Prompts:
    """The prompts of one data root, for one run: each file is looked for once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[PromptName, str] = {}

    def text(self, name: PromptName, **values: str) -> str:
        """The prompt called `name` with its values filled in."""
        written = self._written.get(name) or self._written.setdefault(name, self._read(name))
        return (Template(written).safe_substitute(values) if values else written).strip()

    def _read(self, name: PromptName) -> str:
        own = self._own.get(name)
        return own.read_text("utf-8-sig", "replace") if own else _ours(name)

    @cached_property
    def _own(self) -> dict[str, Path]:
        return {path.stem: path for path in files_in(self._folder, ".md")}


def flaws(folder: Path) -> list[str]:
    """What is wrong with a user's own prompts: files that replace none of ours, and what they leave out."""
    return [wrong for path in files_in(folder, ".md") for wrong in _flaws_of(path)]


def _flaws_of(path: Path) -> Iterator[str]:
    names: tuple[PromptName, ...] = get_args(PromptName)
    known = next((each for each in names if each == path.stem), None)
    if known is None:
        yield f"{path.name} replaces no prompt. There are {', '.join(names)}. {did_you_mean(path.stem, names)}".strip()
        return
    written = set(Template(path.read_text("utf-8-sig", "replace")).get_identifiers())
    missing = [f"${each}" for each in Template(_ours(known)).get_identifiers() if each not in written]
    if missing:
        yield f"{path.name} leaves out {', '.join(missing)}, so no model hears what stands for it"


@cache
def _ours(name: PromptName) -> str:
    """As shipped; read once."""
    return (_OURS / f"{name}.md").read_text(encoding="utf-8")
