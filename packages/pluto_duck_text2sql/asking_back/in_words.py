"""What an option is called: words that tell its reading, and behind them in brackets the name that finds it again.

    by orders.ordered_on   ─▶   by the day the order was made (orders.ordered_on)
    sum of visit.total     ─▶   the total of all visits (sum of visit.total)

Called by `doubts` for every option, whoever found it. The words are of the catalog alone: a comment, else the names and
what kind of thing they hold. An option is picked by its whole text or by the name in its brackets, `by` or not, which
was all of its text once; so what was written down keeps its meaning, and better words break nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pluto_duck_text2sql.asking_back.column_words import bare, many, one, said_by_comment, said_by_name, said_of_those
from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words
from pluto_duck_text2sql.tree import Query, columns_in
from pluto_duck_text2sql.trees.phrases import shown_name

_BY = "by "
_FORM = Pattern(
    r"(?P<how>number of |sum of |average of |the first |all of |without |with |per )?(?P<name>.+?)(?: then)?"
)
_VALUE = " = "
_ROWS = {
    "": "the {many}",
    "number of": "the number of {many}",
    "all of": "all {many}",
    "with": "those with {many} then",
    "per": "for each {one}",
}
_FIGURES = {"sum of": "the {column} of all {many}", "average of": "the average {column} of the {many}"}

Tell = Callable[[Table, Column], str]


def name_in(option: str) -> str:
    """The name that finds an option again: what stands in the brackets at its end, else its text."""
    depth = 0
    for place in range(len(option) - 1, -1, -1) if option.endswith(")") else ():
        depth += (option[place] == ")") - (option[place] == "(")
        if depth == 0:
            return option[place + 1 : -1]
    return option.removeprefix(_BY)


def means(said: str, option: str) -> bool:
    """Whether what somebody says is an option's whole text, or the name in its brackets."""
    said, option = said.strip().casefold(), option.casefold()
    return said == option or said.removeprefix(_BY) == name_in(option)


@dataclass(frozen=True)
class InWords:
    """Tells the options of one catalog's questions in words."""

    catalog: Catalog

    def told(self, options: Sequence[tuple[str, Query]]) -> list[str]:
        """The text of each option, by its name and tree; where comments tell some alike, all by the names alone."""
        by_comments = [
            self._text(*each, lambda table, column: said_by_comment(column) or said_by_name(table, column))
            for each in options
        ]
        words = {text.removesuffix(f"({name_in(text)})") for text in by_comments}
        return by_comments if len(words) == len(options) else [self._text(*each, said_by_name) for each in options]

    def _text(self, label: str, query: Query, tell: Tell) -> str:
        """An option's text; its name alone where there are no other words for it."""
        name = label.removeprefix(_BY)
        words = self._words(name, query, tell)
        is_same = not words or words.removeprefix("the ").casefold() == name.casefold()
        return label if is_same else f"{label.removesuffix(name)}{words} ({name})"

    def _words(self, name: str, query: Query, tell: Tell) -> str:
        column, at, value = name.partition(_VALUE)
        if at and column in self._columns:
            return f'"{value}" as {tell(*self._columns[column])}'
        found = _FORM.fullmatch(name)
        how, of = ((found["how"] or "").rstrip(), found["name"]) if found else ("", "")
        table = self._tables.get(of)
        if table and how in _ROWS:
            return _ROWS[how].format(one=one(table), many=many(table))
        return self._left_out(of, query) if how == "without" else self._of_columns(how, of, query, tell)

    def _of_columns(self, how: str, of: str, query: Query, tell: Tell) -> str:
        """A column, the first one of them, or a figure made of one or of several."""
        own = self._columns.get(of) or (None if how else self._own(of, query))
        if own and how == "the first":
            return f"their first {one(own[0])}, {tell(*own)}"
        if own and not how:
            is_bare = of not in self._columns and own[0].key == query.anchor
            return f"the {bare(own[1])}" if is_bare else tell(*own)
        table, said = (own[0], bare(own[1])) if own else self._product(of)
        return _FIGURES[how].format(column=said, many=many(table)) if table and how in _FIGURES else ""

    def _product(self, of: str) -> tuple[Table | None, str]:
        """`line.price × qty`: whose it is, and its factors in words."""
        whose, _, factors = of.rpartition(".") if " × " in of and "(" not in of else ("", "", "")
        words = (" ".join(name_words(each)) for each in re.split(r" [×] ", factors))
        return self._tables.get(whose), " times ".join(words)

    def _left_out(self, of: str, query: Query) -> str:
        """`without left_on`, `without status cancelled, no-show`: what those have that are left out."""
        state, _, values = of.partition(" ")
        own = self._own(state, query)
        if own is None:
            return ""
        some = f"whose {bare(own[1])} is {values.replace(', ', ' or ')}" if values else said_of_those(*own)
        return f"without those {some}"

    def _own(self, name: str, query: Query) -> tuple[Table, Column] | None:
        """A column of a tree by its bare name, first one of the rows that it starts at."""
        tables = map(self.catalog.table, *zip(query.anchor, *(each.table for each in columns_in(query)), strict=True))
        return next(((table, found) for table in tables if table and (found := table.column(name))), None)

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {shown_name(each.key): each for each in self.catalog.tables}

    @cached_property
    def _columns(self) -> dict[str, tuple[Table, Column]]:
        return {f"{name}.{each.name}": (table, each) for name, table in self._tables.items() for each in table.columns}
