"""Which tables and columns a question needs, of very many: by the analyst's links, and by words of names and comments.

An index of words is made once a catalog; a question then costs a few look-ups. Tables that lie between two likely ones
on the way of the keys come with them, since a join needs them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pluto_duck_backend.agent.context.describing import Detail, described, shown_in
from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.analysis import Links
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.twins import named_in, one_of_each
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.words import STOP, SYNONYMS, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.terms.terms import Said
from pluto_duck_text2sql.tree import Col, TableKey, nodes_in

_IN_TABLE, _IN_COLUMN, _IN_SCHEMA, _IN_COMMENT = 3.0, 2.0, 2.0, 1.0
_SYNONYM = 0.6
_LINKED_TABLE, _LINKED_COLUMN, _LINKED_VALUE, _TERM = 4.0, 2.0, 3.0, 6.0
_NEIGHBOUR = 0.25
_LIKELIEST = 6
_FARTHEST = 4.5
_KEPT_TEXTS = _KEPT_WORDS = 4_096
_Posting = tuple[int, str, float]
#   the place of a table, the column ("" for the table itself), the weight


@dataclass(frozen=True)
class Linked:
    """The tables of a catalog, the likeliest first; `columns` of each that the question names; stored values."""

    tables: tuple[Table, ...]
    columns: Mapping[TableKey, frozenset[str]] = field(default_factory=dict)
    values: tuple[ValueHit, ...] = ()
    earlier: tuple[tuple[Table, TableKey], ...] = ()
    #   tables that are not among these, each with the one that holds its facts and is preferred


@dataclass(frozen=True)
class _Having:
    """The tables, by place, that have a word: what it weighs there, and those of their columns that it names."""

    weights: Mapping[int, float]
    columns: Mapping[int, set[str]]


class Linker:
    """The words of one catalog's names and comments, and its tables as text. Made once for a catalog; thread-safe."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins = catalog, joins
        self._one_of_each = one_of_each(catalog)
        self._places = {table.key: place for place, table in enumerate(catalog.tables)}
        self._words: dict[str, list[_Posting]] = defaultdict(list)
        self._having = lru_cache(maxsize=_KEPT_WORDS)(self._counted)
        self._text = lru_cache(maxsize=_KEPT_TEXTS)(self._described)
        for place, table in enumerate(catalog.tables):
            self._add(place, "", table_stems(table.name), _IN_TABLE)
            self._add(place, "", name_stems(table.schema), _IN_SCHEMA)
            self._add(place, "", _stems(table.comment), _IN_COMMENT)
            for column in table.columns:
                self._add(place, column.name, name_stems(column.name), _IN_COLUMN)
                self._add(place, column.name, _stems(column.comment), _IN_COMMENT)

    def _add(self, place: int, column: str, stems: Iterable[str], weight: float) -> None:
        for each in set(stems):
            self._words[each].append((place, column, weight))

    def link(self, question: str, analyst: Analyst) -> Linked:
        """All tables by what the question needs of them."""
        tokens = tokenise(question)
        scores, columns = self._by_words({token.stem for token in tokens if token.lower not in STOP})
        links = analyst.link(question)
        self._add_links(links, scores, columns)
        self._add_terms(analyst.terms.find(tokens), scores, columns)
        earlier = self._earlier(question)
        scores = {place: score for place, score in scores.items() if place not in earlier}
        self._add_joined(scores)
        likely = sorted(scores.keys() - earlier, key=lambda place: (-scores[place], place))
        others = [place for place in range(len(self._catalog.tables)) if place not in scores and place not in earlier]
        named = {self._catalog.tables[place].key: frozenset(some) for place, some in columns.items()}
        tables = [self._catalog.tables[place] for place in (*likely, *others)]
        return Linked(tuple(tables), named, links.values, tuple(earlier.values()))

    def _earlier(self, question: str) -> dict[int, tuple[Table, TableKey]]:
        """The tables, by place, that tell what a preferred one tells as well; not those that the question names."""
        instead = self._one_of_each.instead
        if not instead:
            return {}
        named = named_in(question, self._catalog, self._one_of_each)
        left = ((self._places[key], better) for key, better in instead.items() if not set(key) & named)
        return {place: (self._catalog.tables[place], better) for place, better in left}

    def described(self, table: Table, linked: Collection[str], detail: Detail, *, values: bool) -> str:
        """The table as `describing` shows it; kept, since only very wide ones look otherwise at another question."""
        named = frozenset(linked) if len(table.columns) > shown_in(detail) else frozenset[str]()
        return self._text(self._places[table.key], named, detail, values)

    def _described(self, place: int, linked: Collection[str], detail: Detail, values: bool) -> str:
        return described(self._catalog.tables[place], linked, detail, values=values)

    def _by_words(self, stems: set[str]) -> tuple[dict[int, float], dict[int, set[str]]]:
        """For each table the sum over the question's words of the best that the table has of each."""
        scores: dict[int, float] = defaultdict(float)
        columns: dict[int, set[str]] = defaultdict(set)
        for each in stems:
            best: dict[int, float] = {}
            for word, part in self._said_as(each):
                having = self._having(word)
                for place, weight in having.weights.items():
                    best[place] = max(best.get(place, 0.0), part * weight)
                for place, named in having.columns.items():
                    columns[place] |= named
            for place, score in best.items():
                scores[place] += score
        return scores, columns

    def _counted(self, word: str) -> _Having:
        """Which tables have a word. It tells them apart by the logarithm of all to those that have it."""
        weights: dict[int, float] = {}
        columns: dict[int, set[str]] = defaultdict(set)
        for place, column, weight in self._words.get(word, ()):
            weights[place] = max(weights.get(place, 0.0), weight)
            if column and weight > _IN_COMMENT:
                columns[place].add(column)
        rarity = math.log(1 + len(self._catalog.tables) / (1 + len(weights)))
        return _Having({place: weight * rarity for place, weight in weights.items()}, columns)

    def _said_as(self, word: str) -> Iterable[tuple[str, float]]:
        yield word, 1.0
        others = {*SYNONYMS.get(word, ()), *(other[0] for other in alike().get((word,), ()) if len(other) == 1)}
        yield from ((other, _SYNONYM) for other in sorted(others - {word}))

    def _add_links(self, links: Links, scores: dict[int, float], columns: dict[int, set[str]]) -> None:
        for table, score in links.tables:
            self._raise(scores, table.key, _LINKED_TABLE * score)
        for link in links.columns:
            self._raise(scores, (link.schema, link.table), _LINKED_COLUMN * link.score)
            self._name(columns, (link.schema, link.table), link.column)
        for hit in links.values:
            self._raise(scores, (hit.schema, hit.table), _LINKED_VALUE * hit.score / (1 + len(links.values) / 8))
            self._name(columns, (hit.schema, hit.table), hit.column)

    def _add_terms(self, said: Iterable[Said], scores: dict[int, float], columns: dict[int, set[str]]) -> None:
        """What the user's glossary says a word means is needed."""
        for term in (each.term for each in said):
            for target in term.targets:
                self._raise(scores, target.table.key, _TERM)
                self._name(columns, target.table.key, target.column.name if target.column else "")
            parts = [node for option in term.options for cond in option for node in nodes_in(cond)]
            parts += nodes_in(term.measure) if term.measure else ()
            for column in (part for part in parts if isinstance(part, Col)):
                self._raise(scores, column.table, _TERM / 2)
                self._name(columns, column.table, column.name)

    def _raise(self, scores: dict[int, float], key: TableKey, by: float) -> None:
        if key in self._places:
            scores[self._places[key]] += by

    def _name(self, columns: dict[int, set[str]], key: TableKey, column: str) -> None:
        if key in self._places and column:
            columns[self._places[key]].add(column)

    def _add_joined(self, scores: dict[int, float]) -> None:
        """Tables on the way between likely ones, then those next to them."""
        likely = sorted(scores, key=lambda place: (-scores[place], place))[:_LIKELIEST]
        keys = [self._catalog.tables[place].key for place in likely]
        before = dict(scores)
        for one, other in ((one, other) for n, one in enumerate(keys) for other in keys[n + 1 :]):
            least = min(before[self._places[one]], before[self._places[other]])
            path = self._joins.path(one, other) or ()
            if path and sum(step.cost for step in path) <= _FARTHEST:
                for step in path[:-1]:
                    place = self._places[step.target]
                    scores[place] = max(scores.get(place, 0.0), 0.9 * least)
        for key in keys[:3]:
            for step in self._joins.neighbours(key):
                place = self._places[step.target]
                scores[place] = max(scores.get(place, 0.0), _NEIGHBOUR * before[self._places[key]])


def _stems(text: str) -> list[str]:
    return [stem(token.lower) for token in tokenise(text[:400]) if token.lower not in STOP] if text else []
