"""What people think best of, by the mean of their marks: `which guide gets the best reviews`, `worst rated room`.

Called by `by_rows`. The marks are the one column of scores that the table so called keeps, or the only one of all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pluto_duck_text2sql.corrections.sound import GIVEN
from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_parts, name_words, stem, table_stems

_GIVEN = r"(?P<given>reviews?|ratings?|feedback|scores?|marks|stars)"
_SAID = Pattern(
    r"\b(?:ha[sd]|have|gets?|got|receives?d?|with) (?:the |our )?(?P<way>best|worst|better|poorest)"
    rf" (?:customer |client |guest |user )?{_GIVEN}\b"
    r"|\b(?P<rated>best|worst|highest|lowest|top|poorest|poorly)[- ](?:rated|reviewed|scored)\b",
    re.IGNORECASE,
)
_BARE = Pattern(r"\W*(?:(?:what|which|who|is|was|['’]s|show|me|the|our|my) ?)*", re.IGNORECASE)
_LOW = ("worst", "lowest", "poorest", "poorly")


def with_mean_marks(question: str, catalog: Catalog, _names: NameIndex) -> str:
    """`has the highest average stars`; the question as it is where no such is asked, or several kinds are kept."""
    said = _SAID.search(question)
    marks = marks_of(said["given"] or "review", catalog) if said else None
    if said is None or marks is None:
        return question
    if said["rated"] and _are_marked(question[said.end() :], catalog):
        return question
    way = (said["way"] or said["rated"]).lower()
    extreme = f"the {'lowest' if way in _LOW else 'highest'} average {' '.join(name_words(marks.name))}"
    if said["way"]:
        return f"{question[: said.start()]}has {extreme}{question[said.end() :]}"
    return _placed(question, said, extreme)


def _are_marked(after: str, catalog: Catalog) -> bool:
    """Whether what is rated are rows of the table that keeps the marks: each wine has a score of its own."""
    noun = re.match(r" (?P<noun>[a-z]+)", after, re.IGNORECASE)
    rows = (table_stems(table.name)[-1:] for table in catalog.tables if table.foreign_keys and _kept(table))
    return noun is not None and (stem(noun["noun"].lower()),) in rows


def _placed(question: str, said: re.Match[str], extreme: str) -> str:
    """`best rated room` as the room with the highest average, `which room is best rated` as has it."""
    before, after = question[: said.start()], question[said.end() :]
    verb = re.search(r"\b(?:is|are|was|were) (?:the |our )?$", before, re.IGNORECASE)
    if verb and not re.match(r" [a-z]", after, re.IGNORECASE):
        return f"{before[: verb.start()]}has {extreme}{after}"
    noun = re.match(r" (?P<noun>[a-z]+)", after, re.IGNORECASE)
    if noun is None:
        return question
    is_bare = _BARE.fullmatch(before) and not noun["noun"].endswith("s")
    asked = f"which {noun['noun']} has" if is_bare else f"{before}{noun['noun']} with"
    return f"{asked} {extreme}{after[noun.end() :]}"


def marks_of(word: str, catalog: Catalog) -> Column | None:
    """Of the table that is so called, and not only by what its name is short for, else those that are, or the only ones
    of all, in rows of what happened."""
    every = [(table, each) for table in catalog.tables for each in _kept(table)]
    called = stem(word.lower())
    own = [pair for pair in every if called in map(stem, name_parts(pair[0].name))]
    found = own or [pair for pair in every if called in pair[0].stems(pair[1].name)] or every
    return found[0][1] if len(found) == 1 and found[0][0].foreign_keys else None


def _kept(table: Table) -> Sequence[Column]:
    """Columns that hold what people gave; a rate is no rating."""
    numbers = (each for each in table.columns if each.kind == "number" and name_words(each.name)[-1:] != ("rate",))
    return [each for each in numbers if not GIVEN.isdisjoint(table.stems(each.name)[-1:])]
