"""The prompts: Markdown files that ship beside this one, each of which a user's own file replaces.

`<root>/configs/prompts/write_sql.md` is read instead of ours where it exists, at the next question. A name after `$` is
filled in; whatever else holds a `$` stays as it is.
"""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Literal

PromptName = Literal[
    "write_sql", "lane_tools", "lane_json", "question", "repair", "doubt", "unreadable", "words", "result", "second"
]
_OURS = Path(__file__).parent / "prompts"


class Prompts:
    """The prompts of one data root."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def text(self, name: PromptName, **values: str) -> str:
        """The prompt called `name` with its values filled in."""
        own = self._folder / f"{name}.md"
        path = own if own.is_file() else _OURS / f"{name}.md"
        return Template(path.read_text(encoding="utf-8")).safe_substitute(values).strip()
