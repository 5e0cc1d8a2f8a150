"""A kind that is said before the name of its column and not stored: `books in the science fiction genre`.

Called by `decision` with the reading chosen. Where words that name nothing stand before a column of texts, after the
word that tells where, they say which of its values is meant; a reading that looks for none of them passes that over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.plain_words import plain_stems
from pluto_duck_text2sql.language.words import Token, stem, tokenise
from pluto_duck_text2sql.tree import Col, Compare, Query, columns_in
from pluto_duck_text2sql.trees.facts import Facts

_WHERE = frozenset("in of from with".split())
_THE = frozenset("the a an our".split())


def kind_unheld(
    question: str, query: Query, left: Sequence[str], mentions: Sequence[Mention], catalog: Catalog
) -> Query | None:
    """The tree that looks for the kind that the question says; None where it says none that is passed over."""
    tokens, unknown = tokenise(question), {stem(word) for each in left for word in each.lower().split()}
    for item in mentions:
        column, said = _column_of_texts(item, catalog), _said_before(item.start, tokens, unknown)
        if column and said and not _is_used(column, query):
            return replace(query, where=(Compare(column, "=", said),))
    return None


def _column_of_texts(item: Mention, catalog: Catalog) -> Col | None:
    """The one column of texts that words name."""
    columns = [(each.table.key, each.column.name) for each in item.targets if each.column]
    stored = catalog.column(*columns[0][0], columns[0][1]) if len(columns) == len(item.targets) == 1 else None
    return Col(*columns[0]) if stored and stored.kind == "text" else None


def _said_before(place: int, tokens: Sequence[Token], unknown: set[str]) -> str:
    """The words that name nothing between `in the` and a place; nothing where something else stands there."""
    start = place
    while start and tokens[start - 1].stem in unknown:
        start -= 1
    before = [token.lower for token in tokens[max(start - 2, 0) : start]]
    is_told = bool(before) and (before[-1] in _WHERE or (before[-1] in _THE and before[0] in _WHERE))
    return " ".join(token.text for token in tokens[start:place]) if is_told and _names(tokens[start:place]) else ""


def _names(said: Sequence[Token]) -> bool:
    """Whether words are no rank, nor only those that questions about anything use."""
    is_rank = any(token.lower.endswith("est") for token in said)
    return not is_rank and any(token.stem not in plain_stems() for token in said)


def _is_used(column: Col, query: Query) -> bool:
    """Whether a tree groups by the column, or looks for a text in it."""
    return column in set(columns_in(query.group)) or any(
        left == column and isinstance(of, str) for left, _, of in Facts.of(query).compared
    )
