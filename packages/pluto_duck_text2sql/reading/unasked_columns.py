"""Columns, tables and cuts that a question does not ask for: names of others, a second column, no people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems
from pluto_duck_text2sql.tree import Col, Compare, Expr, Query, Related, TableKey, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.resolve import tells_rows

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

_RANKED = Pattern(r"most|least|top|bottom|best|worst|first|last|only|one|single|\w+est|\w+most|\d+")
_ONE_ASKED = Pattern(r"(?:(?:in|at|on|from|to|by|for|with) )?(?:who|which|what|where|when)\b", re.IGNORECASE)
_MORE_ASKED = Pattern(
    r"[,;:?&]|\b(?:and|or|along|also|both|together|plus|each|every|per|by|versus|than|how|if|any|total|average)\b"
    r"|\bwith\b(?! the (?:most|least|fewest|\w+est)\b)",
    re.IGNORECASE,
)
_BOTH = Pattern(r"\b(?:both|as well|also|another|other|others|some)\b", re.IGNORECASE)
_NAMES = frozenset(map(stem, ("name", "title")))
_BEFORE_NAMES = frozenset("show list give find return print display me us the their its and with by".split())
"""What stands before `name` where it says of nothing whose."""
_WHO = Pattern(r"^\s*who\b", re.IGNORECASE)
_WHERE = Pattern(r"^\s*(?:from |in |to )?where\b", re.IGNORECASE)
_WHEN_ALONE = Pattern(r"^\s*when\b(?!.*\b(?:where|and|or)\b)[^,;:]*$", re.IGNORECASE)
_PLACES = frozenset(
    map(
        stem,
        """location place city town country nation state county province region district area address street road venue
        headquarters headquarter site hometown birthplace residence building office room campus village origin
        destination nationality zip postcode""".split(),
    )
)
"""What columns and tables of places are called."""


def reached_by_columns(roles: Pass, query: Query) -> Iterator[str]:
    """`days from the issue date of an invoice` asks for no tickets, though these may be called issues: the word is said
    of a column of what is asked."""
    columns = (each for each in columns_in((query.select, query.group, query.order)) if isinstance(each, Col))
    own = {word for each in columns for word in name_stems(each.name)}
    for each in all_nodes_in(query.where):
        if isinstance(each, Related) and not (each.negated or each.count or each.where):
            said = {stem for item in roles.mentions if _calls(item, each.table) for stem in _stems_of(item, roles)}
            if said and said <= own:
                yield each.table[1]


def _calls(item: Mention, key: TableKey) -> bool:
    """Whether a table is what a name means."""
    return any(each.column is None and each.table.key == key for each in item.targets)


def _stems_of(item: Mention, roles: Pass) -> Iterator[str]:
    return (token.stem for token in roles.tokens[item.start : item.end])


def names_of_others(roles: Pass, query: Query) -> Iterator[str]:
    """`name and level of all apprentices` has the mechanics' names, no product's, where nothing speaks of products."""
    said = {token.stem for token in roles.tokens}
    if not any(other.stem in _NAMES and one.lower in _BEFORE_NAMES for one, other in pairwise(roles.tokens)):
        return
    shown = [each for each in query.select if isinstance(each, Col)]
    names = (each.table for each in shown if _NAMES & set(name_stems(each.name)))
    named = {key for key in names if said.isdisjoint(table_stems(key[1]))}
    for each in shown:
        more = set(name_stems(each.name)) - _NAMES
        others = {other.table for other in shown} - named
        if each.table in named and more and said.isdisjoint(more) and any(_has_name(key, roles) for key in others):
            yield each.name


def _has_name(key: TableKey, roles: Pass) -> bool:
    table = roles.reader.catalog.table(*key)
    return table is not None and any(_NAMES & set(table.stems(each.name)) for each in table.columns)


def nobody(roles: Pass, query: Query) -> Iterator[str]:
    """`who` is answered by people, where there are tables of people."""
    if not roles.tokens or not _WHO.match(roles.words_at(0, 1)):
        return
    reader, shown = roles.reader, [each for each in query.select if isinstance(each, Col)]
    people = {
        each for table in reader.catalog.tables if len(label := reader.resolver.label(table)) > 1 for each in label
    }
    if (people and people.isdisjoint(shown)) or (shown and all(_is_number(each, roles) for each in shown)):
        yield "who"


def nowhere(roles: Pass, query: Query) -> Iterator[str]:
    """`where is each firm based` is answered by places, where what is shown, or what it belongs to, has any."""
    if not _WHERE.match(roles.whole) or any(not isinstance(each, Col) for each in query.select):
        return
    shown = [each for each in query.select if isinstance(each, Col)]
    near = [table for key in {each.table for each in shown} for table in _near(key, roles)]
    if shown and not any(_is_place(each, roles) for each in shown) and any(map(_has_place, near)):
        yield "where"


def no_times(roles: Pass, query: Query) -> Iterator[str]:
    """`when was each captain born` asks for no place of birth, though that is called so too."""
    shown = [each for each in query.select if isinstance(each, Col)]
    times = [each for each in shown if (column := column_of(each, roles)) and column.is_time]
    if not times or not _WHEN_ALONE.match(roles.whole):
        return
    tables = (table for each in shown if (table := roles.reader.catalog.table(*each.table)))
    labels = {each for table in tables for each in roles.reader.resolver.label(table)}
    yield from (each.name for each in shown if each not in times and each not in labels and _is_place(each, roles))


def _near(key: TableKey, roles: Pass) -> Iterator[Table]:
    """A table and those next to it, also by a table that only ties the two."""
    joins = roles.reader.joins
    next_to = {step.target for step in joins.neighbours(key)}
    tied = {step.target for each in next_to for step in joins.neighbours(each) if not step.multiplies}
    yield from (found for each in {key, *next_to, *tied} if (found := roles.reader.catalog.table(*each)))


def _is_place(shown: Col, roles: Pass) -> bool:
    table, column = roles.reader.catalog.table(*shown.table), column_of(shown, roles)
    if table is None or column is None:
        return False
    is_label = shown in roles.reader.resolver.label(table) and not _PLACES.isdisjoint(table_stems(table.name))
    return is_label or _tells_place(table, column)


def _has_place(table: Table) -> bool:
    is_place = not _PLACES.isdisjoint(table_stems(table.name))
    return is_place or any(_tells_place(table, column) for column in table.columns)


def _tells_place(table: Table, column: Column) -> bool:
    return column.kind == "text" and not _PLACES.isdisjoint(table.stems(column.name))


def _is_number(shown: Col, roles: Pass) -> bool:
    column = column_of(shown, roles)
    return column is not None and column.kind == "number"


def cut(roles: Pass, query: Query) -> Iterator[str]:
    """`revenue by month and channel` has a row for each, not the first one's."""
    is_grouped = bool(roles.grains) or any(cue.kind == "group" for cue in roles.cues)
    if query.limit and query.group and is_grouped and roles.slots.best is None:
        free = [each for n, each in enumerate(roles.tokens) if not roles.words.taken(n) or each.number is None]
        if not any(_RANKED.fullmatch(each.lower) for each in free):
            yield f"first {query.limit}"


