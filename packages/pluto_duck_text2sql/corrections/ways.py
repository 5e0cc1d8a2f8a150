"""Which of two keys, or of two ways by other tables, is meant: a trip starts at one station and ends at another.

Called by `corrections`, which takes the key that the question says, and by `doubts`, which asks where it says none. A
key is said by a word that is in its name alone (`ended`, `reported`), by `from` and `to` before what it leads to, or
because it is called as the key that it points at, and the others are not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from pluto_duck_text2sql.corrections.headings import FROM, TO
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import KEY_WORDS, JoinGraph, Step
from pluto_duck_text2sql.language.words import STOP, Token, root, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Among,
    Col,
    Compare,
    Inside,
    Pointer,
    Query,
    Related,
    TableKey,
    all_nodes_in,
    columns_in,
    mapped,
    nodes_in,
)

_PARTICLES = frozenset("by to of for from in on at be".split())
_HEADINGS = (("from", {*map(root, FROM), "leave"}), ("to", {*map(root, TO), "land"}))
"""What is said of where things come from and go to; the first word alone says it only before what a key leads to."""
_AS_LONG = 0.15
"""By how much the ways of keys that are declared, or called otherwise, may differ."""
_SHORT = 4
"""A word of no more letters, `over`, names nobody who does something."""
_LED_BY = frozenset("a an the each every any all which what these those this that".split())


@dataclass(frozen=True)
class Fork:
    """The columns by which rows of one table lead `to` another, that one first which the tree goes by."""

    pointers: tuple[Pointer, ...]
    to: TableKey


class Ways:
    """Chooses between the keys of one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins = catalog, joins

    def applied(self, query: Query, question: str) -> Query:
        """The tree with its joins by the keys that the question says."""
        inner = {each.query for each in all_nodes_in(query) if isinstance(each, Inside)}
        made: Query = mapped(query, partial(self._joined, question=question, inner=inner), (Query,))
        return made

    def _joined(self, node: Any, question: str, inner: Collection[Query]) -> Any:
        for fork in self._forks(node) if isinstance(node, Query) else ():
            if other := self._other(fork, node, node in inner):
                node = replace(node, through=(other, *node.through))
                continue
            meant = self._meant(fork, node, question)
            if len(meant) == 1 and meant[0] != fork.pointers[0]:
                node = replace(_led_by(node, fork, meant[0]), through=(*node.through, meant[0]))
        return node

    def by_named(self, query: Query, question: str) -> Query:
        """The tree with its ways by a table that the question names: of two as long `trained_in` for `who is trained
        in`, and the professors between employees and their department, whose head is another; what is said of a
        stored value names none: `returned orders by category`."""
        stored = {token.stem for value in _texts(query) for token in tokenise(value)}
        roots = {root(token.stem) for token in tokenise(question) if token.stem not in stored}
        return self._by_named(query, roots, set(_tables(query)))

    def _by_named(self, query: Query, roots: set[str], used: set[TableKey]) -> Query:
        """`used`: the tables of the whole tree, which nobody means a second time."""
        if query.then:
            query = replace(query, then=(query.then[0], self._by_named(query.then[1], roots, used)))
        tables = {query.anchor, *query.also, *(each.table for each in columns_in(query))}
        steps = self._joins.tree(query.anchor, tables, query.through) or ()
        named = [*self._passed(steps, tables, roots), *self._other_ways(steps, tables, roots)]
        return replace(query, also=(*query.also, named[0])) if named and named[0] not in used else query

    def _passed(self, steps: Sequence[Step], tables: set[TableKey], roots: set[str]) -> Iterator[TableKey]:
        """The one table that is named and passed over by a key between two others at both of which its rows point."""
        for step in steps:
            ends = {step.source, step.target}
            if ends <= tables:
                near = {each.target for each in self._joins.neighbours(step.source)} - tables
                named = [each for each in near if _is_named(each, roots) and ends <= self._pointed(each)]
                yield from named if len(named) == 1 else ()

    def _pointed(self, table: TableKey) -> set[TableKey]:
        return {each.target for each in self._joins.neighbours(table) if not each.multiplies}

    def _other_ways(self, steps: Sequence[Step], tables: set[TableKey], roots: set[str]) -> Iterator[TableKey]:
        """The one table that is named on a way as long as one by a table that is not."""
        for first, then in pairwise(steps):
            if first.target == then.source and first.target not in tables and not _is_named(first.target, roots):
                named = [each for each in self._instead(first, then) if _is_named(each, roots)]
                yield from named if len(named) == 1 else ()

    def _instead(self, first: Step, then: Step) -> Iterator[TableKey]:
        """The tables by which another way leads between the same two, no dearer."""
        for step in self._joins.neighbours(first.source):
            if step.target not in (first.target, then.target):
                on = [each for each in self._joins.neighbours(step.target) if each.target == then.target]
                if any(step.cost + each.cost <= first.cost + then.cost + _AS_LONG for each in on):
                    yield step.target

    def left_open(self, query: Query, question: str) -> Fork | None:
        """The first fork of a tree, in rows that the question names, at which nothing says which one way is meant."""
        stems = {token.stem for token in tokenise(question)}
        named = (each for each in self._forks(query) if stems.intersection(table_stems(each.pointers[0][0][1])))
        return next((each for each in named if len(self._meant(each, query, question)) != 1), None)

    def _meant(self, fork: Fork, query: Query, question: str) -> list[Pointer]:
        """The keys that the question says, else that the tree names, else the one called as what it points at."""
        return self._said(fork, question) or self._shown(fork, query) or self._plain(fork)

    def _forks(self, query: Query) -> Iterator[Fork]:
        tables = {*query.also, *(each.table for each in columns_in(query))}
        steps = list(self._joins.tree(query.anchor, tables, query.through) or ())
        for each in nodes_in(query):
            if isinstance(each, Related):
                steps += self._joins.path(query.anchor, each.table, query.through) or ()
        for step in dict.fromkeys(steps):
            ways = self._joins.ways(step)
            if len(ways) > 1:
                yield _fork([step, *(each for each in ways if each != step)])

    def _other(self, fork: Fork, query: Query, is_inner: bool) -> Pointer | None:
        """Of two keys the one that a query does not tell itself, where it looks one up for another, or rows only link
        two of a kind: what leads from a course to another, and a friend of Ann, is none by the key of that course, or
        of Ann."""
        is_link = self._only_links(fork)
        told = {each for each in fork.pointers if Col(*each) in query.select}
        if is_link:
            looked_for = set(_looked_for(query.where))
            told |= {each for each in fork.pointers if Col(*each) in looked_for}
        others = [each for each in fork.pointers if each not in told]
        is_clear = len(told) == len(others) == 1 and (is_inner or is_link)
        return others[0] if is_clear else None

    def _only_links(self, fork: Fork) -> bool:
        """Whether rows are no more than a link between two others: their own key is these keys, or they have hardly
        another column."""
        table = self._catalog.table(*fork.pointers[0][0])
        if table is None or fork.to == table.key:
            return False
        keys = {name for _, name in fork.pointers}
        own = set(table.primary_key)
        return own <= keys if own else len(table.columns) <= len(keys) + 1

    def _said(self, fork: Fork, question: str) -> list[Pointer]:
        """The keys of which a word of the question speaks."""
        tokens = tokenise(question)
        roots = {root(token.stem) for token in tokens}
        roots |= {root(f"{one.stem}{other.lower}") for one, other in pairwise(tokens)}  # picked up: pickup
        for word, heading in _HEADINGS:
            if _leads(tokens, word, fork.to) or roots & (heading - {word}):
                roots |= heading
        return [each for each in fork.pointers if self._apart(each, fork) & roots] or self._named(fork, roots)

    def _named(self, fork: Fork, roots: set[str]) -> list[Pointer]:
        """The one key of most words of those of which all words are said, unless these only say what it leads from or
        to: the president's votes, none of a class president."""
        known = roots_of((*KEY_WORDS, *table_stems(fork.to[1]), *table_stems(fork.pointers[0][0][1])))
        names = {each: roots_of(self._stems(each)) for each in fork.pointers}
        most = max((len(name) for name in names.values() if name <= roots), default=0)
        named = [each for each, name in names.items() if name <= roots and len(name) == most and not name <= known]
        return named if len(named) == 1 else []

    def _shown(self, fork: Fork, query: Query) -> list[Pointer]:
        """The keys that the tree names itself."""
        named = {(each.table, each.name) for each in nodes_in(query) if isinstance(each, Col)}
        return [each for each in fork.pointers if each in named]

    def _plain(self, fork: Fork) -> list[Pointer]:
        """The one key that is called as what it points at, if only one is, else as its own rows are besides: what is
        to be destroyed is destroyed by an employee, whoever authorised it."""
        ends = {*table_stems(fork.to[1]), *KEY_WORDS}
        for known in (ends, {*ends, *table_stems(fork.pointers[0][0][1]), *_PARTICLES}):
            plain = [each for each in fork.pointers if set(self._stems(each)) <= known]
            if plain:
                return plain if len(plain) == 1 else []
        return []

    def _apart(self, pointer: Pointer, fork: Fork) -> set[str]:
        """The words of a key's name, by their roots, that neither another key nor one of the tables shares."""
        others = {stem for each in fork.pointers if each != pointer for stem in self._stems(each)}
        shared = {*others, *KEY_WORDS, *table_stems(fork.to[1]), *table_stems(pointer[0][1])}
        return roots_of(self._stems(pointer)) - roots_of(shared)

    def _stems(self, pointer: Pointer) -> tuple[str, ...]:
        table = self._catalog.table(*pointer[0])
        return table.stems(pointer[1]) if table else ()


