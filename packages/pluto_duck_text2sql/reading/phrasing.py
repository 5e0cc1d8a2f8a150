"""What an answer must hold by its question's turn of phrase: `more than once`, `how many people`, `and who has it`.

Called by `reader` beside `accounts`, for trees of any origin: what is lacking counts against one as a lost word does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.corrections.how_often import Bound, said_how_often
from pluto_duck_text2sql.corrections.said import AND_WHO
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.both_sides import lost_sides
from pluto_duck_text2sql.reading.left_by_cues import negated
from pluto_duck_text2sql.reading.rows_of_best import lost_rows
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Expr,
    Nested,
    Operator,
    Query,
    Related,
    Rows,
    all_nodes_in,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.marks import Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

_BUT = ("said", "anchored")
_BUT_NO = Pattern(r"\bbut (?:no|not|none|never|without)\b(?! (?:only|just|limited))")
_NAME_AND = Pattern(r"\b(?:names?|titles?) and (?:the |its |their |his |her )?(?!how\b|sort|order)[a-z]+")
_HOW_MANY_PEOPLE = Pattern(r"\bhow many (?:people|persons|individuals)\b")
_HOW_MANY_KINDS = Pattern(r"\b(?:how many|number of) (?:different|distinct|unique) (?P<kind>\w+)")
_WORTH = ("value", "worth", "revenue")
_SURELY = 0.95
_NO_MEASURES = ("first", "last")
_AGES = frozenset(map(stem, "age aged birth birthday born dob bod year founded built opened day month since".split()))
_CROWDS = frozenset(
    map(
        stem,
        "audience attendance attendee visitor spectator participant passenger people person population customer guest"
        " member staff employee student viewer".split(),
    )
)
_OF_PEOPLE = frozenset(map(stem, "sex gender birth birthday age surname".split()))


def lacking(roles: Pass, query: Query) -> list[str]:
    """The turns of phrase whose meaning a tree does not hold."""
    said = roles.words_at(0, len(roles.tokens)).lower()
    return [
        *_how_often(said, roles, query),
        *_but_no(said, query),
        *lost_sides(roles, query),
        *lost_rows(roles, query),
        *_by_degree(roles, query),
        *_by_latest(roles, query),
        *_by_age(roles, query),
        *_who_has_it(said, roles, query),
        *_name_and_more(said, query),
        *_people(said, roles, query),
        *_kinds(said, roles, query),
        *_with_what(roles, query),
        *_worth(roles, query),
        *_listed(roles, query),
    ]


def _but_no(said: str, query: Query) -> Iterator[str]:
    """`with a dog but no cat`: something is denied."""
    if _BUT_NO.search(said) and not negated(Marks.of(query)):
        yield "no"


def _how_often(said: str, roles: Pass, query: Query) -> Iterator[str]:
    """`more than once`: so many rows are counted, or a number of times is stored; an amount added up is none, nor is a
    key."""
    found = said_how_often(said)
    if found is None:
        return
    words, bound = found
    bound = _at_least(*bound) if bound else None
    if not any(_tells_how_often(each, bound, roles) for each in all_nodes_in(query, but=_BUT)):
        yield words


def _tells_how_often(node: object, bound: Bound | None, roles: Pass) -> bool:
    if isinstance(node, Related):
        return node.count is not None and bound in (None, _at_least(*node.count))
    if not isinstance(node, Compare) or not isinstance(node.left, Col | Nested | Agg):
        return False
    left, joins = node.left, roles.reader.joins
    if isinstance(left, Col) and (joins.is_key(left) or joins.pointed(left) != left):
        return False
    is_count = not isinstance(left, Agg) or left.function == "count"
    return is_count and (
        not isinstance(node.right, int | float) or bound in (None, _at_least(node.operator, node.right))
    )


def _at_least(operator: Operator, number: float) -> Bound:
    """`more than one` as `at least two`, `fewer than three` as `at most two`: of whole numbers that is the same."""
    if operator == ">":
        return ">=", number + 1
    return ("<=", number - 1) if operator == "<" else (operator, number)


def _by_degree(roles: Pass, query: Query) -> Iterator[str]:
    """`the longest`, `the cheapest`: sorted by what is long or cheap, not by how many rows there are."""
    nodes = list(all_nodes_in(query, but=_BUT))
    keys = [order.by for each in nodes if isinstance(each, Query) and each.limit is not None for order in each.order]
    extremes = any(isinstance(each, Agg) and each.function in ("max", "min") for each in nodes)
    if not keys or extremes or not all(isinstance(by, Agg) and by.function == "count" for by in keys):
        return
    for cue in roles.cues:
        if cue.kind == "super_adj" and cue.data["adj"] not in _NO_MEASURES:
            yield roles.words_at(cue.start, cue.end)


def _by_latest(roles: Pass, query: Query) -> Iterator[str]:
    """`the longest stop`: by how long it took, not the one of the latest day."""
    nodes = list(all_nodes_in(query, but=_BUT))
    orders = [order for each in nodes if isinstance(each, Query) and each.limit is not None for order in each.order]
    latest: list[Any] = [each.by for each in orders if each.descending]
    latest += [each.of for each in nodes if isinstance(each, Agg) and each.function == "max"]
    stored = [roles.reader.catalog.column(*each.table, each.name) for each in latest if isinstance(each, Col)]
    if any(each is not None and each.is_time for each in stored):
        yield from (roles.words_at(e.start, e.end) for e in roles.cues if e.data.get("adj") == "longest")


def _by_age(roles: Pass, query: Query) -> Iterator[str]:
    """`the youngest`: by an age, a year or a day, no other amount that is said of them."""
    nodes = list(all_nodes_in(query, but=_BUT))
    keys = [order.by for each in nodes if isinstance(each, Query) and each.limit is not None for order in each.order]
    stored = [roles.reader.catalog.column(*each.table, each.name) for each in keys[:1] if isinstance(each, Col)]
    others = [each for each in stored if each and each.kind == "number" and _AGES.isdisjoint(name_stems(each.name))]
    if others:
        yield from (roles.words_at(e.start, e.end) for e in roles.cues if e.data.get("adj") in ("youngest", "oldest"))


def _who_has_it(said: str, roles: Pass, query: Query) -> Iterator[str]:
    """`the biggest loan and who has it`: somebody or something of another table than what they have."""
    found = AND_WHO.search(said)
    if (
        found
        and not query.then
        and not (len(query.select) > 1 and any(_is_label(roles, each) for each in query.select))
    ):
        yield found[0]


def _is_label(roles: Pass, shown: Expr) -> bool:
    """Whether it is what rows of its table are called by."""
    table = roles.reader.catalog.table(*shown.table) if isinstance(shown, Col) else None
    return table is not None and shown in roles.reader.resolver.label(table)


def _name_and_more(said: str, query: Query) -> Iterator[str]:
    """`the oldest cat's name and date of birth`: a name and what belongs to it, not one figure alone."""
    found = _NAME_AND.search(said)
    if found and len(query.select) == 1 and is_total(query.select[0]):
        yield found[0]


def _people(said: str, roles: Pass, query: Query) -> Iterator[str]:
    """`how many people came`: the number of them that each festival has, not the number of festivals."""
    found = _HOW_MANY_PEOPLE.search(said)
    shown = query.select[0] if len(query.select) == 1 else None
    if not found or not isinstance(shown, Agg) or not isinstance(shown.of, Rows):
        return
    table = roles.reader.catalog.table(*shown.of.table)
    if table and len(roles.reader.resolver.label(table)) == 1 and _counts_people(table, roles):
        yield found[0]


def _counts_people(table: Table, roles: Pass) -> bool:
    """Whether each row has a number of people, and is none itself."""
    numbers = (column for column in table.columns if column.kind == "number")
    keys = roles.reader.resolver
    crowds = (each for each in numbers if not _CROWDS.isdisjoint(table.stems(each.name)))
    is_person = any(not _OF_PEOPLE.isdisjoint(table.stems(column.name)) for column in table.columns)
    return not is_person and any(not keys.is_key(table, each.name) for each in crowds)


def _kinds(said: str, roles: Pass, query: Query) -> Iterator[str]:
    """`how many different sports`: kinds of a column that repeats, not the rows of the table it is in."""
    found = _HOW_MANY_KINDS.search(said)
    shown = query.select[0] if len(query.select) == 1 else None
    if not found or not isinstance(shown, Agg) or shown.distinct or not isinstance(shown.of, Rows):
        return
    table, kind = roles.reader.catalog.table(*shown.of.table), stem(found["kind"])
    if table and any(_repeats(table, name, kind) for name in (column.name for column in table.columns)):
        yield found[0]


def _repeats(table: Table, name: str, kind: str) -> bool:
    """Whether a column is called by the kind, holds texts, and holds some of them more than once."""
    column = table.column(name)
    is_kind = column is not None and column.kind == "text" and kind in table.stems(name)
    return is_kind and bool(column and column.n_distinct and column.n_distinct < (table.row_count or 0))


def _with_what(roles: Pass, query: Query) -> Iterator[str]:
    """`with children`, `without discount`: the column that nothing else is called by is in the tree."""
    held = {(each.table, each.name) for each in all_nodes_in(query, but=_BUT) if isinstance(each, Col)}
    for item in roles.mentions:
        before = roles.tokens[item.start - 1].lower if item.start else ""
        named = [each for each in item.targets if each.score >= _SURELY]
        if before not in ("with", "without") or item.hits or not named:
            continue
        if all(each.column is not None and (each.table.key, each.column.name) not in held for each in named):
            yield item.text


def _worth(roles: Pass, query: Query) -> Iterator[str]:
    """`average order value`: what an order is worth, in the data's money, not any figure of it."""
    money = [set(columns_in(each)) for each in roles.reader.resolver.money()]
    held = {each for each in all_nodes_in(query, but=_BUT) if isinstance(each, Col)}
    if not money or any(each <= held for each in money):
        return
    for item in roles.mentions:
        follows = roles.tokens[item.end].lower if item.end < len(roles.tokens) else ""
        if follows in _WORTH and not item.hits and item.targets and not any(each.column for each in item.targets):
            yield roles.words_at(item.start, item.end + 1)


def _listed(roles: Pass, query: Query) -> Iterator[str]:
    """`orders of May: id and date`: more than one column."""
    if len(query.select) < min(len(roles.listed), 2):
        yield ", ".join(roles.listed)
