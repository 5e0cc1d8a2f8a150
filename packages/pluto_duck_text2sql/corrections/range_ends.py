"""What the ends of a range are not: `the average salary` is what people earn, not the salary_min that a job offers.

Called by `corrections` for every tree, whoever wrote it. A column is an end of a range where its table has the other
end beside it (`salary_min` and `salary_max`). Where a question says neither an end nor the rows that have the range,
and one other column holds such an amount as it is, that one is meant; where there is none, the ends are asked back
(rivals.py). And where it says the one end alone, that one is meant: `minimum salary above 8000` is no max_salary.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Query, columns_in, mapped
from pluto_duck_text2sql.trees.parts import moved

_PAIRS = (("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lower", "upper"), ("from", "to"))
_OTHER_END = {stem(one): stem(other) for pair in _PAIRS for one, other in (pair, pair[::-1])}
_LOWER = frozenset(map(stem, "min minimum minimal low lower lowest least smallest bottom floor".split()))
_UPPER = frozenset(map(stem, "max maximum maximal high higher highest most largest top upper ceiling".split()))
_SAID = frozenset((*_OTHER_END, *map(stem, "range band offer offered between".split())))


def of_one_amount(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the amount itself in place of an end of a range that the question does not speak of."""
    said = {token.stem for token in tokenise(question)}
    used = [each for each in columns_in(query) if isinstance(each, Col)]
    ends = {each for each in used if _core(each, catalog)}
    tables = {each.table for each in ends}
    if len(ends) != 1 or not said.isdisjoint(_SAID) or any(e.table in tables for e in used if e not in ends):
        return query
    (end,) = ends
    others = list(_amounts(end, catalog)) if said.isdisjoint(table_stems(end.table[1])) else []
    return moved(query, end.table, others[0].table, {end: others[0]}) if len(others) == 1 else query


def of_said_end(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the end of a range that the question says in place of the other, which it does not."""
    used = {each for each in columns_in(query) if isinstance(each, Col)}
    ends = {each: twin for each in used if (twin := _other_end(each, catalog)) and twin not in used}
    said = {each: _sides_said(_core(each, catalog), question) for each in ends}
    turned = {
        each: twin for each, twin in ends.items() if said[each] and all(_is_end(twin, side) for side in said[each])
    }
    return mapped(query, lambda node: turned.get(node, node) if isinstance(node, Col) else node) if turned else query


def _sides_said(core: frozenset[str], question: str) -> list[frozenset[str]]:
    """The ends that are said of an amount: `minimum salary`, `the bottom of our estimate`, but no `top 5 by salary`."""
    said, leads = set[str](), False
    for token in reversed(tokenise(question)):
        is_end = token.stem in _LOWER | _UPPER
        said |= {token.stem} if is_end and leads else set()
        leads = token.stem in core or (leads and (is_end or token.lower in STOP))
    return [side for side in (_LOWER, _UPPER) if not side.isdisjoint(said)]


def _is_end(column: Col, side: frozenset[str]) -> bool:
    return not side.isdisjoint(name_stems(column.name))


def _other_end(column: Col, catalog: Catalog) -> Col | None:
    """The column beside one that is the other end of its range."""
    table, core = catalog.table(*column.table), _core(column, catalog)
    if table is None or not core:
        return None
    twins = [core | {_OTHER_END[each]} for each in frozenset(table.stems(column.name)) - core]
    found = (each.name for each in table.columns if frozenset(table.stems(each.name)) in twins)
    return next((Col(column.table, name) for name in found), None)


def _core(column: Col, catalog: Catalog) -> frozenset[str]:
    """What an end of a range is an end of; nothing where a column is none."""
    table, stored = catalog.table(*column.table), catalog.column(*column.table, column.name)
    if table is None or stored is None or stored.kind != "number":
        return frozenset()
    stems = frozenset(table.stems(column.name))
    names = {frozenset(table.stems(each.name)) for each in table.columns if each.kind == "number"}
    ends = (each for each in stems & _OTHER_END.keys() if stems - {each} | {_OTHER_END[each]} in names)
    return next((stems - {each} for each in ends), frozenset())


def _amounts(end: Col, catalog: Catalog) -> Iterator[Col]:
    """The columns of other tables that hold such an amount, neither an end of a range nor one that is only meant."""
    core = _core(end, catalog)
    for table in catalog.tables:
        for column in table.columns if table.key != end.table else ():
            if _is_such(column, table, core) and not _core(Col(table.key, column.name), catalog):
                yield Col(table.key, column.name)


def _is_such(column: Column, table: Table, core: frozenset[str]) -> bool:
    stems = table.stems(column.name)
    return column.kind == "number" and core <= set(stems) and not is_meant(stems)
