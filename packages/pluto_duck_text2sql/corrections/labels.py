"""Rows shown by what they are called: by their code, or by the name of the row that a key points to.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Expr, Nested, Query, columns_in, nodes_in
from pluto_duck_text2sql.trees.resolve import Resolver, is_code

_KEYS = frozenset(map(stem, "id identifier key code number no num nr".split()))


def by_code(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """Rows that have a code of their own are shown by it, not by a number that only the tables know."""
    codes = {each: code for each in query.select if (code := _code_of(each, question, catalog, resolver))}
    if not codes or query.then:
        return query
    group = [part for each in query.group for part in (each, *([codes[each]] if each in codes else []))]
    return replace(query, select=tuple(codes.get(each, each) for each in query.select), group=tuple(group))


def _code_of(shown: Expr, question: str, catalog: Catalog, resolver: Resolver) -> Col | None:
    """The code of the rows that a number tells apart, which the question does not ask for."""
    table = catalog.table(*shown.table) if isinstance(shown, Col) else None
    if table is None or not isinstance(shown, Col) or [shown.name] != resolver.key(table):
        return None
    label, key = resolver.label(table), table.column(shown.name)
    code = label[0] if len(label) == 1 and label[0] != shown else None
    is_number = key is not None and key.kind == "number" and not _said_as_key(shown, question)
    return code if code and is_number and is_code(table, code.name) else None


class Named:
    """Shows rows by their names over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> None:
        self._catalog, self._joins, self._resolver = catalog, joins, resolver

    def applied(self, query: Query, question: str) -> Query:
        """A row of another table is shown by its name, not by the key that points to it, nor by both."""
        if query.then or any(isinstance(each, Nested) for each in nodes_in(query)):
            return query
        keys = [each for each in query.select if isinstance(each, Col) and not self._is_asked(each, question)]
        kept = tuple(each for each in query.select if each not in keys or not self._is_named(each, query))
        query = replace(query, select=kept) if kept and kept != query.select else query
        labels = {each: label for each in keys if (label := self._name_of(each, query))}
        if not labels or len({label[0].table for label in labels.values()}) < len(labels):
            return query  # of two rows of one table a tree shows one
        named: dict[Expr, Sequence[Expr]] = dict(labels.items())
        select = [part for each in query.select for part in named.get(each, (each,))]
        group: list[Expr] = [part for each in query.group for part in (each, *named.get(each, ()))]
        through = (*query.through, *((each.table, each.name) for each in labels))
        return replace(query, select=tuple(dict.fromkeys(select)), group=tuple(dict.fromkeys(group)), through=through)

    def _is_asked(self, column: Col, question: str) -> bool:
        """Whether the question asks for the key: by its name, or as the number or code of what it points to."""
        step = self._step_by(column)
        rows = table_stems(step.target[1])[-1:] if step else ()
        said = [token.stem for token in tokenise(question)]
        threes = zip(said, said[1:], [*said[2:], ""], strict=False)
        called = any((one,) == rows and other in _KEYS and after != "of" for one, other, after in threes)
        return called or _said_as_key(column, question) or bool(step and _is_own_word(column, step, said))

    def _is_named(self, column: Expr, query: Query) -> bool:
        """Whether the row that a column points to is shown by its name already."""
        step = self._step_by(column) if isinstance(column, Col) else None
        parent = self._catalog.table(*step.target) if step else None
        label = self._resolver.label(parent) if parent else []
        return bool(label) and column not in label and set(label) <= set(query.select)

    def _step_by(self, column: Col) -> Step | None:
        """To the row that a column points to."""
        return next((each for each in self._joins.neighbours(column.table) if _leads(each, column)), None)

    def _name_of(self, column: Col, query: Query) -> list[Col]:
        """What the row is called that a column points to; [] where it points to none, or that is no better."""
        step = self._step_by(column)
        parent = self._catalog.table(*step.target) if step else None
        if step is None or parent is None or any(each.table == parent.key for each in columns_in(query)):
            return []
        if self._joins.path(column.table, parent.key, [(column.table, column.name)]) != [step]:
            return []
        label = self._resolver.label(parent)
        if any(each.name == step.pairs[0][1] for each in label):
            return []
        texts = [
            each for each in label if (found := self._catalog.column(*each.table, each.name)) and found.kind == "text"
        ]
        keys = {name.casefold() for name in self._resolver.key(parent)}
        return texts if len(texts) == len(label) and not any(each.name.casefold() in keys for each in texts) else []


def _leads(step: Any, column: Col) -> bool:
    """Whether a step follows the column to the one row that it points to."""
    return not step.multiplies and len(step.pairs) == 1 and step.pairs[0][0].casefold() == column.name.casefold()


def _is_own_word(column: Col, step: Step, said: Sequence[str]) -> bool:
    """Whether both tables call a key by a word of its own, which is said: `each classroom`, where teachers have one."""
    stems, whole = {*name_stems(column.name)}, stem(column.name.casefold())
    is_shared = step.pairs[0][1].casefold() == column.name.casefold()
    is_said = stems <= {*said} or whole in said
    return is_shared and is_said and stems.isdisjoint((*table_stems(step.target[1]), *_KEYS))


def _said_as_key(column: Col, question: str) -> bool:
    """Whether the question asks for the key itself: `support rep id`, `department code`."""
    keys = {token.stem for token in tokenise(question)} & _KEYS
    spelt = re.search(rf"\b{re.escape(column.name)}\b", question, re.IGNORECASE) and not column.name.isalpha()
    return bool(keys & {"id", "identifi", "key", *name_stems(column.name)[-1:]} or spelt)
