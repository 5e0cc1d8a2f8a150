"""Words that stored names hold, though none is called so: `fillings` of Composite Filling and Amalgam Filling.

Only names of things and kinds are looked at, in columns that hold few. What a table or column is called by means that
one, though names of its rows end so too (clinics called Vet Clinic); a word that questions use of anything (plain.txt)
must be what several of them end in. What is found is a `Holding`: a column that equals it holds it, which `render`
writes as ILIKE. Called by `learned.literals`, for networks that learned from such, and by `links` for words that name
nothing else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.abbreviations import shortens
from pluto_duck_text2sql.language.lexicon import others_for
from pluto_duck_text2sql.language.normal import WORD
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.plain_words import plain_stems
from pluto_duck_text2sql.language.words import STOP, name_parts, name_stems, stem, table_stems
from pluto_duck_text2sql.tree import Col, Holding

_NAMES = frozenset(map(stem, "name title label".split()))
_PROSE = frozenset(map(stem, "comment remark note feedback review message request reply text body".split()))
_PROSE_IN = Pattern(
    r"[!?;]|\.\s|\b(?:i|we|you|it|was|were|is|are|be|been|will|would|very|too|not|my|our|the|an?)\b", re.IGNORECASE
)
"""What people write in full tells no kinds, though few wrote something else: `Lovely stay, will be back`."""
_SHORTEST, _MOST_WORDS = 3, 3
_HELD = 0.8


def held_values(words: Sequence[str], catalog: Catalog, *, is_proper: bool = False) -> list[ValueHit]:
    """The one column of names or kinds of which some values, but not most, hold these words, in lower case, as a value
    of it. `is_proper`: they are written as a name, and no words that questions use of anything."""
    hits = catalog.values.lookup_held([stem(each) for each in words]) if _may_be_held(words) else []
    if not hits or _call_rows(words[-1], catalog):
        return []
    found = defaultdict[tuple[str, str, str], list[str]](list)
    for hit in hits:
        found[hit.schema, hit.table, hit.column].append(hit.value)
    texts = {key: text for key, values in found.items() if (text := _text(key, values, words, catalog, is_proper))}
    return [ValueHit(*key, Holding(text), _HELD) for key, text in texts.items()] if len(texts) == 1 else []


def tells_kinds(hit: ValueHit, catalog: Catalog) -> bool:
    """Whether a value stands in a column of kinds: each of several rows, and none of them prose."""
    table = catalog.table(hit.schema, hit.table)
    column = table.column(hit.column) if table else None
    is_kind = table is not None and column is not None and table.tells_kinds(column)
    return is_kind and not _PROSE_IN.search(hit.value) and not _PROSE & {*name_stems(hit.column)}


def _may_be_held(words: Sequence[str]) -> bool:
    is_of_words = all(each.isalpha() and len(each) >= _SHORTEST and each not in STOP for each in words)
    return is_of_words and 0 < len(words) <= _MOST_WORDS


def _call_rows(word: str, catalog: Catalog) -> bool:
    """Whether a table or column is called by the word, by one that means the same, or by it written short."""
    one = word.removesuffix("s")
    said = {stem(word), *(each[-1] for each in others_for(word) if each)}
    for table in catalog.tables:
        if said & {*table_stems(table.name)[-1:]} or any(shortens(part, one) for part in name_parts(table.name)):
            return True
        if any(len(stems) == 1 and stems[0] in said for stems in (table.stems(each.name) for each in table.columns)):
            return True
    return False


def _is_plain(words: Sequence[str]) -> bool:
    """Whether questions about anything use all of these words."""
    return all(stem(each) in plain_stems() for each in words)


def _text(
    key: tuple[str, str, str], values: Sequence[str], words: Sequence[str], catalog: Catalog, is_proper: bool
) -> str:
    """How these values hold the words, where one text finds them and no others but what ends in it: a cheesecake is a
    cake; empty where the column tells neither names of things nor kinds."""
    every = catalog.values.held_in(*key)
    spelt = [_spelt(value, words) for value in values]
    shortest = min(spelt, key=len)
    if _is_plain(words) and not is_proper and not _are_kinds_of(shortest, values):
        return ""
    finds = [value for value in every if shortest and shortest in value.casefold()]
    others = {*finds} - {*values}
    is_part = {*values} <= {*finds} and 2 * len(finds) <= len(every)
    is_part = is_part and all(each.casefold().endswith(shortest) for each in others)
    return shortest if is_part and (_names_things(key, catalog) or _all_tell_kinds(key, values, catalog)) else ""


def _are_kinds_of(text: str, values: Sequence[str]) -> bool:
    """Whether several values end in the text, as kinds of it do: Carrot Cake and Almond Cake."""
    return len(values) > 1 and all(value.casefold().endswith(f" {text}") for value in values)


def _spelt(value: str, words: Sequence[str]) -> str:
    """The words side by side as a value has them, in either number; empty where they stand apart or it has no other."""
    own, size = list(WORD.finditer(value.casefold())), len(words)
    runs = (own[n : n + size] for n in range(len(own) - size + 1) if len(own) > size)
    found = next(
        (run for run in runs if all(_is_same(each[0], word) for each, word in zip(run, words, strict=True))), None
    )
    return value.casefold()[found[0].start() : found[-1].end()] if found else ""


def _is_same(one: str, other: str) -> bool:
    """Whether two words are the same but for their number: bakes are no deed that was baked."""
    forms = ({each, each.removesuffix("s"), each.removesuffix("es")} for each in (one, other))
    return bool(set.intersection(*forms))


def _names_things(key: tuple[str, str, str], catalog: Catalog) -> bool:
    """Whether the column tells the names of a table's rows, one each, and these are no people."""
    table = catalog.table(*key[:2])
    column = table.column(key[2]) if table else None
    if table is None or column is None or column.n_distinct != table.row_count:
        return False
    return bool(_NAMES & set(table.stems(key[2]))) and not is_of_people(table, (Col(table.key, key[2]),))


def _all_tell_kinds(key: tuple[str, str, str], values: Sequence[str], catalog: Catalog) -> bool:
    return all(tells_kinds(ValueHit(*key, value, _HELD), catalog) for value in values)
