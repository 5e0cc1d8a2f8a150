"""Nouns that are a stored kind of the rows: `questions` are the posts whose type in `post_types` is Question, `movies`
the titles whose `title_type` is movie.

Called by `analyst` before anything else reads the question, which gets the rows' own noun put behind: `question posts`.
Only a kind that is called a type or kind of these rows, by a word that nothing else here is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import FILLER, MONEY, STOP, name_words, stem, table_words

_TYPE = frozenset(map(stem, "type kind".split()))
_SAYING_NO_MORE = frozenset("id code key name lookup dim dimension ref reference".split())
_NUMBERS = frozenset("id key code no".split())
_FEW = 60
_LONGEST, _SHORTEST = 3, 3
_CALLED, _NAMED_TOGETHER = 0.95, 0.6
_NO_NOUNS = STOP | FILLER | MONEY | PERSONS | frozenset(map(stem, "interest fee tax discount deposit refund".split()))
_ONE_OF = frozenset("a an the each every per which what one single any no first last own their its another".split())
_WORD = Pattern(r"[^\W\d_][\w]*(?:[-'’]\w+)*")
_QUOTED = Pattern(r"[\"“][^\"”]*[\"”]|(?<!\w)['‘][^'’]*['’](?!\w)")


@dataclass(frozen=True)
class _Kind:
    """A kind as it is stored, its rows' table, which the `stems` name, and a noun for one of the rows."""

    text: str
    table: tuple[str, str]
    stems: frozenset[str]
    noun: str

    def rows(self, is_several: bool) -> str:
        """What one of its rows, or several, are called."""
        return f"{self.text} {self.noun}{'s' if is_several and not self.noun.endswith('s') else ''}"


class RowsOfKinds:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def said(self, question: str) -> str:
        """The question with what the rows are called behind each kind of them that stands alone."""
        if not self._kinds:
            return question
        quoted = [each.span() for each in _QUOTED.finditer(question)]
        words = [each for each in _WORD.finditer(question) if not any(a <= each.start() < b for a, b in quoted)]
        for start, end, rows in sorted(self._found(words), reverse=True):
            question = f"{question[:start]}{rows}{question[end:]}"
        return question

    def _found(self, words: Sequence[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
        """Where a kind stands alone, from where to where, and what its rows are called."""
        stems, place = tuple(stem(each[0].lower()) for each in words), 0
        while place < len(words):
            ends = range(min(place + _LONGEST, len(words)), place, -1)
            end = next((each for each in ends if stems[place:each] in self._kinds), place)
            kind = self._kinds.get(stems[place:end])
            last = words[end - 1][0].lower()
            is_several = last.endswith("s") and last != stem(last)
            is_noun = is_several or (place > 0 and words[place - 1][0].lower() in _ONE_OF)
            if kind and is_noun and not self._is_in_name(stems, place, end, kind):
                yield words[place].start(), words[end - 1].end(), kind.rows(is_several)
            place = max(end, place + 1)

    def _is_in_name(self, stems: tuple[str, ...], start: int, end: int, kind: _Kind) -> bool:
        """Whether the word beside belongs to it: `question posts`, `type question`, `accepted answer`."""
        before, after = stems[max(start - 1, 0) : start], stems[end : end + 1]
        if kind.stems & {*after, *before} or _TYPE & {*before, *after}:
            return True
        wholes = [(*before, *stems[start:end]) if before else (), (*stems[start:end], *after) if after else ()]
        return any(self._is_called(each, _NAMED_TOGETHER) for each in wholes if each)

    def _is_called(self, stems: tuple[str, ...], least: float) -> bool:
        """Whether tables or columns are called so; what only a key points at is none here: `movies` of `movie_id`."""
        found = (each for each in self._names.called(stems) if each.score >= least)
        ends = (name_words(each.column.name)[-1] if each.column else "" for each in found)
        return any(each not in _NUMBERS or stem(each) in stems for each in ends)

    @cached_property
    def _kinds(self) -> dict[tuple[str, ...], _Kind]:
        """The kinds of which just one table has rows, by the stems of their words."""
        found: dict[tuple[str, ...], _Kind] = {}
        several = set()
        for words, kind in self._told():
            if found.setdefault(words, kind).table != kind.table:
                several.add(words)
        return {words: kind for words, kind in found.items() if words not in several}

    def _told(self) -> Iterator[tuple[tuple[str, ...], _Kind]]:
        for table in self._catalog.tables:
            for name, texts in self._of_kinds(table):
                noun = _rows_noun(name, table)
                own = frozenset(map(stem, (*table_words(table.name), *noun.split())))
                for text in texts if noun else ():
                    stems = tuple(map(stem, name_words(text)))
                    if self._is_noun(stems, text) and not own.issuperset(stems):
                        yield stems, _Kind(text if len(stems) > 1 else text.lower(), table.key, own, noun)

    def _is_noun(self, stems: tuple[str, ...], text: str) -> bool:
        """Whether the words say what something is, not how it is, and name nothing else."""
        is_word = 0 < len(stems) <= _LONGEST and stems[-1].isalpha() and len("".join(stems)) >= _SHORTEST
        is_state = text.lower().endswith("ed") or stems[-1] in _NO_NOUNS
        return is_word and not is_state and not self._is_called(stems, _CALLED)

    def _of_kinds(self, table: Table) -> Iterator[tuple[str, Sequence[str]]]:
        """What tells kinds of a table's rows, by its name, with the kinds: a column, or the lookup of a key."""
        for column in table.columns:
            if column.kind == "text" and table.tells_kinds(column) and (column.n_distinct or 0) <= _FEW:
                yield column.name, self._held(table, column)
        for key in table.foreign_keys:
            lookup = self._catalog.table(key.ref_schema, key.ref_table)
            if lookup and lookup is not table and (lookup.row_count or 0) <= _FEW:
                text = next((each for each in lookup.columns if each.kind == "text"), None)
                yield lookup.name, self._held(lookup, text) if text else ()

    def _held(self, table: Table, column: Column) -> Sequence[str]:
        return self._catalog.values.held_in(table.schema, table.name, column.name)


def _rows_noun(name: str, table: Table) -> str:
    """The noun of the rows of which a name tells the type: `post` of PostTypes, where these are rows of Posts; "" where
    it tells none of them."""
    words = [each for each in name_words(name) if each not in _SAYING_NO_MORE]
    if not words or stem(words[-1]) not in _TYPE:
        return ""
    own = table_words(table.name)
    whose = [each for each in words[:-1] if stem(each) not in map(stem, _SAYING_NO_MORE)]
    if not {stem(each) for each in whose} <= {stem(each) for each in own}:
        return ""
    return " ".join(whose or own[-1:])
