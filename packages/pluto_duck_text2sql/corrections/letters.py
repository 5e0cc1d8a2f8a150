"""Letters of names: `whose first name ends in m`, `with a surname that contains the letter z`.

Called by `corrections` for every tree: where a question says one such thing of a text, the tree looks for it there and
not elsewhere. `rewording.letters_said` writes it so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.said_sorts import named_column
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Col, Compare, Query, mapped

_LETTERS = r"(?:the )?(?:letters?|prefix|suffix) [\"'“‘]?(?P<letters>[a-z]+)"
_QUOTED = r"[\"“‘'](?P<quoted>[^\"“”‘’']+)[\"”’']"
_LETTER = r"(?:an? )?[\"'“‘]?(?P<letter>[b-hj-z])(?![\w.'’-])"
_SAID = Pattern(
    r"\b(?P<name>[a-z]+(?: [a-z]+)?) (?:that |which )?(?P<denied>(?:do|does|did)(?: not|n['’]t) |not )?"
    r"(?:(?P<starts>start|begin)|(?P<ends>end)|contain|includ)(?:s|es|e|ing|ning)?(?: (?:with|in))? "
    rf"(?:{_LETTERS}|{_QUOTED}|{_LETTER})",
    re.IGNORECASE,
)
_MORE = Pattern(r"[\"'”’]?,? (?:or|and|but not) (?:the letter )?[\"'“‘]?[a-z][\"'”’]?(?=\W|$)", re.IGNORECASE)
_SIGNS = ("like", "not like", "=", "!=")


def with_letters(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree that looks for what a question says a text begins with, ends in or contains."""
    found = list(_SAID.finditer(question))
    if len(found) != 1 or _MORE.match(question[found[0].end() :]):
        return query
    said = found[0]
    text = said["letters"] or said["quoted"] or said["letter"]
    pattern = f"{'' if said['starts'] else '%'}{text}{'' if said['ends'] else '%'}"
    column = _called(said["name"], query, catalog)

    def looked_for(node: Any) -> Any:
        if not _is_of(node, text, catalog):
            return node
        left = column if column and column.table == node.left.table else node.left
        return Compare(left, "not like" if node.operator in ("not like", "!=") else "like", pattern)

    made: Query = mapped(query, looked_for, (Compare,))
    if column is None or made != query or any(_is_of(each, text, catalog) for each in query.where):
        return made
    return replace(query, where=(*query.where, Compare(column, "not like" if said["denied"] else "like", pattern)))


def _called(words: str, query: Query, catalog: Catalog) -> Col | None:
    """The text that the last words before the verb name."""
    last = words.split()[-1]
    column = named_column(words, query, catalog) or named_column(last, query, catalog)
    kept = catalog.column(*column.table, column.name) if column else None
    return column if kept and kept.kind == "text" else None


def _is_of(node: Any, text: str, catalog: Catalog) -> bool:
    """Whether a condition looks for a text in a column, wherever in it."""
    is_plain = isinstance(node, Compare) and node.operator in _SIGNS and isinstance(node.left, Col)
    if not is_plain or not isinstance(node.right, str):
        return False
    return node.right.strip("%").casefold() == text.casefold()
