"""Rules in prose from `configs/knowledge/*.md`: paragraphs that are no glossary lines, and which fit a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.app.core.folders import files_in
from pluto_duck_text2sql.language.glossary import read_glossary
from pluto_duck_text2sql.language.words import STOP, tokenise

_LARGEST = 200_000
_ALWAYS = 4
_MOST = 8
_HIDDEN = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """A paragraph of one file."""

    text: str
    place: str


def read_rules(folder: Path) -> list[Rule]:
    """The paragraphs of all files of a folder, by name; a file that cannot be read has none."""
    return [rule for path in files_in(folder, ".md") for rule in _of_file(path)]


def _of_file(path: Path) -> list[Rule]:
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode(errors="replace")
    except OSError:
        return []  # the glossary's warnings tell of it
    return rules_in(text, path.name)


def rules_in(text: str, name: str) -> list[Rule]:
    """The paragraphs of a text."""
    paragraphs = re.split(r"\n\s*\n", _HIDDEN.sub("", text))
    return [Rule(prose, name) for each in paragraphs if (prose := _prose(each, name))]


def share_words(question: str, text: str) -> bool:
    """Whether a question has a word of a text that says something."""
    return bool(_words(question) & _words(text))


def _prose(paragraph: str, file: str) -> str:
    """The lines that are neither headings nor glossary items."""
    lines = [line for line in paragraph.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return " ".join(line.strip() for line in lines if not read_glossary(line, file))


def relevant(question: str, rules: Sequence[Rule]) -> list[Rule]:
    """The rules that share words with the question, the most first; of few rules all."""
    if len(rules) <= _ALWAYS:
        return list(rules)
    asked = _words(question)
    scored = [(len(asked & _words(rule.text)), -place, rule) for place, rule in enumerate(rules)]
    return [rule for shared, _, rule in sorted(scored, key=lambda each: each[:2], reverse=True) if shared][:_MOST]


def _words(text: str) -> set[str]:
    return {token.stem for token in tokenise(text) if token.lower not in STOP}
