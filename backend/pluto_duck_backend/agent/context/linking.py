"""Which tables and columns a question needs, of very many: by the analyst's links, and by words of names and comments.

An index of words is made once a catalog; a question then costs a few look-ups. Tables that lie between two likely ones
on the way of the keys come with them, since a join needs them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
_EMPTY = 0.25
#   what a table without rows is worth beside one with some: it answers little, whatever it is called
_LIKELIEST = 6
_FARTHEST = 4.5
_KEPT_TEXTS = _KEPT_WORDS = 4_096
_Posting = tuple[int, str, float]
#   the place of a table, the column ("" for the table itself), the weight
_Columns = Mapping[TableKey, Collection[str]]


@dataclass(frozen=True)
class Linked:
    """The tables of a catalog, the likeliest first; stored values that the question names."""

    tables: tuple[Table, ...]
    values: tuple[ValueHit, ...] = ()
    earlier: tuple[tuple[Table, TableKey], ...] = ()
    #   tables that are not among these, each with the one that holds its facts and is preferred
    named: tuple[_Columns, ...] = ()
    #   the columns that each word names, and what else of the question does

    def columns(self, table: Table) -> frozenset[str]:
        """The columns of a table that the question names; looked up, since a word may name one of every table."""
        return frozenset().union(*(each.get(table.key, ()) for each in self.named))


@dataclass(frozen=True)
class _Having:
    """The tables, by place, that have a word and what it weighs there; those of their columns that it names."""

    weights: Mapping[int, float]
    columns: _Columns


class Linker:
    """The words of one catalog's names and comments, and its tables as text. Made once for a catalog; thread-safe."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins = catalog, joins
        self._one_of_each = one_of_each(catalog)
        self._places = {table.key: place for place, table in enumerate(catalog.tables)}
        self._worth = [_EMPTY if table.row_count == 0 else 1.0 for table in catalog.tables]
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
        words = self._words_of({token.stem for token in tokens if token.lower not in STOP})
        scores, columns = self._by_words(words), defaultdict[TableKey, set[str]](set)
        links = analyst.link(question)
        self._add_links(links, scores, columns)
        self._add_terms(analyst.terms.find(tokens), scores, columns)
        earlier = self._earlier(question)
        scores = {place: score for place, score in scores.items() if place not in earlier} if earlier else scores
        self._add_joined(scores)
        scores = {place: score * self._worth[place] for place, score in scores.items()}
        likely = [place for place in _ranked(scores) if place not in earlier]
        others = [place for place in range(len(self._catalog.tables)) if place not in scores and place not in earlier]
        named = (columns, *(having.columns for some in words for having, _ in some))
        tables = tuple(self._catalog.tables[place] for place in (*likely, *others))
        return Linked(tables, links.values, tuple(earlier.values()), named)

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

    def _words_of(self, stems: set[str]) -> list[list[tuple[_Having, float]]]:
        """For each word of the question the words it may stand for that some table has, and how well they fit."""
        said = ([(self._having(word), part) for word, part in self._said_as(each)] for each in stems)
        return [found for some in said if (found := [each for each in some if each[0].weights])]

    def _by_words(self, words: Sequence[Sequence[tuple[_Having, float]]]) -> dict[int, float]:
        """For each table the sum over the question's words of the best that the table has of each."""
        scores: dict[int, float] = defaultdict(float)
        for (first, fits), *others in words:
            best = {place: fits * weight for place, weight in first.weights.items()}
            for having, part in others:
                for place, weight in having.weights.items():
                    best[place] = max(best.get(place, 0.0), part * weight)
            for place, score in best.items():
                scores[place] += score
        return scores

    def _counted(self, word: str) -> _Having:
        """Which tables have a word. It tells them apart by the logarithm of all to those that have it."""
        weights: dict[int, float] = {}
        columns: dict[TableKey, set[str]] = defaultdict(set)
        for place, column, weight in self._words.get(word, ()):
            weights[place] = max(weights.get(place, 0.0), weight)
            if column and weight > _IN_COMMENT:
                columns[self._catalog.tables[place].key].add(column)
        rarity = math.log(1 + len(self._catalog.tables) / (1 + len(weights)))
        return _Having({place: weight * rarity for place, weight in weights.items()}, columns)

    def _said_as(self, word: str) -> Iterable[tuple[str, float]]:
        yield word, 1.0
        others = {*SYNONYMS.get(word, ()), *(other[0] for other in alike().get((word,), ()) if len(other) == 1)}
        yield from ((other, _SYNONYM) for other in sorted(others - {word}))

    def _add_links(self, links: Links, scores: dict[int, float], columns: dict[TableKey, set[str]]) -> None:
        for table, score in links.tables:
            self._raise(scores, table.key, _LINKED_TABLE * score)
        for link in links.columns:
            self._raise(scores, (link.schema, link.table), _LINKED_COLUMN * link.score)
            self._name(columns, (link.schema, link.table), link.column)
        for hit in links.values:
            self._raise(scores, (hit.schema, hit.table), _LINKED_VALUE * hit.score / (1 + len(links.values) / 8))
            self._name(columns, (hit.schema, hit.table), hit.column)

    def _add_terms(self, said: Iterable[Said], scores: dict[int, float], columns: dict[TableKey, set[str]]) -> None:
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

    def _name(self, columns: dict[TableKey, set[str]], key: TableKey, column: str) -> None:
        if key in self._places and column:
            columns[key].add(column)

    def _add_joined(self, scores: dict[int, float]) -> None:
        """Tables on the way between likely ones, then those next to them."""
        likely = _ranked(scores)[:_LIKELIEST]
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


def _ranked(scores: Mapping[int, float]) -> list[int]:
    """The places, the highest score first, of equal ones in order; sorted twice, since no call a place is needed."""
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)


def _stems(text: str) -> list[str]:
    return [stem(token.lower) for token in tokenise(text[:400]) if token.lower not in STOP] if text else []
