"""What was done, where only a date tells it: `returned loans` are those that have a day on which they came back.

Called by `corrections`. A word that is a deed, and that a date with gaps is called by, says that this date is there,
where the tree speaks of the date's rows and has nothing else of the deed: no period, no state that is stored. And a
number of deeds is one of rows: `how many deliveries` counts orders that were delivered, it adds up no `delivery_fee`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.event_dates import only_tells_when
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import Token, name_stems, root, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Cond,
    Inside,
    Missing,
    Query,
    Related,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
    mapped,
    nodes_in,
)

_DEED = Pattern(
    r"[a-z]{3,}(?:ed|en|ions?|als?|eries|ery|ups?)|returns?|sent|paid|sold|lost|made|left|met|won|done|shipments?"
)
_NO_DEED = frozenset("open opened often seven been when then given even medium unpaid unsold".split())
_WAYS = frozenset("to from by via with through at into".split())
"""What follows a deed that only tells how or where: orders shipped to Oslo are those that go there."""
_NUMBER_OF = Pattern(
    r"\b(?:how many|number of|count of|most|fewest|total|more|fewer)(?: (?:the|new|all|completed|total))? "
    r"(?P<deed>[a-z]{4,}(?:ies|ions?|ments?|als?|ys?|ups?|ings?))\b",
    re.IGNORECASE,
)
_SAME = tuple(
    frozenset(root(stem(each)) for each in words.split()) for words in ("finished completed", "sent shipped dispatched")
)
"""Deeds that are each other's."""
_DENIES = Pattern(
    r"\b(?:no|not|never|without|yet|still|neither|nor|un[a-z]+ed|overdue|pending|await\w*|when|since|until|before|after"
    r"|first|last|latest|earliest|how (?:long|soon|fast|quickly|late)|days?|hours?|weeks?|late|early|on time|dates?)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""Words that say more of a deed than that it was done."""


def with_deeds(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with those rows alone of which a date tells the deed that the question says."""
    if query.then:
        return query
    question = without_remarks(question)
    query = _by_days_there_are(_counted(query, question, catalog), question, catalog)
    tokens, says_more = tokenise(question), _DENIES.search(question)
    said = {token.stem for token in tokens}
    found = [
        _date(token, query, said, catalog, is_base=is_base)
        for token, is_base in _deeds(tokens, query)
        if is_base or not says_more
    ]
    new = [Missing(each, negated=True) for each in dict.fromkeys(filter(None, found))]
    if new or says_more:
        return replace(query, where=(*query.where, *new)) if new else query
    deeds = [token for token, _ in _deeds(tokens, query)]
    where = tuple(_done_below(each, deeds, said, catalog) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def _by_days_there_are(query: Query, question: str, catalog: Catalog) -> Query:
    """`tickets closed by month`: of those that were, where the month is of a day with gaps that the question names."""
    if not any(isinstance(each, Agg) and isinstance(each.of, Rows) for each in query.select):
        return query
    said = {root(token.stem) for token in tokenise(question)}
    days = [each.of for each in query.group if isinstance(each, Bucket) and isinstance(each.of, Col)]
    told = set(columns_in(query.where))
    with_gaps = [each for each in days if each not in told and said & {*map(root, name_stems(each.name))}]
    kept = [each for each in with_gaps if (stored := catalog.column(*each.table, each.name)) and stored.null_fraction]
    return replace(query, where=(*query.where, *(Missing(each, negated=True) for each in kept))) if kept else query


def _done_below(condition: Cond, deeds: Sequence[Token], said: Collection[str], catalog: Catalog) -> Cond:
    """`completed at least three courses`: of the rows that are counted for each, those that a date tells were."""
    if isinstance(condition, Inside) and not condition.negated:
        where = (*condition.query.where, *_done(condition.query, deeds, said, catalog))
        return replace(condition, query=replace(condition.query, where=where))
    if isinstance(condition, Related) and not condition.negated:
        rows = Query(condition.table, (), condition.where)
        return replace(condition, where=(*condition.where, *_done(rows, deeds, said, catalog)))
    return condition


def _done(rows: Query, deeds: Sequence[Token], said: Collection[str], catalog: Catalog) -> list[Missing]:
    """That the dates which the deeds are called by are there."""
    found = (_date(token, rows, said, catalog, is_base=False) for token in deeds)
    return [Missing(each, negated=True) for each in dict.fromkeys(filter(None, found))]


def _deeds(tokens: Sequence[Token], query: Query) -> Iterator[tuple[Token, bool]]:
    """The deeds that are said, and whether each stands right before the rows, not denied: `finished jobs`. What these
    are called is none: deliveries may be to come."""
    rows = table_stems(query.anchor[1])
    for place, token in enumerate(tokens):
        before, after = tokens[place - 1] if place else None, tokens[place + 1] if place + 1 < len(tokens) else None
        if (
            _is_deed(token)
            and token.stem not in rows
            and not _says_how([each.lower for each in tokens[place + 1 : place + 3]])
        ):
            is_denied = before is not None and _DENIES.fullmatch(before.lower) is not None
            yield token, after is not None and after.stem in rows and not is_denied


def _says_how(after: Sequence[str]) -> bool:
    """Whether these words only tell how something was done, and not how often (`at least twice`)."""
    return bool(after) and after[0] in _WAYS and after[1:] not in (["least"], ["most"])


def _counted(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with rows counted in place of what is only called after the deed that the question asks a number of."""
    asked = {root(stem(found["deed"].lower())) for found in _NUMBER_OF.finditer(question)}
    said = {token.stem for token in tokenise(question)}
    return mapped(query, partial(_as_rows, asked=asked, said=said, catalog=catalog), (Agg,)) if asked else query


def _as_rows(node: Any, asked: Collection[str], said: Collection[str], catalog: Catalog) -> Any:
    if not isinstance(node, Agg) or node.function not in ("count", "sum") or not isinstance(node.of, Col):
        return node
    table = catalog.table(*node.of.table)
    if table is None:
        return node
    deeds = set(map(root, table.stems(node.of.name))) & set(asked)
    times = (root(each) for column in table.columns if column.is_time for each in table.stems(column.name))
    is_after = _is_only_after(table.stems(node.of.name), deeds, said) and not deeds.isdisjoint(times)
    return Agg("count", Rows(node.of.table), where=node.where) if is_after else node


def _is_deed(token: Token) -> bool:
    return not token.quoted and _DEED.fullmatch(token.lower) is not None and token.lower not in _NO_DEED


def _date(token: Token, query: Query, said: Collection[str], catalog: Catalog, *, is_base: bool) -> Col | None:
    """The one date with gaps that the word names among the tree's rows, of which the tree says nothing; of what is said
    before the rows (`what percentage of finished jobs were late`) its conditions say nothing."""
    tables = {query.anchor, *_counted_tables(query)}
    known = [table for table in (catalog.table(*key) for key in sorted(tables)) if table]
    named = [(table, column) for table in known for column in _named(table, token, said)]
    dates = [Col(table.key, each.name) for table, each in named if not only_tells_when(table, each.name, token.stem)]
    spoken_of = {*tables, *(each.table for each in all_nodes_in(query) if isinstance(each, Col | Rows | Related))}
    stored = any((hit.schema, hit.table) in spoken_of for hit in catalog.values.lookup(token.text, 50))
    if len(dates) != 1 or stored or _says(query, token) or dates[0] in columns_in(query.where if is_base else query):
        return None
    if any(isinstance(each, Agg) and each.function == "count" and each.of == dates[0] for each in all_nodes_in(query)):
        return None  # what is counted by its date is done already
    return dates[0] if is_base or not _measures(query, token, dates[0].table, catalog) else None


def _counted_tables(query: Query) -> Iterator[TableKey]:
    """The tables whose rows are counted: of `finished two or more courses` those that a group has two of."""
    for each in nodes_in((query.select, query.having)):
        if isinstance(each, Rows):
            yield each.table
        elif isinstance(each, Agg) and each.function == "count" and isinstance(each.of, Col):
            yield each.of.table


def _named(table: Table, token: Token, said: Collection[str]) -> Iterator[Column]:
    """The dates with gaps that are called by the word, where nothing else of the table is, or only after it."""
    deeds = next((each for each in _SAME if root(token.stem) in each), {root(token.stem)})
    called = [each for each in table.columns if deeds & set(map(root, table.stems(each.name)))]
    is_free = all(each.is_time or _is_only_after(table.stems(each.name), deeds, said) for each in called)
    dates = [each for each in called if each.is_time]
    return (each for each in dates if each.null_fraction and is_free and len(dates) == 1)


def _is_only_after(stems: Sequence[str], deeds: Collection[str], said: Collection[str]) -> bool:
    """Whether a name has a word beside the deed's that the question does not say: the fee of a delivery."""
    return any(root(each) not in deeds and each not in said for each in stems)


def _measures(query: Query, token: Token, rows: TableKey, catalog: Catalog) -> bool:
    """Whether the tree has a figure of the rows that is called by the word: what was approved, of loans."""
    table = catalog.table(*rows)
    own = (each for each in columns_in(query) if isinstance(each, Col) and each.table == rows)
    return table is not None and any(root(token.stem) in map(root, table.stems(each.name)) for each in own)


def _says(query: Query, token: Token) -> bool:
    """Whether a condition of the tree holds the word, as a value or in a column's name."""
    texts = (each for each in all_nodes_in((query.where, query.having)) if isinstance(each, str))
    return any(token.stem in map(stem, each.lower().replace("_", " ").split()) for each in texts)