def other_rows(roles: Pass, query: Query) -> Iterator[str]:
    """`which hive gave the most honey`: a hive is shown, if by its key, not the breed that it is of."""
    item = next((each for each in roles.mentions if each.start == 1), None)
    if item is None or item.hits or roles.tokens[0].lower != "which":
        return
    best = max((each.score for each in item.targets), default=0)
    asked = [each for each in item.targets if each.score == best]
    shown = [each for each in query.select if isinstance(each, Col)]
    if (
        not shown
        or len(shown) < len(query.select)
        or any(each.column or not _is_told_apart(each.table) for each in asked)
    ):
        return
    joins, tables = roles.reader.joins, {each.table.key for each in asked}
    if tables.isdisjoint({*(each.table for each in shown), *(joins.pointed(each).table for each in shown)}):
        yield item.text


def looked_for(roles: Pass, query: Query) -> Iterator[str]:
    """`which founders were not backed by Ann` asks for founders, not for the backers that Ann is looked for among."""
    item = next((each for each in roles.mentions if each.start == 1), None)
    shown = query.select[0] if len(query.select) == 1 else None
    if item is None or item.hits or not isinstance(shown, Col) or roles.tokens[0].lower not in ("which", "what"):
        return
    compared = (each for each in all_nodes_in((query.where, query.then)) if isinstance(each, Compare))
    is_value = any(each.left == shown and isinstance(each.right, str) for each in compared)
    called = any(each.column is not None and each.column.name == shown.name for each in item.targets)
    if is_value and not called and any(each.column is None for each in item.targets):
        yield shown.name


def met_by_names(roles: Pass, query: Query) -> Iterator[str]:
    """`the country of the singer who is a woman and sang in Bangla`: one singer is both, no two from one country."""
    operator, other = query.then or ("", query)
    if operator != "intersect" or _BOTH.search(roles.whole or roles.words_at(0, len(roles.tokens))):
        return
    compared = [{each for each in columns_in(some.where) if isinstance(each, Col)} for some in (query, other)]
    shown = (*query.select, *other.select)
    if all(compared) and compared[0].isdisjoint(compared[1]) and not any(_is_of_one(each, roles) for each in shown):
        yield "and"


def _is_of_one(shown: Expr, roles: Pass) -> bool:
    """Whether a column tells the rows of its table apart, or is a key."""
    table = roles.reader.catalog.table(*shown.table) if isinstance(shown, Col) else None
    if table is None or not isinstance(shown, Col):
        return False
    joins = roles.reader.joins
    return joins.is_key(shown) or joins.pointed(shown) != shown or tells_rows(table, shown.name)


def _is_told_apart(table: Table) -> bool:
    """Whether its key is its own: what only points to another table's row is that row."""
    own = {name for key in table.foreign_keys for name in key.columns}
    return len(table.primary_key) == 1 and own.isdisjoint(table.primary_key)


def beside(roles: Pass, query: Query) -> Iterator[str]:
    """`which branch has the most clients`: one thing is asked, so nothing is shown beside what it is called by."""
    said = roles.whole.strip(" ?.!")
    if len(query.select) < 2 or query.then or query.per or not _ONE_ASKED.match(said) or _MORE_ASKED.search(said):
        return
    of_one = {each.table for each in query.select if isinstance(each, Col)}
    labels = [roles.reader.resolver.label(table) for key in of_one if (table := roles.reader.catalog.table(*key))]
    if not any(set(query.select) <= set(label) for label in labels):
        yield str(len(query.select))


def column_of(expression: Expr, roles: Pass) -> Column | None:
    """The catalog's column, where an expression is one."""
    return roles.reader.catalog.column(*expression.table, expression.name) if isinstance(expression, Col) else None
