"""A figure that no word names: `revenue of each shop` told by how many people work there.

Called by `decision` with the reading chosen. Where the data has nothing of what is asked, a network takes the column
that is left; what it adds up or averages must be named by some word, be money, be a number of pieces, or be what an
adjective measures (`the longest`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import (
    MONEY,
    SYNONYMS,
    Token,
    name_stems,
    name_words,
    stem,
    table_stems,
    tokenise,
)
from pluto_duck_text2sql.learned.names import ALIKE, Name, matches
from pluto_duck_text2sql.reading.cues import ADJECTIVES
from pluto_duck_text2sql.tree import Agg, Col, During, Nested, Product, Query, Rows, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.resolve import Resolver

_COMPUTED = ("sum", "avg", "median", "quantile", "min", "max")
_PIECES = frozenset(name_stems("quantity qty unit"))
_MONEY = frozenset(name_stems("price amount cost fee fare payment revenue sales charge"))
_ASKED_MONEY, _NUMBER = MONEY - {stem("sales")}, frozenset(("many", "number", "count"))
"""Sales may be counted; `revenue` is no number of rows."""
_LENGTHS = frozenset(map(stem, "length duration millisecond second minute runtime".split()))
_MEASURED = frozenset(map(stem, "rating score mark grade reading measurement payment donation fine bid result".split()))
"""What is measured, each time by one number."""
_PAST = Pattern(r"[^\W\d_]+ed")
_LONG = frozenset(("long", "short"))


def unnamed(
    tokens: Sequence[Token], query: Query, mentions: Sequence[Mention], catalog: Catalog, resolver: Resolver
) -> str:
    """The column that a query computes with though nothing names it; nothing where there is none."""
    named = {(t.table.key, t.column.name) for item in mentions for t in item.targets if t.column}
    money = {each for expression in resolver.money() for each in columns_in(expression)}
    rows = {each.table.key for item in mentions for each in item.targets if each.column is None}
    for table, column in _computed(query, catalog):
        col = Col(table.key, column.name)
        is_named = (table.key, column.name) in named or (table.key in rows and _is_all_of(table, column, resolver))
        if not is_named and col not in money and not _is_said(tokens, table, column):
            return f"{table.name}.{column.name}"
    return _counted_instead(tokens, query)


def _is_all_of(table: Table, column: Column, resolver: Resolver) -> bool:
    """Whether the rows are called after what is measured and the column is the only number of theirs: the average
    rating of `ratings (critic_id, film_id, stars)`."""
    numbers = [each for each in table.columns if each.kind == "number" and not resolver.is_key(table, each.name)]
    return numbers == [column] and not _MEASURED.isdisjoint(table_stems(table.name)[-1:])


def _counted_instead(tokens: Sequence[Token], query: Query) -> str:
    """The rows that are counted where money is asked, and that no word names."""
    if _ASKED_MONEY.isdisjoint(token.stem for token in tokens) or any(token.lower in _NUMBER for token in tokens):
        return ""
    figures = [each for each in all_nodes_in(query.select) if isinstance(each, Agg) and not isinstance(each.of, Nested)]
    said = {token.stem for token in tokens}
    rows = {each.of.table[1] for each in figures if each.function == "count" and isinstance(each.of, Rows)}
    unsaid = [each for each in rows if said.isdisjoint(table_stems(each))]
    return f"the number of {unsaid[0]}" if len(unsaid) == len(figures) == 1 else ""


def uses(words: str, query: Query, catalog: Catalog) -> bool:
    """Whether a query has a column that some of the words meet, if only by another word for it."""
    return any(_meets(tokenise(words), each, catalog) for each in columns_in(query) if isinstance(each, Col))


def of_another_deed(left: Sequence[str], question: str, query: Query, catalog: Catalog) -> str:
    """`who was promoted last year`, told by when they joined: the deed that nothing keeps; nothing where one is kept.

    `left` are the words that nothing explains; a column that is called a date alone may be of any deed.
    """
    deed = next((each for each in left if _PAST.fullmatch(each.lower())), "")
    dated = (each.left for each in all_nodes_in(query) if isinstance(each, During) and isinstance(each.left, Col))
    done = ([stem(word) for word in name_words(each.name) if _PAST.fullmatch(word)] for each in dated)
    said = {other for token in tokenise(question) for other in (token.stem, *SYNONYMS.get(token.stem, ()))}
    return deed if deed and any(stems and said.isdisjoint(stems) for stems in done) else ""


def _meets(tokens: Sequence[Token], column: Col, catalog: Catalog) -> bool:
    """Whether a word is one of a column's name, or another word for one."""
    table = catalog.table(*column.table)
    stored = table.column(column.name) if table else None
    met = matches(Name.of(table, stored), [each.stem for each in tokens]) if table and stored else []
    return any(each not in (0, ALIKE) for each in met)


def _computed(query: Query, catalog: Catalog) -> Iterator[tuple[Table, Column]]:
    """The columns of numbers that the figures shown are made of."""
    for node in all_nodes_in(query.select):
        if isinstance(node, Agg) and node.function in _COMPUTED and isinstance(node.of, Col | Product):
            for each in columns_in(node.of):
                table = catalog.table(*each.table)
                column = table.column(each.name) if table and isinstance(each, Col) else None
                if table and column and column.kind == "number":
                    yield table, column


def _is_said(tokens: Sequence[Token], table: Table, column: Column) -> bool:
    """Whether a word meets the column's name, or measures what it holds."""
    stems = {*table.stems(column.name)}
    said = f" {' '.join(token.lower for token in tokens)} "
    measured = (stem(each) for phrase, (words, _) in ADJECTIVES.items() if f" {phrase} " in said for each in words)
    is_length = bool(stems & _LENGTHS) and any(token.lower in _LONG for token in tokens)
    met = any(matches(Name.of(table, column), [token.stem for token in tokens]))
    return met or is_length or bool(stems & (_PIECES | _MONEY)) or not stems.isdisjoint(measured)
