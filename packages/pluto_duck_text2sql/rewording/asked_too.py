"""What a second sentence asks for beside the rows of the first: `Which sights are open? Show their ids too`.

Called by `rewordings`. The first alone is answered by what its rows are called, so both are listed. A piece of
furniture is one of the rows called so.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_TOO = Pattern(
    r"^(?P<asked>(?:(?:on|in|at|for|to|from|by|with) )?"
    r"(?:who|(?:which|what) (?!is\b|are\b|was\b|were\b)(?P<rows>[a-z]+))\b[^.?!]*)[.?!]\s*"
    r"(?:please )?(?:give|show|list|name|add|include|tell)(?: me| us)?(?: their| its| his| her| the)?"
    r" (?!how\b)(?P<what>[^.?!]+?),? (?:too|as well|also)(?:,? please)?[.!]*$",
    re.IGNORECASE,
)
_PIECE = Pattern(r"\b(?:piece|item)s? of (?P<rows>[a-z]+)\b", re.IGNORECASE)


def of_rows(question: str, names: NameIndex) -> str:
    """`which furniture` for `which piece of furniture`, where rows are called so."""
    return _PIECE.sub(lambda said: said["rows"] if names.rows(said["rows"]) else said[0], question)


def with_asked_too(question: str, names: NameIndex) -> str:
    """The question with all that it asks for in its second sentence."""
    said = _TOO.match(question.strip())
    if said is None:
        return question
    return f"{said['asked']}. List the {_called(said, names)} and {said['what']}"


def _called(said: re.Match[str], names: NameIndex) -> str:
    """What rows are listed by: their name or title, else the word that asks for them."""
    table = names.rows(said["rows"]) if said["rows"] else None
    if table is None:
        return said["rows"] or "name"
    stems = {each for column in table.columns for each in table.stems(column.name)}
    return next((word for word in ("name", "title") if stem(word) in stems), said["rows"])
