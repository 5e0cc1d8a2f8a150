"""Rates called by what became of things: a `cancellation rate` is the percentage of those that are cancelled.

The noun is of a verb whose participle is stored as a state, of one table's rows or of those that the question names;
or of one that a date with gaps is called by: a `completion rate` is the percentage that has a `completed_on`.
Asked by rewordings.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.states import is_state, participles
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.abbreviations import short_for
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words, tokenise
from pluto_duck_text2sql.rewording.quantity_rates import rate_of_quantities
from pluto_duck_text2sql.terms.lateness import done_in_time
from pluto_duck_text2sql.tree import TableKey
from pluto_duck_text2sql.trees.durations import rooted

_RATE = Pattern(
    r"\b(?:(?P<noun>no show|[a-z]{2,}-[a-z]+|[a-z]{3,}) rates?|(?P<bare>occupancy)(?=\W*$| (?:by|per|in|at|for)\b))\b",
    re.IGNORECASE,
)
_IN_TIME = Pattern(
    r"\b(?:(?:on[- ]time|punctuality)|(?P<late>late|lateness))"
    r"(?: (?P<deed>delivery|arrival|payment|shipping|shipment|completion|return))?"
    r" (?:rates?|performance)\b",
    re.IGNORECASE,
)
_RATE_STEM = stem("rate")
_MOST_OUTCOMES = 12
_OFTEN = frozenset("hourly daily nightly weekly fortnightly monthly quarterly yearly annual flat standard".split())
"""Rates of these are amounts, whatever else is called so."""


def with_outcomes(question: str, names: NameIndex, catalog: Catalog) -> str:
    """`percentage of cancelled stays` for `cancellation rate`; what a column or a stored value is called is left."""
    question = _IN_TIME.sub(lambda found: _in_time(found, question, names, catalog), question)
    return _RATE.sub(lambda found: _said(found, question, names, catalog), question)


def _said(found: re.Match[str], question: str, names: NameIndex, catalog: Catalog) -> str:
    noun = (found["noun"] or found["bare"]).lower()
    if noun in _OFTEN or names.called((stem(noun), _RATE_STEM)):
        return found[0]
    stored = [each for each in catalog.values.lookup(noun, 10) if each.score == 1 and _tells_outcomes(each, catalog)]
    if catalog.values.lookup(noun, 1) and not stored:
        return found[0]
    states = {(each.schema, each.table): each.value for each in stored} or {
        (each.schema, each.table): each.value for each in _hits(noun, catalog) if is_state(each, catalog)
    }
    states = states or dict(_dated(noun, catalog))
    told = [each for key in states if (each := catalog.table(*key))]
    table = _meant(told, question) or _named(told, question, names)
    if table is None:
        return rate_of_quantities(noun, catalog) or found[0]
    rows = table_words(table.name)[-1]
    return f"percentage of {states[table.key].lower()} {rows if rows.endswith('s') else f'{rows}s'}"


def _in_time(found: re.Match[str], question: str, names: NameIndex, catalog: Catalog) -> str:
    """`percentage of delivered parcels that were on time` for `on-time rate`, of the one table that tells it."""
    if names.called((stem("late" if found["late"] else "time"), _RATE_STEM)):
        return found[0]
    told = [(each, done) for each in catalog.tables if (done := done_in_time(each))]
    named = rooted([stem(found["deed"] or "")])
    told = [(each, done) for each, done in told if named & rooted([stem(done)])] or told
    table = _meant([each for each, _ in told], question) if told else None
    if table is None:
        return found[0]
    deed = next(deed for each, deed in told if each is table)
    rows = table_words(table.name)[-1]
    how = "late" if found["late"] else "on time"
    return f"percentage of {deed} {rows if rows.endswith('s') else f'{rows}s'} that were {how}"


def _dated(noun: str, catalog: Catalog) -> Iterator[tuple[TableKey, str]]:
    """The tables of which one date with gaps tells that it was done, and the deed: `completed_on` of a completion."""
    deeds = list(participles(noun))
    for table in catalog.tables:
        dates = [each for each in table.columns if each.is_time and each.null_fraction]
        done = [deed for deed in deeds for each in dates if stem(deed) in table.stems(each.name)]
        if len(set(map(stem, done))) == 1:
            yield table.key, done[0]


def _tells_outcomes(hit: ValueHit, catalog: Catalog) -> bool:
    """Whether a value is one of a few that tell what became of rows: won, lost."""
    table = catalog.table(hit.schema, hit.table)
    column = table.column(hit.column) if table else None
    if table is None or column is None or not 1 < (column.n_distinct or 0) <= _MOST_OUTCOMES:
        return False
    return table.tells_kinds(column) and is_state(hit, catalog)


def _meant(tables: Sequence[Table], question: str) -> Table | None:
    """The one table whose name the question says, or most of whose columns' names; None where two are alike."""
    said = {token.stem for token in tokenise(question)}

    def fit(table: Table) -> tuple[bool, int]:
        columns = sum(said.issuperset(table.stems(each.name)) for each in table.columns)
        return bool(said.intersection(table_stems(table.name)[-1:])), columns

    best = [each for each in tables if fit(each) == max(map(fit, tables))]
    return best[0] if len(best) == 1 else None


def _named(tables: Sequence[Table], question: str, names: NameIndex) -> Table | None:
    """The one table that a word of the question is the name of, `sales` of `sale` too."""
    called = {table.key for token in tokenise(question) if (table := names.rows(token.lower))}
    named = [each for each in tables if each.key in called]
    return named[0] if len(named) == 1 else None


def _hits(noun: str, catalog: Catalog) -> Iterator[ValueHit]:
    done = list(dict.fromkeys(participles(noun)))
    codes = [each for word in done for each in short_for(word)]
    for hits in catalog.values.lookup_all([*done, *codes], limit=10):
        yield from (each for each in hits if each.score == 1)
