"""Values that a question does not restrict rows to: what only repeats a name, is a part of one, is said already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.words import name_stems, name_words, stem, table_stems, table_words
from pluto_duck_text2sql.tree import Col, Compare, Inside, Query, Related, all_nodes_in, columns_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.data.name_index import Target
    from pluto_duck_text2sql.reading.reader import Pass


def parts_of_flags(roles: Pass, query: Query) -> Iterator[str]:
    """`learners who want the newsletter` is of a flag `wants_newsletter`, not of those who came by the newsletter."""
    said = {token.stem for token in roles.tokens}
    for column, _, text in _texts(query):
        table, value = roles.reader.catalog.table(*column.table), {*name_stems(text)}
        flags = [set(table.stems(flag.name)) for flag in table.columns if is_yes_or_no(flag)] if table else []
        if any(value < flag <= said for flag in flags) and not _is_written(text, roles):
            yield text


def _texts(query: Query) -> Iterator[tuple[Col, str, str]]:
    """The texts that columns are compared with: the column, how, and the text."""
    for each in all_nodes_in(query, but=("said", "anchored")):
        if isinstance(each, Compare) and isinstance(each.left, Col) and isinstance(each.right, str):
            yield each.left, each.operator, each.right


def whatever(roles: Pass, query: Query) -> Iterator[str]:
    """`campaigns per month, regardless of status`: by no status, and of none."""
    spans = [range(cue.start, cue.end) for cue in roles.cues if cue.kind == "idle"]
    idle = {roles.tokens[place].stem for span in spans for place in span}
    said = {token.stem for place, token in enumerate(roles.tokens) if not any(place in span for span in spans)}
    columns = columns_in((query.group, query.where)) if idle else ()
    for each in (column for column in columns if isinstance(column, Col)):
        meant = idle & set(name_stems(each.name))
        if meant and said.isdisjoint(meant):
            yield each.name


def echoes(roles: Pass, query: Query) -> Iterator[str]:
    """Values that only repeat the name of their table: documents of the type document, nurses in the position nurse;
    or that of one whose rows are shown or grouped: the rate of each room, and no charge for a room."""
    shown = {each.table for each in columns_in((query.select, query.group))}
    for column, operator, text in _texts(query):
        stems, others, table = set(name_stems(text)), shown - {column.table}, column.table[1]
        own = stems <= set(table_stems(table)) and not _is_said_state(text, table, roles)
        again = any(stems == set(table_stems(key[1])) for key in others) and not _is_written(text, roles)
        if operator in ("=", "!=") and stems and (own or again):
            yield text


def _is_said_state(value: str, table: str, roles: Pass) -> bool:
    """Whether a value is said that only shares its root with the table's name: `open` of job openings is a state."""
    words = {each.removesuffix("s") for each in table_words(table)}
    own = set(name_words(value))
    return own <= {token.lower for token in roles.tokens} and words.isdisjoint(each.removesuffix("s") for each in own)


def rows_as_values(roles: Pass, query: Query) -> Iterator[str]:
    """`customers without a bike` have no row of the bikes that there are, whatever else has a kind `bikes`."""
    tables = {table_stems(each.name) for each in roles.reader.catalog.tables}
    denied = tuple(each for each in all_nodes_in(query) if isinstance(each, Inside | Related) and each.negated)
    within = (each for each in all_nodes_in(denied) if isinstance(each, Compare) and isinstance(each.left, Col))
    values = (each.right for each in within if isinstance(each.right, str))
    yield from (each for each in values if name_stems(each) in tables and not _is_written(each, roles))


def parts_of_names(roles: Pass, query: Query) -> Iterator[str]:
    """`premium by line of business` is of no customers of the type business: the word is a part of a column's name."""
    named = [each for each in roles.mentions if each.end > each.start + 1 and any(map(_is_whole, each.targets))]
    inside = {place for each in named for place in range(each.start, each.end)}
    for column, _, text in _texts(query):
        stems = {*name_stems(text)}
        said = {place for place, token in enumerate(roles.tokens) if token.stem in stems}
        if said and said <= inside and not any(_mentions(item, column) for item in named):
            yield text


def _is_whole(target: Target) -> bool:
    return target.column is not None and target.score >= 1


def _mentions(item: Mention, column: Col) -> bool:
    return any(t.column and (t.table.key, t.column.name) == (column.table, column.name) for t in item.targets)


def _is_written(value: str, roles: Pass) -> bool:
    """Whether a value is said as one: in quotes, with a capital, or beside its name."""
    words = [token for token in roles.tokens if token.stem in name_stems(value)]
    return len(words) > 1 or any(token.quoted or token.text[:1].isupper() for token in words)


def done(roles: Pass, query: Query) -> Iterator[str]:
    """`tickets that were opened`: when that was is stored; that they are still `open` is not what is said."""
    words = {token.lower for token in roles.tokens}
    verbs = {token.stem for token in roles.tokens if token.lower.endswith("ed")}
    for column, _, text in _texts(query):
        value, table = text.casefold(), roles.reader.catalog.table(*column.table)
        times = {word for col in table.columns if col.is_time for word in table.stems(col.name)} if table else ()
        if value not in words and stem(value) in verbs and stem(value) in times:
            yield text


_CALLED = 0.9
"""How well a column must be called as the words are, that they mean it."""


def said_already(roles: Pass, query: Query) -> Iterator[str]:
    """`which room has two beds`: the room, not that there are two; unless the column is named elsewhere as well."""
    fixed = {each.left for each in query.where if isinstance(each, Compare) and each.operator == "="}
    shown = [each for each in query.select if isinstance(each, Col)]
    if len(shown) < 2 or query.group or query.then or set(shown) <= fixed:
        return
    for each in shown:
        if each in fixed and all(_is_beside_value(item, roles) for item in _mentions_of(each, roles)):
            yield each.name


def _mentions_of(column: Col, roles: Pass) -> list[Mention]:
    """Where a column is named."""
    return [item for item in roles.mentions if _mentions(item, column)]


def _is_beside_value(item: Mention, roles: Pass) -> bool:
    """Whether a number or a stored value stands next to a name, so that it tells which rows are meant."""
    before = roles.tokens[item.start - 1] if item.start else None
    values = any(each.hits and (each.end == item.start or each.start == item.end) for each in roles.mentions)
    names_it = any(each.column and each.score >= _CALLED for each in item.targets)
    return (bool(item.hits) and not names_it) or values or (before is not None and before.number is not None)
