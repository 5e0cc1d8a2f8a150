"""Who is in charge: `who manages Harbourside`, `who heads each department` is the one whose role says so.

Called by `corrections` for every tree. Where people have a role, and one of these is called as the deed is, who does
it has that role; where a key says who does it, nothing is added. Where rows keep the name of who is in charge of them
(`store_manager`), `who runs the shops in Leeds` asks for it, not for what the shops are called.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Among, Col, Compare, Query, columns_in
from pluto_duck_text2sql.trees.resolve import Resolver

_WHO = Pattern(
    r"\bwho (?P<deed>manages?|managed|heads?|headed|leads?|led|directs?|directed|supervises?|supervised|chairs?|chaired"
    r"|(?:runs?|ran)(?! (?:in|at|on|for|to|with|from|by|after)\b)|oversees?|oversaw"
    r"|(?:is|are|was|were) (?:in charge of|responsible for))\b",
    re.IGNORECASE,
)
_NAME = stem("name")
_ROLES = frozenset(map(stem, "role title position job function grade rank level".split()))
_CALLED = {
    "manag": ("manager",),
    "head": ("head",),
    "lead": ("lead", "leader"),
    "led": ("lead", "leader"),
    "direct": ("director",),
    "supervis": ("supervisor",),
    "chair": ("chair", "chairman", "chairwoman", "chairperson"),
}
"""What those are called that do it, by how the deed begins."""
_ANY = ("manager", "head", "director", "supervisor", "lead", "leader", "boss", "chief", "principal", "warden")
"""What those are called that run or oversee something."""


def in_charge(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree of those with the role; as it is where none is stored, or it tells a role or another key already."""
    said = _WHO.search(question)
    shown = [each for each in query.select if isinstance(each, Col)]
    tables = [table for each in shown if (table := catalog.table(*each.table))]
    if said is None or not tables or query.group:
        return query
    verb = said["deed"].split()[-1].lower()
    names = next((called for begun, called in _CALLED.items() if verb.startswith(begun)), _ANY)
    if kept := _kept(query, _named(query, catalog, resolver) or tables[0], names, resolver):
        return kept
    is_of_one = names is not _ANY or _named(query, catalog, resolver) is not None
    for table in dict.fromkeys(tables) if is_of_one else ():
        ways: list[tuple[str, ...]] = [(each,) for each in names] if names is _ANY else [names]
        role = next((made for each in ways if (made := _role(table, each, catalog))), None)
        if role and not _tells_role(query, role.left, verb):
            return replace(query, where=(*query.where, role))
    return query


def _named(query: Query, catalog: Catalog, resolver: Resolver) -> Table | None:
    """The table of the one row that is called by its name."""
    left = next((each.left for each in query.where if isinstance(each, Compare) and each.operator == "="), None)
    table = catalog.table(*left.table) if isinstance(left, Col) else None
    return table if table and left in resolver.label(table) else None


def _kept(query: Query, table: Table, names: tuple[str, ...], resolver: Resolver) -> Query | None:
    """The tree that shows who is in charge of the rows, where one column keeps that: of several the one
    of the role that comes first."""
    texts = [(table.stems(each.name), each.name) for each in table.columns if each.kind == "text"]
    by_role = ([name for stems, name in texts if _ends_with(stems, stem(role))] for role in names)
    told = next((found for found in by_role if found), [])
    shown = query.select[0]
    is_who = isinstance(shown, Col) and (shown.table != table.key or [shown] == resolver.label(table))
    if len(told) != 1 or len(query.select) != 1 or not is_who:
        return None
    return replace(query, select=(Col(table.key, told[0]),), order=())


def _ends_with(name: tuple[str, ...], role: str) -> bool:
    """Whether a name ends with a role: `store_manager`, `head_name`, but no `lead_source`."""
    return role in (name[:-1] if name[-1:] == (_NAME,) else name)[-1:]


def _role(table: Table, names: tuple[str, ...], catalog: Catalog) -> Compare | None:
    """The one role of a table's rows that begins with one of these names."""
    columns = [each.name for each in table.columns if _ROLES & {*table.stems(each.name)} and each.kind == "text"]
    exact = [hit for some in catalog.values.lookup_all(list(names)) for hit in some]
    hits = exact or [hit for name in names for hit in catalog.values.lookup_part((stem(name),))]
    own = {
        (hit.column, hit.value)
        for hit in hits
        if (hit.schema, hit.table) == table.key and hit.column in columns and _is_called(hit.value.lower(), names)
    }
    (column, value) = next(iter(own)) if len(own) == 1 else ("", "")
    return Compare(Col(table.key, column), "=", value) if column else None


def _is_called(value: str, names: tuple[str, ...]) -> bool:
    """`Head of Department` begins so, `Pub Manager` ends so."""
    words = value.split()
    return bool(words) and (words[0] in names or words[-1] in names)


def _tells_role(query: Query, role: object, verb: str) -> bool:
    """Whether the tree has a condition on the role, or looks for who does it by a key that says so."""
    told = any(isinstance(each, Compare | Among) and each.left == role for each in query.where)
    begun = verb[:4]
    return told or any(isinstance(each, Col) and begun in each.name.lower() for each in columns_in(query))
