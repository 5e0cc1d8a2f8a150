"""Which of two columns a value is looked for in: `hires in Malmo` begin there, or end there; `tests did Nils do`.

Where rows keep two columns of the same texts, such as a place they are from and one they go to, or two people who had
to do with them, a name alone may be of either. No word tells which where none is of a column's name, nothing says a
deed and no `from` or `to` a direction; a column that is called as the end of the other's name is meant before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.asking_back.ambiguity import is_short
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, full_name
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import root
from pluto_duck_text2sql.tree import Col, Compare, Query, columns_in
from pluto_duck_text2sql.trees.parts import swapped

_ASKED = "Which one do you mean by {!r}?"
_BEFORE = r"\b(?:in|at|did|does|do|has|have|had) (?:the )?{}(?!\w)"
_TOLD = Pattern(
    r"\b(?!(?:need|speed|breed|bed|feed|shed|red|led)\b)[a-z]+ed\b"
    r"|\b(?:from|to|into|out|between|born|died|went|came|left|flew|made|sold|won|lost|home|away|headquarters?)\b",
    re.IGNORECASE,
)
_MOST_HITS = 50


def which_side(question: str, query: Query, data: Data) -> Opening | None:
    """The tree by the column in which a text is looked for, and by the others of its rows that hold it, too."""
    looked_for = [each for each in _texts(query) if _is_bare(each[1], question)]
    if len(looked_for) != 1 or _TOLD.search(question):
        return None
    column, text = looked_for[0]
    said, used = roots_said(question), set(columns_in(query))
    sides = [each for each in _holding(text, column, data) if each not in used]
    if not sides or any(_is_named(each, said, data) for each in (column, *sides)):
        return None
    ways = ((full_name(each), swapped(query, column, each)) for each in sides)
    return Opening(_ASKED.format(text), ((full_name(column), query), *ways))


def _texts(query: Query) -> Iterator[tuple[Col, str]]:
    """The columns in which a tree looks for a text, and the text."""
    for each in query.where:
        if isinstance(each, Compare) and isinstance(each.left, Col) and isinstance(each.right, str):
            yield from [(each.left, each.right)] if each.operator == "=" else []


def _is_bare(text: str, question: str) -> bool:
    """Whether the question says a text after a word that tells nothing of it."""
    return bool(re.search(_BEFORE.format(re.escape(text)), question, re.IGNORECASE))


def _holding(text: str, column: Col, data: Data) -> Iterator[Col]:
    """The other columns of the same rows that hold a text, but those called as the column is and more."""
    for hit in data.catalog.values.lookup(text, _MOST_HITS):
        other = Col((hit.schema, hit.table), hit.column)
        is_same = other.table == column.table and hit.value == text
        if is_same and other != column and not is_short(column, other):
            yield other


def _is_named(column: Col, said: frozenset[str], data: Data) -> bool:
    return not said.isdisjoint(map(root, data.table(column.table).stems(column.name)))
