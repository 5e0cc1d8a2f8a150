"""How tables hang together: declared keys first, then inferred ones, then columns of one name that fit a key.

A shortest tree from the anchor to the tables needed; each step knows whether it can multiply rows.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_stems, table_stems
from pluto_duck_text2sql.tree import Col, Pointer, TableKey

_MOST_APART = 50
_MOST_PARENTS = 50
_MOST_SEARCHED = 64
_MULTIPLIES, _TURNS, _OF_A_ROLE = 0.01, 0.05, 0.02
"""What of two ways as long is dearer: to rows of which there are several, and more so to what only shares something,
since `reviews of a hotel` are those of its rooms' stays, not of stays that have a bill in its restaurant. So is a key
that is called by what it points at and more: an invoice's clinic is that of its visit (`clinic_id`), not the one of
its owner (`home_clinic_id`)."""
KEY_WORDS = frozenset(name_stems("id key code number no nr name"))


class Unreachable(ValueError):
    """Two tables of a query are not connected by any key."""


@dataclass(frozen=True)
class Step:
    """Join `target` to `source` where the column pairs are equal; `multiplies` where a row may meet several."""

    source: TableKey
    target: TableKey
    pairs: tuple[tuple[str, str], ...]
    multiplies: bool
    cost: float = 1.0

    @property
    def ends(self) -> tuple[Pointer, Pointer]:
        """The first columns that it sets equal."""
        left, right = self.pairs[0]
        return (self.source, left), (self.target, right)


_Ways = dict[TableKey, tuple[float, Step | None]]


class JoinGraph:
    """The catalog's tables and the steps between them."""

    def __init__(self, catalog: Catalog) -> None:
        self._steps: dict[TableKey, list[Step]] = {table.key: [] for table in catalog.tables}
        self._keys = {table.key: table for table in catalog.tables}
        self._searched: dict[frozenset[TableKey], _Ways] = {}
        for table in catalog.tables:
            self._add_declared(catalog, table)
        self._add_same_names(catalog)
        self._add_shared_columns(catalog)

    def _add_declared(self, catalog: Catalog, table: Table) -> None:
        for key in table.foreign_keys:
            target = catalog.table(key.ref_schema, key.ref_table)
            if target and target.key != table.key:
                pairs = tuple(zip(key.columns, key.ref_columns, strict=False))
                role = _OF_A_ROLE if any(_is_of_role(table, name, target) for name in key.columns) else 0.0
                self._both(table.key, target.key, pairs, (1.1 if key.inferred else 1.0) + role)

    def _both(self, child: TableKey, parent: TableKey, pairs: tuple[tuple[str, str], ...], cost: float) -> None:
        back = tuple((right, left) for left, right in pairs)
        self._searched = {}
        one_to_one = {left.casefold() for left, _ in pairs} == self._primary(child)
        self._steps[child].append(Step(child, parent, pairs, False, cost))
        self._steps[parent].append(Step(parent, child, back, not one_to_one, cost))

    def _primary(self, key: TableKey) -> set[str]:
        return {name.casefold() for name in self._keys[key].primary_key}

    def _add_same_names(self, catalog: Catalog) -> None:
        """Where no key is declared: a column called like another table's key, `customer_id` or customer's `id`."""
        parents: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
        keys = [_single_key(table) for table in catalog.tables]
        for place, (parent, key) in enumerate(zip(catalog.tables, keys, strict=True)):
            if key:
                parents[parent.schema, _pointing_stems(parent, key)].append(place)
        fitting = {
            (up, down)
            for down, child in enumerate(catalog.tables)
            for column in child.columns
            for up in _few(parents.get((child.schema, child.stems(column.name)), ()))
        }
        for up, down in sorted(fitting):
            self._add_same_name(catalog.tables[up], keys[up] or "", catalog.tables[down])

    def _add_same_name(self, parent: Table, key: str, child: Table) -> None:
        name = _pointing_at(child, parent, key)
        if name and child.key != parent.key and not self._linked(child.key, parent.key):
            self._both(child.key, parent.key, ((name, key),), 1.3)

    def _add_shared_columns(self, catalog: Catalog) -> None:
        """Between tables no key connects at all: a column of one name and type, which tells the rows of one apart."""
        for one, other in combinations(self._apart(catalog), 2):
            if not self._linked(one.key, other.key) and self.path(one.key, other.key) is None:
                shared = [each for each in one.columns if _alike(catalog, one, other, each)]
                for child, parent in ((one, other), (other, one)):
                    if name := next((each.name for each in shared if tells_apart(parent, each.name)), None):
                        self._both(child.key, parent.key, ((name, name),), 3.0)
                        break

    def _apart(self, catalog: Catalog) -> list[Table]:
        """The tables that no step leads from, but for very many of them."""
        alone = [table for table in catalog.tables if not self._steps[table.key]]
        return alone if len(alone) <= _MOST_APART else []

    def _linked(self, one: TableKey, other: TableKey) -> bool:
        return any(step.target == other for step in self._steps[one])

    def pointer(self, home: TableKey, owner: TableKey) -> Col | None:
        """The column of `home`, or of a table that its rows point at, that tells which row of `owner` it belongs to."""
        steps = self.path(home, owner) or []
        if not steps or any(step.multiplies for step in steps) or len(steps[-1].pairs) != 1:
            return None
        return Col(steps[-1].source, steps[-1].pairs[0][0])

    def pointed(self, column: Col) -> Col:
        """The key that a column points to in the end; itself where it points to none."""
        seen = {column}
        while (target := self._pointed_by(column)) and target not in seen:
            seen.add(target)
            column = target
        return column

    def _pointed_by(self, column: Col) -> Col | None:
        steps = self._steps.get(column.table, ())
        found = (each for each in steps if not each.multiplies and len(each.pairs) == 1)
        return next((Col(e.target, e.pairs[0][1]) for e in found if e.pairs[0][0] == column.name), None)

    def is_key(self, column: Col) -> bool:
        """Whether it alone tells the rows of its table apart, and other tables point to it."""
        return self._primary(column.table) == {column.name.casefold()}

    def belongs(self, key: TableKey, owner: TableKey) -> bool:
        """Whether an owner has many rows of `key`."""
        return any(step.multiplies for step in self.path(owner, key) or ())

    def is_of(self, key: TableKey, owner: TableKey) -> bool:
        """Whether an owner has many rows of `key`, each of which is of one owner: none counts twice beside it."""
        return self.belongs(key, owner) and not self.belongs(owner, key)

    def are_apart(self, one: TableKey, other: TableKey) -> bool:
        """Whether rows of two tables only share what both are of: what one customer bought, and what they asked."""
        return self.belongs(one, other) and self.belongs(other, one)

    def path(self, source: TableKey, target: TableKey, through: Collection[Pointer] = ()) -> list[Step] | None:
        """The cheapest way from `source` to `target`, by the keys of `through`; None where there is none."""
        steps = self._search({source}, target)
        return steps and [self._by(step, through) for step in steps]

    def ways(self, step: Step) -> list[Step]:
        """All steps between the same two tables that go by one column, `step` among them."""
        alike = (each for each in self._steps[step.source] if each.target == step.target)
        return [each for each in alike if len(each.pairs) == 1]

    def _by(self, step: Step, through: Collection[Pointer]) -> Step:
        """The step between the same tables that goes by a key of `through`; itself where none does."""
        ways = self.ways(step) if through else ()
        return next((each for each in ways if not set(each.ends).isdisjoint(through)), step)

    def tree(
        self, anchor: TableKey, needed: Iterable[TableKey], through: Collection[Pointer] = ()
    ) -> list[Step] | None:
        """Steps that reach every table needed from the anchor, by the keys of `through`; None where none reaches one.

        The nearest first; of those as near the ones that the anchor's rows point at, then what points at most others.
        """
        reached, steps = {anchor}, list[Step]()
        left = set(needed) - reached
        own = {step.target for step in self._steps.get(anchor, ()) if not step.multiplies}
        points = {key: 0 if key in own else self._points_at(key, left) for key in left}
        for target in sorted(left, key=lambda key: (self.distance(anchor, key), key not in own, -points[key], key)):
            path = self._directly(anchor, reached, target) or self._search(reached, target)
            if path is None:
                return None
            for step in path:
                if step.target not in reached:
                    reached.add(step.target)
                    steps.append(self._by(step, through))
        return steps

    def _directly(self, anchor: TableKey, reached: set[TableKey], target: TableKey) -> list[Step]:
        """The step from the anchor's own rows where no way from those that are reached is shorter: a professor's
        employee is no head of the department."""
        path, other = self._search({anchor}, target) or [], self._search(reached, target) or []
        if len(path) != 1 or not other or path[0].multiplies > other[-1].multiplies:
            return []
        return path if path[0].cost <= sum(step.cost for step in other) + 1e-9 else []

    def _points_at(self, key: TableKey, others: Collection[TableKey]) -> int:
        """At how many others the rows of a table point: beside whom a professor is, and whose department."""
        return len({step.target for step in self._steps.get(key, ()) if not step.multiplies}.intersection(others))

    def distance(self, source: TableKey, target: TableKey) -> float:
        """The cost of the cheapest way; 99 where there is none."""
        path = [] if source == target else self._search({source}, target)
        return 99.0 if path is None else sum(step.cost for step in path)

    def reaches(self, source: TableKey, target: TableKey) -> bool:
        """Whether keys join the two."""
        return source == target or self._search({source}, target) is not None

    def children(self, key: TableKey) -> list[TableKey]:
        """The tables whose rows belong to a row of `key`."""
        return [step.target for step in self._steps[key] if step.multiplies]

    def neighbours(self, key: TableKey) -> list[Step]:
        return self._steps[key]

    def _search(self, sources: set[TableKey], target: TableKey) -> list[Step] | None:
        start = frozenset(sources)
        ways = self._searched.get(start)
        if ways is None:
            if len(self._searched) >= _MOST_SEARCHED:
                self._searched = {}
            ways = self._searched[start] = self._ways(start)
        return _back(ways, target) if target in ways else None

    def _ways(self, sources: frozenset[TableKey]) -> _Ways:
        """For every table in reach the cost of the cheapest way there, and its last step."""
        best: _Ways = dict.fromkeys(sources, (0.0, None))
        queue = deque(sorted(sources))
        while queue:
            here = queue.popleft()
            cost, last = best[here]
            for step in self._steps.get(here, ()):
                turns = last is not None and last.multiplies != step.multiplies
                dearer = cost + step.cost + (_MULTIPLIES if step.multiplies else 0) + (_TURNS if turns else 0)
                if step.target not in best or dearer < best[step.target][0] - 1e-9:
                    best[step.target] = (dearer, step)
                    queue.append(step.target)
        return best


