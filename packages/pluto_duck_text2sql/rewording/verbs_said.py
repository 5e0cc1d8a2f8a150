"""What a verb asks of one thing where a column tells it by another word: `when was it set up` is its foundation year.

Called by `rewordings`. What is asked of is a stored value of one table, which has one column that a noun of the verb
(language/verbs.txt) calls and none that the verb itself does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, stem

_WHEN = r"when|(?:in |on )?(?:which|what) (?:year|date|day)"
_HELPS = r"was|were|is|are|did|does|do|will|has|have"
_ASKED = Pattern(
    rf"^\W*(?:(?P<when>{_WHEN})|(?P<where>where)|(?P<what>what|how much)) (?:{_HELPS}) (?P<rest>[^,;:?]+?)\W*$",
    re.IGNORECASE,
)
_WHO = Pattern(r"^\W*(?P<who>who) (?:has |have |is |was )?(?P<rest>[^,;:?]+?)\W*$", re.IGNORECASE)
_YEAR = stem("year")
_MOST_WORDS = 4
Nouns = tuple[str, ...]


def with_columns_said(question: str, catalog: Catalog) -> str:
    """The question for the column in place of the verb."""
    said = _ASKED.search(question) or _WHO.search(question)
    if said is None:
        return question
    asks = next(word for word, text in said.groupdict().items() if text and word != "rest")
    for verb, whose in _parted(said["rest"].split(), asks):
        table = _table_of(whose, catalog) if (asks, verb) in _verbs() else None
        column = _told(asks, verb, table) if table else ""
        if column:
            return f"what is the {column} of {whose}"
    return question


def _parted(words: Sequence[str], asks: str) -> Iterator[tuple[str, str]]:
    """A verb and what it is said of, which stands before it, or after it where it is asked who did it."""
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        yield " ".join(words[-count:]).casefold(), " ".join(words[:-count])
        if asks == "who":
            yield " ".join(words[:count]).casefold(), " ".join(words[count:])


def _table_of(text: str, catalog: Catalog) -> Table | None:
    """The one table that keeps a value."""
    hits = catalog.values.lookup(text)
    tables = {(hit.schema, hit.table) for hit in hits}
    return catalog.table(*tables.pop()) if len(tables) == 1 else None


def _told(asks: str, verb: str, table: Table) -> str:
    """The words of the one column that a noun of the verb calls; none where a column is called by the verb itself."""
    columns = [each for each in table.columns if _may_tell(asks, each, table)]
    if any(stem(verb.split()[0]) in table.stems(each.name) for each in columns):
        return ""
    for noun in map(stem, _verbs()[asks, verb]):
        found = [each for each in columns if noun in table.stems(each.name)]
        if found:
            return " ".join(name_words(found[0].name)) if len(found) == 1 else ""
    return ""


def _may_tell(asks: str, column: Column, table: Table) -> bool:
    """Whether a column holds what is asked for: a time or a year, an amount, or a text."""
    if asks == "when":
        return column.is_time or _YEAR in table.stems(column.name)
    return column.kind == ("number" if asks == "what" else "text") and not is_identifier(table, column)


@cache
def _verbs() -> dict[tuple[str, str], Nouns]:
    """By a question word and a verb, what the columns that tell it are called."""
    found = defaultdict[tuple[str, str], list[str]](list)
    text = files("pluto_duck_text2sql.language").joinpath("verbs.txt").read_text(encoding="utf-8")
    for line in (each for each in text.splitlines() if ">" in each and not each.startswith("#")):
        asks, verbs, nouns = (part.split() for part in line.split(">"))
        for verb in verbs:
            found[asks[0], verb.replace("|", " ")] += nouns
    return {key: tuple(dict.fromkeys(nouns)) for key, nouns in found.items()}
