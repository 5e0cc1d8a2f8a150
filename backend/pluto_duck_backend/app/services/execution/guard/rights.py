"""What one user, agent or run may see: schemas and tables, columns, and the rows that a predicate lets through.

Applied on the statement's own tree: a table is replaced by `(SELECT its columns FROM it WHERE its predicate)` at every
place DuckDB would read it, views by their confined definitions. Whatever cannot be confined is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.warehouse import quote
from pluto_duck_backend.app.services.execution.guard import tree
from pluto_duck_backend.app.services.execution.guard.known import Key, Known, Relation, no_step
from pluto_duck_backend.app.services.execution.guard.tree import Node
from pluto_duck_backend.app.services.execution.guard.walk import Walk


@dataclass(frozen=True)
class Rights:
    """Names are `schema.table`, or `table` in main; tables may be patterns (`staging.*`)."""

    name: str
    tables: tuple[str, ...] = ("*",)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #   the only columns of a table that may be seen; a table that is not here shows all
    rows: Mapping[str, str] = field(default_factory=dict)
    #   a condition in SQL over the table's columns; a table that is not here shows all rows
    within: Rights | None = None
    #   further rights that hold as well: what is seen is what both show

    def visible(self, known: Known) -> Known:
        """What may be named: the tables granted, with the columns granted."""
        granted = (self._granted(each, known) for each in known.relations.values() if self._grants(each))
        macros = {name: texts for name, texts in known.macros.items() if not _reads_tables(texts, known)}
        relations = {each.key: each for each in granted}
        return replace(known, relations=relations, macros=macros, step_to=no_step)

    def confine(self, statement: Node, walk: Walk, known: Known) -> bool:
        """Rewrite `statement` in place as these rights want it; whether anything had to be."""
        if walk.catalog_views:
            raise Refused(
                "SHOW TABLES and information_schema are refused: your rights show part of the warehouse.",
                code="not_granted",
                hint="`pluto-duck schema` and GET /api/v1/schema list what you may see.",
            )
        changed = False
        for node, relation in walk.references:
            source = self._source(relation, known)
            if source:
                _replace(node, source, relation)
                changed = True
        return changed

    def confined(self, relation: Relation, known: Known) -> str:
        """SQL that gives what may be seen of a visible relation."""
        return self._source(relation, known) or f"SELECT * FROM {_quoted(relation)}"

    def is_restricted(self, relation: Relation) -> bool:
        """Whether some of its columns or rows are hidden."""
        return self._columns(relation) is not None or self._predicate(relation) is not None

    def _grants(self, relation: Relation) -> bool:
        mine = any(fnmatchcase(_full(relation.key), full_pattern(each)) for each in self.tables)
        return mine and (self.within is None or self.within._grants(relation))

    def _vouches(self, relation: Relation) -> bool:
        """Whether a view is granted as itself, not by a pattern's chance; who sees everything need not name it."""
        mine = "*" in self.tables or _full(relation.key) in map(full_pattern, self.tables)
        return mine and (self.within is None or self.within._vouches(relation))

    def _names(self, relation: Relation) -> bool:
        mine = _full(relation.key) in map(full_pattern, self.tables)
        return mine or (self.within is not None and self.within._names(relation))

    def _granted(self, relation: Relation, known: Known) -> Relation:
        """A view named in full is granted as it stands, unless what it reads is restricted."""
        columns = self._columns(relation)
        shown = relation if columns is None else replace(relation, columns=columns)
        named = self._names(relation) and self._vouches(relation)
        if relation.query is None or not named or self._reads_restricted(relation, known):
            return shown
        return replace(shown, query=None)

    def _reads_restricted(self, relation: Relation, known: Known) -> bool:
        walk = Walk(known)
        walk.statement(tree.parse(f"SELECT * FROM {_quoted(relation)}"))
        return any(self.is_restricted(each) for each in walk.tables if each.key != relation.key)

    def _columns(self, relation: Relation) -> tuple[str, ...] | None:
        """The columns granted, as the table spells them; None: all. Those it no longer has are not there."""
        mine = self._listed(relation)
        theirs = self.within._columns(relation) if self.within else None
        if mine is None or theirs is None:
            return theirs if mine is None else mine
        return tuple(column for column in mine if column in theirs)

    def _listed(self, relation: Relation) -> tuple[str, ...] | None:
        for name, columns in self.columns.items():
            if full_pattern(name) == _full(relation.key):
                wanted = {column.casefold() for column in columns}
                return tuple(column for column in relation.columns if column.casefold() in wanted)
        return None

    def _predicate(self, relation: Relation) -> str | None:
        mine = next((text for name, text in self.rows.items() if full_pattern(name) == _full(relation.key)), None)
        theirs = self.within._predicate(relation) if self.within else None
        if mine is None or theirs is None:
            return theirs if mine is None else mine
        return f"(\n{mine}\n) AND (\n{theirs}\n)"  # a comment in one ends before the other

    def _source(self, relation: Relation, known: Known) -> str:
        """A query that stands for the relation; empty where it may be read as it is."""
        if not self.is_restricted(relation) and relation.query is None:
            return ""
        full = known.relations[relation.key]
        columns = self._columns(full)
        if columns == ():
            raise Refused(f"No column of {relation} may be seen.", code="not_granted")
        listed = "*" if columns is None else ", ".join(map(quote, columns))
        base = f"({self._definition(relation, known)})" if relation.query is not None else _quoted(relation)
        predicate = self._predicate(full)
        condition = f" WHERE (\n{predicate}\n)" if predicate else ""
        return _qualified(f"SELECT {listed} FROM {base} AS {quote(relation.name)}{condition}", known)

    def _definition(self, view: Relation, known: Known) -> str:
        statement = tree.parse(view.query or "")
        walk = Walk(self.visible(known))
        walk.statement(statement)
        return tree.unparse(statement) if self.confine(statement, walk, known) else view.query or ""


def _qualified(sql: str, known: Known) -> str:
    """`sql` with each table's schema written, so that no CTE around it can take a name of its."""
    statement = tree.parse(sql)
    walk = Walk(known)
    walk.statement(statement)
    for node, relation in walk.references:
        tree.qualify(node, relation.schema, relation.name)
    return tree.unparse(statement)


def _replace(node: Node, source: str, relation: Relation) -> None:
    """Put a subquery where a table stands, under the name the table has there."""
    if node["type"] == "SHOW_REF":
        node.update(tree.parse(f"DESCRIBE {source}")["node"]["from_table"])
        return
    alias = node.get("alias") or relation.name
    made = tree.parse(f"SELECT * FROM ({source}) AS {quote(alias)}")["node"]["from_table"]
    kept = {key: node[key] for key in ("sample", "column_name_alias") if key in node}
    node.clear()
    node.update(made | kept)


def _reads_tables(definitions: tuple[str, ...], known: Known) -> bool:
    """Whether a macro reads anything; one that may not run at all counts."""
    try:
        return any(_tables_of(text, known) for text in definitions)
    except Refused:
        return True


def _tables_of(text: str, known: Known) -> set[Relation]:
    walk = Walk(known)
    walk.statement(tree.parse(text))
    return walk.tables


def full_pattern(name: str) -> str:
    """A granted name as a pattern of `schema.table` in small letters; one without a schema is in main."""
    folded = name.casefold()
    return folded if "." in folded or folded == "*" else f"main.{folded}"


def _full(key: Key) -> str:
    return ".".join(key)


def _quoted(relation: Relation) -> str:
    return f"{quote(relation.schema)}.{quote(relation.name)}"