def _back(ways: _Ways, target: TableKey) -> list[Step]:
    """The steps of the way to `target`, from its last to the first, put in order."""
    steps = list[Step]()
    step = ways[target][1]
    while step:
        steps.append(step)
        step = ways[step.source][1]
    return steps[::-1]


def _is_of_role(table: Table, name: str, target: Table) -> bool:
    """Whether a key is called as what it points at, and more: `home_clinic_id`."""
    called = set(table.stems(name)) - KEY_WORDS
    return set(table_stems(target.name)) < called


def _alike(catalog: Catalog, one: Table, two: Table, column: Column) -> bool:
    """Whether the other table has a column of the same name and type, and both may hold one value."""
    other = two.column(column.name)
    if other is None or other.type != column.type:
        return False
    held = [each.samples or catalog.values.held_in(*of.key, each.name) for of, each in ((one, column), (two, other))]
    return any(each in held[1] for each in held[0]) if all(held) else _may_share(column, other)


def _may_share(column: Column, other: Column) -> bool:
    """Whether both may hold one value, by the least and the greatest that they hold."""
    ends = (column.minimum, column.maximum, other.minimum, other.maximum)
    if None in ends or (column.kind, column.date_format) != (other.kind, other.date_format):
        return True
    return bool(column.minimum <= other.maximum and other.minimum <= column.maximum)


def tells_apart(table: Table, name: str) -> bool:
    """Whether no two rows share a value, as far as is known."""
    column = table.column(name)
    return column is not None and (column.n_distinct is None or column.n_distinct == table.row_count)


def _single_key(table: Table) -> str | None:
    if len(table.primary_key) == 1:
        return table.primary_key[0]
    if table.primary_key:
        return None
    rows = table.row_count or 0
    ids = [c.name for c in table.columns if table.stems(c.name)[-1:] == ("id",) and rows and c.n_distinct == rows]
    return ids[0] if ids else None


def _few(places: Sequence[int]) -> Sequence[int]:
    """None of very many: a name that the keys of so many tables have says nothing of which one is meant."""
    return places if len(places) <= _MOST_PARENTS else ()


def _pointing_stems(parent: Table, key: str) -> tuple[str, ...]:
    """What a column is called that points at `key`."""
    stems = parent.stems(key)
    return stems if len(stems) > 1 else (*table_stems(parent.name)[-1:], *stems)


def _pointing_at(child: Table, parent: Table, key: str) -> str | None:
    wanted = _pointing_stems(parent, key)
    for column in child.columns:
        if child.stems(column.name) == wanted and column.type == (parent.column(key) or column).type:
            return column.name
    return None
