"""What a word for how rows are is stored as: `won` of deals as Closed Won, `sold` as S where unsold ones are U.

Only columns of states that the question speaks of are looked at. Called by `paraphrases` for words that name nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.held_words import tells_kinds
from pluto_duck_text2sql.data.states import MOST_STATES
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems

_CALLED = frozenset(map(stem, "status stage state phase step outcome result".split()))
"""What columns of states are called."""
_CONTRARIES = {
    state: contrary
    for pair in ("active inactive", "open closed", "sold unsold", "paid unpaid", "won lost")
    for one, other in [pair.split()]
    for state, contrary in ((one, other[0].upper()), (other, one[0].upper()))
} | dict.fromkeys(("withdrawn", "void", "voided"), "")
"""States whose first letter stands for them where that of the contrary is stored; W and V stand for little else."""
_DONE = frozenset("won lost sent done made paid sold met held".split())
"""What was done, besides words in -ed."""


def stored_states(word: str, said: Collection[str], catalog: Catalog) -> list[ValueHit]:
    """The labels that hold the word, else its first letter, of columns of which other words' stems are `said`."""
    found = _labels(word, catalog) or _letters(word, catalog)
    others = {*said} - {stem(word)}
    return [hit for hit in found if not others.isdisjoint((*name_stems(hit.column), *table_stems(hit.table)))]


def _labels(word: str, catalog: Catalog) -> list[ValueHit]:
    """Labels of which the rest only says that it was done: Closed Won, Proposal Sent; not Never Contacted, Half Done,
    Demo Booked."""
    hits = catalog.values.lookup_part((stem(word),))
    return [hit for hit in hits if _is_of_states(hit) and tells_kinds(hit, catalog) and _is_done(hit.value, stem(word))]


def _is_done(label: str, said: str) -> bool:
    rest = [each for each in label.casefold().split() if stem(each) != said]
    return all(each in _DONE or each.endswith("ed") for each in rest)


def _letters(word: str, catalog: Catalog) -> list[ValueHit]:
    """The first letter of a state, where a column of states holds letters alone, that of its contrary among them: a
    letter alone may stand for much, D for delivered or delayed."""
    contrary = _CONTRARIES.get(word)
    hits = catalog.values.lookup(word[0]) if contrary is not None else []
    return [hit for hit in hits if _is_of_states(hit) and _holds_letters(hit, contrary or "", catalog)]


def _holds_letters(hit: ValueHit, contrary: str, catalog: Catalog) -> bool:
    values = catalog.values.held_in(hit.schema, hit.table, hit.column)
    are_letters = all(len(each) == 1 and each.isupper() for each in values)
    return 1 < len(values) <= MOST_STATES and are_letters and (not contrary or contrary in values)


def _is_of_states(hit: ValueHit) -> bool:
    return name_stems(hit.column)[-1] in _CALLED
