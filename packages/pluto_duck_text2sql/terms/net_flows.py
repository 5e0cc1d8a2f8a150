"""What is left of a statement: `net income by month`, `cash flow in 2024`: what came in less what went out, each added
up by itself, since a row holds one of them.

Of statements (data/statements.py). Tokens in, terms out (computed.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.statements import statements
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.tree import Agg, Expr, Minus
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_NET = (
    r"(?:my |our |the )?net (?:income|cash ?flow|flow|cash|amount|change|movement|savings?|total|position)"
    r"|(?:my |our |the )?cash ?flow"
)
_ANY = Pattern(r"\b(?:net|cash)")
_STORED = tuple(map(stem, ("net", "flow", "cashflow")))
_CALLED = 0.9


class NetFlows:
    """Reads what is left of statements over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        found = statements(catalog)
        is_stored = any(each.column and each.score >= _CALLED for word in _STORED for each in names.find((word,)))
        self._of = found[0] if len(found) == 1 and not is_stored else None

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if self._of is None or not _ANY.search(words.text):
            return
        for start, end, _ in words.find(_NET):
            of = self._of
            measure: Expr = Minus(Agg("sum", of.came_in), Agg("sum", of.went_out))
            yield told_by_columns(tokens, start, end, f"{of.came_in.name} less {of.went_out.name}", measure=measure)
