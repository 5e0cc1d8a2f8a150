"""Nouns of deeds that are stored as states: `cancellations` are the orders that were cancelled, `failures` what failed.

Called by `rewordings` for words that name nothing themselves. The state is looked for by the verb that the noun is made
of, in columns that hold few values of one table, whose rows are meant.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.states import is_state, participles
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_words

_NOUN = Pattern(r"\b(?P<root>[a-z]{3,}?)(?P<ending>ations?|ions?|ures?|als?|ments?)\b(?! rates?\b)", re.IGNORECASE)
_NAMED, _STORED = 0.6, 0.9
_AFTER_MANY = Pattern(
    r"(?:many|most|fewest|least|number of|number of the|the|share of|all|more|total) $", re.IGNORECASE
)


def with_states(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with rows in a state for nouns of what was done to them."""
    return _NOUN.sub(lambda found: _rows_of(found, names, catalog), question)


def _rows_of(found: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`cancelled orders` for `cancellations`; the word itself where nothing, or more than one thing, is stored so."""
    word = found[0]
    is_counted = _AFTER_MANY.search(found.string[: found.start()]) or not found.start()
    if not is_counted or any(each.score >= _NAMED for each in names.find((stem(word.lower()),))):
        return word
    root = found["root"].lower()
    noun = f"{root}{found['ending'].lower().removesuffix('s')}"
    hits = [hit for hits in catalog.values.lookup_all([*participles(noun), root, word]) for hit in hits]
    states = {(h.schema, h.table, h.column, h.value) for h in hits if h.score >= _STORED and is_state(h, catalog)}
    if len(states) != 1:
        return word
    _, table, _, value = states.pop()
    rows = " ".join(table_words(table))
    return f"{value} {rows if rows.endswith('s') else f'{rows}s'}"
