"""Verbs of what rows keep: `the most rented film` is the film with the most rentals.

Called by `rewordings`. Only where one table of events is called by the verb and the form said names nothing itself.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.data.states import TELLS_STATES, called_off
from pluto_duck_text2sql.language.lexicon import others_for
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_words
from pluto_duck_text2sql.rewording.busiest import is_event
from pluto_duck_text2sql.trees.phrases import counts_pieces

_NAMED, _SHORTEST = 0.9, 3
_MOST = r"(?P<most>most|least)(?: (?:often|frequently|commonly))?"
_SUPERLATIVE = Pattern(rf"\b{_MOST}[ -](?P<did>[a-z]+ed) (?P<what>[a-z]+)\b", re.IGNORECASE)
_WHEN = Pattern(
    r"\b(?P<when>(?:which|what|at what|on which|in which) (?:hour|time|day|weekday|month|quarter|year)"
    r"(?: of (?:the )?(?:day|week|month|year))?) do (?:people|customers|clients|they|members|users)"
    rf" (?P<did>[a-z]+) (?:the )?{_MOST}\b",
    re.IGNORECASE,
)
_OFTEN = Pattern(r"\b(?P<did>[a-z]+ed) (?P<more>more|less) (?:often|frequently) (?=in|during|than)", re.IGNORECASE)


_COUNTED = Pattern(
    r"\b(?P<lead>number of|most|fewest|how many) (?P<what>[a-z]+s) (?:(?:were|was|have been|has been) )?"
    r"(?P<did>sold|bought|[a-z]+ed)\b"
    r"(?=\W*$| (?:by|per|in|last|this|during|since|each|for|from|between|every)\b)",
    re.IGNORECASE,
)
_IRREGULAR = {"sold": "sal", "bought": "purchas"}
"""How the names of rows begin that such verbs do not."""


def with_deeds(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with the rows of what was done in place of the verb."""
    deeds = _Deeds(names, catalog)
    text = _SUPERLATIVE.sub(deeds.done_most, question)
    text = _WHEN.sub(deeds.done_when, text)
    return _OFTEN.sub(deeds.done_often, text)


def with_counted_deeds(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with the rows of what was done to things in place of these: `cars sold` are sales."""
    return _COUNTED.sub(_Deeds(names, catalog).done_so_often, question)


class _Deeds:
    """Puts the tables of deeds for their verbs."""

    def __init__(self, names: NameIndex, catalog: Catalog) -> None:
        self._names, self._catalog = names, catalog

    def done_most(self, match: re.Match[str]) -> str:
        """`most rented film` as `film with the most rentals`."""
        rows = "" if self._is_column(match["did"]) else self._rows(match["did"])
        return f"{match['what']} with the {_most(match)} {rows}" if rows else match[0]

    def done_when(self, match: re.Match[str]) -> str:
        """`which hour do people rent the most` as `which hour has the most rentals`."""
        rows = self._rows(match["did"])
        return f"{match['when']} has the {_most(match)} {rows}" if rows else match[0]

    def done_often(self, match: re.Match[str]) -> str:
        """`ordered more often in` as `had more orders in`."""
        rows = self._rows(match["did"])
        more = "more" if match["more"].lower() == "more" else "fewer"
        return f"had {more} {rows} " if rows else match[0]

    def done_so_often(self, match: re.Match[str]) -> str:
        """`number of cars sold` as `number of sales`, of one car each, but for those that were called off."""
        rows = "" if self._is_column(match["did"]) else self._rows(match["did"])
        table = self._table(rows) if rows else None
        if table is None or not self._are_of(table, match["what"]):
            return match[0]
        off = "" if TELLS_STATES.search(match.string) else called_off(table, self._catalog)
        return f"{match['lead']} {rows}{' not ' if off else ''}{off}"

    def _table(self, rows: str) -> Table:
        named = ((each, table_words(each.name)) for each in self._catalog.tables)
        return next(each for each, words in named if len(words) == 1 and _plural(words[0]) == rows)

    def _are_of(self, table: Table, what: str) -> bool:
        """Whether each of these rows points to one of what is said, and counts no pieces of it; people who ordered are
        no orders."""
        words = ((stem(what.lower()),), *others_for(what.lower().removesuffix("s")))
        found = (each for stems in words for each in self._names.called(stems))
        called = {each.table for each in found if each.column is None and each.score >= _NAMED}
        pointed = {(key.ref_schema, key.ref_table) for key in table.foreign_keys}
        counts = any(counts_pieces(table.stems(each.name)) for each in table.columns)
        things = {each.key for each in called if not is_of_people(each, ())}
        return bool(things & pointed) and not counts

    def _is_column(self, word: str) -> bool:
        return any(each.column and each.score >= _NAMED for each in self._names.called((stem(word.lower()),)))

    def _rows(self, verb: str) -> str:
        return rows_of(verb, self._catalog)


def rows_of(verb: str, catalog: Catalog) -> str:
    """The one table of events that a verb calls, as people say several of its rows; nothing where there is none."""
    root = _IRREGULAR.get(verb.lower(), stem(verb.lower()))
    names = [table_words(each.name) for each in catalog.tables if is_event(each)]
    found = [each for each in names if len(each) == 1 and _is_of(each[0], root)]
    return _plural(found[0][0]) if len(found) == 1 else ""


def _is_of(word: str, root: str) -> bool:
    """Whether a noun is the verb's: `rental` of `rent`, `payment` of `pay`."""
    return len(root) >= _SHORTEST and stem(word.lower()).startswith(root)


def _plural(word: str) -> str:
    return word if word.endswith("s") else f"{word}s"


def _most(match: re.Match[str]) -> str:
    return "most" if match["most"].lower() == "most" else "fewest"
