"""Five folds over databases: a database is wholly in one, and so are those that share tables with each other."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping

from pluto_duck_text2sql.data.catalog import Catalog

FOLDS = 5
ALL = FOLDS
"""The number of the network that learns from every database: the one that is shipped."""
_SHARED_COLUMNS = 5


def folds(questions: Mapping[str, int], catalogs: Mapping[str, Catalog]) -> dict[str, int]:
    """The fold of each database, balanced by the number of its questions."""
    load = [0] * FOLDS
    found: dict[str, int] = {}
    groups = sorted(_groups(catalogs), key=lambda group: (-sum(questions[each] for each in group), _mark(group[0])))
    for group in groups:
        fold = min(range(FOLDS), key=lambda n: load[n])
        load[fold] += sum(questions[each] for each in group)
        found.update(dict.fromkeys(group, fold))
    return found


def _groups(catalogs: Mapping[str, Catalog]) -> list[list[str]]:
    """Databases that have a table in common: the same name and columns, and not just a pair of ids."""
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for database, catalog in sorted(catalogs.items()):
        for table in catalog.tables:
            if len(table.columns) >= _SHARED_COLUMNS:
                holders[table.name.casefold(), *sorted(c.name.casefold() for c in table.columns)].append(database)
    leader = {database: database for database in catalogs}
    for together in holders.values():
        first = _lead(leader, together[0])
        for each in together[1:]:
            leader[_lead(leader, each)] = first
    groups: dict[str, list[str]] = defaultdict(list)
    for database in sorted(catalogs):
        groups[_lead(leader, database)].append(database)
    return list(groups.values())


def _lead(leader: dict[str, str], database: str) -> str:
    while leader[database] != database:
        database = leader[database]
    return database


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
