"""Words that are a stored value though they look like common ones or like none: `paid orders`, `status O`, `medium`.

Called by links.py for each short span. A common word is a value only where the words beside it say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import STOP, Token, name_stems, stem

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.data.name_index import NameIndex

IS = frozenset("is are was were be been being got get gets stay stayed remain remained".split())
_SEXES = {"F": ("female", "females", "woman", "women", "girls"), "M": ("male", "males", "man", "men", "boys")}
_NUMBERS = (*"0123456789ABCDE", *(f"{digit:02}" for digit in range(10)))
_LEAST_NUMBERED = 3
_JOINING = frozenset(("and", "or", "nor"))
_CLEARLY, _SAID_OF = 0.6, 0.3
"""How well a table must be named by a word beside, and by one of which something is said (`meals were served`)."""
_OUTRIGHT, _BEHIND = 0.9, 0.1
FLAG = 0.9
"""How well words must name a two-valued column to say that it holds, or does not."""
_NUMBERED = 0.85


def qualifying(
    tokens: Sequence[Token], place: int, hits: Sequence[ValueHit], named: Sequence[Mention]
) -> list[ValueHit]:
    """Those of `hits` that a common word, or a single letter, at `place` may be meant for.

    `kind sale`, `status O`: the column is named beside it. `paid orders`, `orders that were paid`: its table is.
    """
    beside = _columns_beside(place, named)
    tables = _tables_qualified(tokens, place, named) if len(tokens[place].lower) > 1 else set()
    of_column = [hit for hit in hits if (hit.schema, hit.table, hit.column) in beside]
    return of_column or [hit for hit in hits if (hit.schema, hit.table) in tables]


def alongside(
    tokens: Sequence[Token],
    told: Mapping[tuple[int, int], Sequence[ValueHit]],
    common: Mapping[int, Sequence[ValueHit]],
) -> dict[int, list[ValueHit]]:
    """Common words that are a value because another of the same column stands beside them: `urgent and high`.

    `told` are the spans that name values, `common` all that is called as a common word is.
    """
    columns = {span: {_column_of(hit) for hit in hits} for span, hits in told.items() if hits}
    found: dict[int, list[ValueHit]] = {}
    left = [place for place in common if (place, place + 1) not in columns]
    for place in (*left, *reversed(left)):  # both ways, since one that is found may tell the next
        shared = [] if place in found else _shared(tokens, place, common[place], columns)
        if shared:
            found[place] = shared
            columns[place, place + 1] = {_column_of(hit) for hit in shared}
    return found


def _shared(
    tokens: Sequence[Token],
    place: int,
    hits: Sequence[ValueHit],
    columns: Mapping[tuple[int, int], set[tuple[str, str, str]]],
) -> list[ValueHit]:
    """Those of `hits` whose column has a value that an `and`, an `or` or a comma joins to the word."""
    after = place + 1 + (tokens[place + 1 : place + 2] != [] and tokens[place + 1].lower in _JOINING)
    before = place - (place > 0 and tokens[place - 1].lower in _JOINING)
    beside = {each for (start, end), of in columns.items() if start == after or end == before for each in of}
    return [hit for hit in hits if _column_of(hit) in beside]


def _column_of(hit: ValueHit) -> tuple[str, str, str]:
    return (hit.schema, hit.table, hit.column)


def _columns_beside(place: int, named: Sequence[Mention]) -> set[tuple[str, str, str]]:
    beside = [each for each in named if each.end == place or each.start == place + 1]
    return {
        (*target.table.key, target.column.name)
        for each in beside
        for target in each.targets
        if target.column and target.score >= _CLEARLY
    }


def _tables_qualified(tokens: Sequence[Token], place: int, named: Sequence[Mention]) -> set[tuple[str, str]]:
    """The tables whose rows a word tells something of: before the name, after `is` and the like, or, a participle,
    right after the name where no name follows (`orders served by month`)."""
    named_before = [each for each in named if each.end < place]
    follows, least = [each for each in named if each.start == place + 1], _CLEARLY
    if place and _is_last(tokens, place):
        if tokens[place - 1].lower in IS:
            follows, least = named_before, _SAID_OF
        elif tokens[place].lower.endswith("ed"):
            follows, least = [each for each in named if each.end == place], _SAID_OF
    return {t.table.key for each in follows for t in each.targets if t.column is None and t.score >= least}


def _is_last(tokens: Sequence[Token], place: int) -> bool:
    """Whether what a word tells something of has been named before it."""
    return place + 1 == len(tokens) or tokens[place + 1].lower in STOP


def at_home(mentions: Sequence[Mention], tokens: Sequence[Token]) -> list[Mention]:
    """The mentions; a name of which a stored value is said means the table that holds it before others that are not
    called so outright: `meals served` are the meal orders of that state, no dishes."""
    mentions = [_as_state(each, mentions) for each in mentions]
    values = [each for each in mentions if each.hits and not each.targets]
    return [_at_home(each, [value for value in values if _is_said_of(value, each, tokens)]) for each in mentions]


def _as_state(word: Mention, mentions: Sequence[Mention]) -> Mention:
    """`open tickets`: a state of the rows named next, no day on which they were opened."""
    after = [target for each in mentions if each.start == word.end for target in each.targets if target.column is None]
    rows = {each.table.key for each in after if each.score >= _CLEARLY}
    days = all(each.column is not None and each.column.is_time for each in word.targets)
    is_state = bool(word.hits) and days and any((hit.schema, hit.table) in rows for hit in word.hits)
    return replace(word, targets=()) if is_state else word


def _is_said_of(value: Mention, name: Mention, tokens: Sequence[Token]) -> bool:
    after = value.start - (tokens[value.start - 1].lower in IS) if value.start else value.start
    return bool(name.targets) and (name.start == value.end or name.end == after)


def _at_home(name: Mention, values: Sequence[Mention]) -> Mention:
    held = {(hit.schema, hit.table) for value in values for hit in value.hits}
    tables = [each for each in name.targets if each.column is None]
    best = max((each.score for each in tables), default=1.0)
    at_home = [each for each in tables if each.table.key in held]
    if not at_home or best >= _OUTRIGHT:
        return name
    first = [replace(each, score=best) for each in at_home]
    others = [replace(each, score=min(each.score, best - _BEHIND)) for each in name.targets if each not in at_home]
    return replace(name, targets=(*first, *others))


def coded_values(word: str, catalog: Catalog) -> list[ValueHit]:
    """`women` where the column of sexes holds F, or female."""
    code = next((code for code, words in _SEXES.items() if word in words), "")
    texts = [code, *_SEXES[code][:1]] if code else []
    hits = (hit for found in catalog.values.lookup_all(texts, limit=100) for hit in found)
    return [hit for hit in hits if {"sex", "gender"} & set(name_stems(hit.column))]


def numbered_values(word: str, catalog: Catalog) -> list[ValueHit]:
    """`medium` where a column holds 3-MEDIUM: the word of a value that begins with its number."""
    found = catalog.values.lookup_all(_numbered(word, catalog))
    return [ValueHit(h.schema, h.table, h.column, h.value, _NUMBERED) for hits in found for h in hits]


def numbered_words(words: Iterable[str], catalog: Catalog) -> set[str]:
    """Those of the words for which `numbered_values` finds any, looked up together, which takes hardly longer."""
    texts = {text: word for word in words for text in _numbered(word, catalog)}
    found = catalog.values.lookup_all([*texts])
    return {word for word, hits in zip(texts.values(), found, strict=True) if hits}


def _numbered(word: str, catalog: Catalog) -> list[str]:
    """The word after each number that a value may begin with, where it is a part of some value."""
    is_word = len(word) >= _LEAST_NUMBERED and word.isalpha()
    return [f"{number} {word}" for number in _NUMBERS] if is_word and catalog.values.lookup_part((stem(word),)) else []


def _shares(name: Mention, value: Mention, tokens: Sequence[Token], names: NameIndex) -> bool:
    """Whether a value that is stored so ends within a table's name, the rest of which names the table, too."""
    if not value.start < name.start < value.end < name.end or all(hit.score < 1 for hit in value.hits):
        return False
    tables = {each.table.key for each in name.targets if each.column is None}
    rest = names.find(tuple(token.stem for token in tokens[value.end : name.end]))
    return any(each.column is None and each.table.key in tables for each in rest)


def splits(name: Mention, values: Sequence[Mention], tokens: Sequence[Token], names: NameIndex) -> bool:
    """Whether a name is two: in `medium priority orders` it is the value's column, then the table; in `sick leave
    requests` the end of a value, and the table by its last word."""
    if any(_shares(name, each, tokens, names) for each in values):
        return True
    before = [each for each in values if each.end == name.start]
    if not before or name.end - name.start == 1:
        return False
    columns = {(*each.table.key, each.column.name) for each in name.targets if each.column}
    held = any((hit.schema, hit.table, hit.column) in columns for each in before for hit in each.hits)
    last = names.find((tokens[name.end - 1].stem,))
    return held and any(each.column is None and each.score >= _CLEARLY for each in last)
