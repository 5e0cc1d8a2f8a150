"""Kinds that stand for the things of that kind: `each hotel`, `top 3 cakes`, where customers and products are of kinds.

Called by `rewordings`: `each hotel customer` is read by every part of the analyst. Only of a word that is a stored kind
and nothing else, before nothing that is named.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, FILLER, MONEY, STOP, stem, table_words

_BEST = r"(?:best|top|worst|cheapest|biggest|largest|smallest|most (?:popular|expensive|common))"
_ONE = Pattern(
    rf"\b(?P<each>each|every|per|which|(?:top|bottom|best|worst|first) {A_NUMBER}|{A_NUMBER} {_BEST})"
    rf" (?P<kind>[a-z]{{3,}})\b(?P<after>(?: [a-z]+)?)",
    re.IGNORECASE,
)
_NO_KINDS = STOP | FILLER | MONEY
_CALLED = 0.6
_FEW = 60


def with_things(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with what the kinds are of; itself where none stands alone."""
    return _ONE.sub(lambda match: _with_thing(match, names, catalog), question)


def _with_thing(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    kind, after = match["kind"].lower(), match["after"].strip().lower()
    if _NO_KINDS & {kind, stem(kind)} or _is_called(kind, names) or _goes_on(after, names):
        return match[0]
    tables = {table.key: table for hit in catalog.values.lookup(kind, _FEW) if (table := _of_kinds(catalog, hit))}
    thing = " ".join(table_words(next(iter(tables.values())).name)) if len(tables) == 1 else ""
    return f"{match['each']} {match['kind']} {thing}{match['after']}" if thing else match[0]


def _is_called(word: str, names: NameIndex) -> bool:
    return any(each.score >= _CALLED for each in names.called((stem(word),)))


def _goes_on(word: str, names: NameIndex) -> bool:
    """Whether the word after a kind names what is of it, and does not tell what that did: `each hotel placed`."""
    found = [each for each in names.called((stem(word),)) if each.score >= _CALLED]
    is_deed = word.endswith("ed") and all(each.column and each.column.is_time for each in found)
    return bool(word) and bool(found) and not is_deed


def _of_kinds(catalog: Catalog, hit: ValueHit) -> Table | None:
    """The table of a value that several of its rows have, out of few."""
    table = catalog.table(hit.schema, hit.table)
    column = table.column(hit.column) if table else None
    is_kind = table and column and table.tells_kinds(column)
    return table if is_kind and column and (column.n_distinct or 0) <= _FEW else None