def roots_of(stems: Iterable[str]) -> set[str]:
    """What words of one origin with these share, those who do something with what they do: a `buyer` has bought."""
    return {root(each.removesuffix("er") if len(each) > _SHORT else each) for each in stems}


def _texts(query: Query) -> Iterator[str]:
    """The stored texts that a tree's conditions are about."""
    for each in all_nodes_in(query):
        values = (each.right,) if isinstance(each, Compare) else each.values if isinstance(each, Among) else ()
        yield from (value for value in values if isinstance(value, str))


def _tables(query: Query) -> Iterator[TableKey]:
    """All tables that a tree is of, in whatever part."""
    yield from (each.table for each in columns_in(query))
    for each in all_nodes_in(query):
        yield from (each.anchor, *each.also) if isinstance(each, Query) else ()
        yield from (each.table,) if isinstance(each, Related) else ()


def _is_named(table: TableKey, roots: set[str]) -> bool:
    """Whether a question of these words names a table."""
    return {root(each) for each in table_stems(table[1]) if each not in STOP} <= roots


def _looked_for(conditions: Iterable[Any]) -> Iterator[Any]:
    """What is compared with a text or a number, also of rows that there are."""
    for each in conditions:
        if isinstance(each, Compare) and isinstance(each.right, str | float):
            yield each.left
        elif isinstance(each, Related):
            yield from _looked_for(each.where)


def _fork(ways: Sequence[Step]) -> Fork:
    """The ends in which steps between the same two tables differ."""
    sources, targets = zip(*(each.ends for each in ways), strict=True)
    points_back = len(set(sources)) == 1
    return Fork(targets if points_back else sources, ways[0].source if points_back else ways[0].target)


def _led_by(query: Query, fork: Fork, meant: Pointer) -> Query:
    """The tree with the key that is meant wherever it names another one of the fork."""
    others = {Col(*each) for each in fork.pointers if each != meant}
    led: Query = mapped(query, lambda node: Col(*meant) if node in others else node)
    return led


def _leads(tokens: Sequence[Token], word: str, table: TableKey) -> bool:
    """Whether `from` or `to` stands before what a table is called, or at the end."""
    own = set(table_stems(table[1]))
    for place in (n for n, token in enumerate(tokens) if token.lower == word):
        rest = [each for each in tokens[place + 1 :] if each.lower not in _LED_BY]
        if not rest or rest[0].stem in own:
            return True
    return False
