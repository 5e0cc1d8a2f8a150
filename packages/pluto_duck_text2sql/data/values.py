"""An index of the values stored in text columns, so that `germany` in a question finds `Germany` in customers.country.

Exact matches (any case, any plural) come from one search for the hash of the normal form (normal.py) in sorted arrays
(shelf.py, segments.py); only when there is none are misspellings looked for, at most one edit for every five letters.
What a hash finds is believed only after the stored text itself was compared. Filled by whoever has the database (in
Pluto-Duck the catalog service), a table at a time; asked by the analyst, from any thread. With a folder to keep them
in, ten million values take little memory. numpy is loaded with the first value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, groupby, islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.value_parts import ValueParts
from pluto_duck_text2sql.language.edits import distance, one_edit, with_one, without_one
from pluto_duck_text2sql.language.normal import WORD, folded, normal

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.shelf import Shelf

Item = tuple[str, str, str, str]
_REMEMBERED = 5_000
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_MORE_LETTERS = 24
_LENGTHS = range(6, 43)
_NAMES = range(4, 41)
_LONG_WORD = 10
_WAYS = 400
_HALF_WAYS = 20
_MOST_ALIKE = 500
_MOST_TRIED = 1_000
_PART = 0.7
_MOST_LOOKED = 100
"""So many hits of a phrase are looked for, however few are asked for: the next may ask for more."""
_TAKE_ES = ("s", "x", "z", "ch", "sh", "o")
"""How words end that take `es` where there are several."""
_AND, _SIGNS = "and", frozenset("&+")
_SAYING_LITTLE = ("the", "a", "an", _AND)
"""What a name may lack, or say by a sign: `Bottles & Corks`."""
_MISSPELT = "\0misspelt:"


@dataclass(frozen=True)
class ValueHit:
    """A stored value that words of the question name; `value` is spelt as stored, `score` is 1 for exact."""

    schema: str
    table: str
    column: str
    value: str
    score: float


@dataclass(frozen=True)
class _Looked:
    """What a phrase hits, the best first, of which no more than `most` were looked for."""

    hits: list[ValueHit]
    most: int

    def tells(self, limit: int) -> bool:
        """Whether the first `limit` are among them."""
        return limit <= self.most or len(self.hits) < self.most


class ValueIndex:
    """`(schema, table, column, value)` items, found by what people call them."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._filled = False
        self._remembered: dict[str, _Looked] = {}
        self._parts = ValueParts()

    @cached_property
    def _shelf(self) -> Shelf:
        from pluto_duck_text2sql.data.shelf import Shelf

        return Shelf(self._folder)

    @classmethod
    def build(cls, items: Iterable[Item], folder: Path | None = None) -> ValueIndex:
        """An index of all `items`."""
        index = cls(folder)
        grouped: dict[tuple[str, str], list[Item]] = {}
        for item in items:
            grouped.setdefault((item[0], item[1]), []).append(item)
        for table, found in grouped.items():
            index.replace(*table, found)
        return index

    def replace(self, schema: str, table: str, items: Iterable[Item]) -> None:
        """Put one table's values in place of those it had."""
        columns = groupby(items, key=lambda item: item[2])
        self.fill(schema, table, ((column, [item[3] for item in some]) for column, some in columns))

    def fill(self, schema: str, table: str, batches: Iterable[tuple[str, Sequence[str]]]) -> None:
        """As `replace`, from batches `(column, values)`; those of one column come one after the other."""
        self._shelf.fill((schema, table), self._parts.watched((schema, table), batches))
        self._filled = True
        self._remembered = {}

    def count(self, schema: str, table: str) -> int:
        """How many values there are of one table."""
        return self._shelf.count((schema, table)) if self._filled else 0

    def __len__(self) -> int:
        return len(self._shelf) if self._filled else 0

    def close(self) -> None:
        """Let the files go; nothing may be asked afterwards."""
        if "_shelf" in vars(self):
            self._shelf.close()

    def lookup(self, phrase: str, limit: int = 10) -> list[ValueHit]:
        """The values that `phrase` names, exactly or in another case or number."""
        return self.lookup_all([phrase], limit)[0]

    def lookup_all(self, phrases: Sequence[str], limit: int = 10) -> list[list[ValueHit]]:
        """`lookup` of many phrases at once, which takes hardly longer than one."""
        if not self._filled:
            return [[] for _ in phrases]
        memory, most = self._memory(), max(limit, _MOST_LOOKED)
        missing = [each for each in dict.fromkeys(phrases) if each not in memory or not memory[each].tells(limit)]
        for phrase, hits in zip(missing, self._look(missing, most) if missing else (), strict=True):
            memory[phrase] = _Looked(hits, most)
        return [memory[each].hits[:limit] for each in phrases]

    def lookup_fuzzy(self, phrase: str, limit: int = 5) -> list[ValueHit]:
        """The values that `phrase` misspells."""
        wanted = folded(phrase)
        if not self._filled or len(wanted) not in _LENGTHS:
            return []
        memory, key = self._memory(), _MISSPELT + wanted
        if key not in memory or not memory[key].tells(limit):
            memory[key] = _Looked(_Misspelt(self._shelf, wanted).hits()[:limit], limit)
        return memory[key].hits[:limit]

    def lookup_part(self, stems: Sequence[str]) -> list[ValueHit]:
        """The values of several words, in columns of few values, of which these stems are some."""
        return [ValueHit(*item, _PART) for item in self._parts.holding(stems)]

    def lookup_held(self, stems: Sequence[str]) -> list[ValueHit]:
        """The same, in columns that hold some more."""
        return [ValueHit(*item, _PART) for item in self._parts.held(stems)]

    def held_in(self, schema: str, table: str, column: str) -> Sequence[str]:
        """All values of a column that holds few or some more; nothing of others."""
        return self._parts.values(schema, table, column)

    def _memory(self) -> dict[str, _Looked]:
        """What was found of late; a filling begins a new one, so what a lookup puts into an old one is lost."""
        if len(self._remembered) > _REMEMBERED:
            self._remembered = {}
        return self._remembered

    def _look(self, phrases: Sequence[str], limit: int) -> list[list[ValueHit]]:
        from pluto_duck_text2sql.data.hashing import keys

        found = self._shelf.find(keys(phrases))
        items = (self._shelf.items(found.get(place, ())) for place in range(len(phrases)))
        hits = [list(islice(_named(*each), limit)) for each in zip(phrases, items, strict=True)]
        shorter = ((place, _unarticled(each)) for place, each in enumerate(phrases) if not hits[place])
        others = {place: other for place, other in shorter if other}
        if others:
            instead = dict(zip(others, self._look([*others.values()], limit), strict=True))
            hits = [_as_joined(phrases[place], instead.get(place, each)) for place, each in enumerate(hits)]
        return hits


def _unarticled(phrase: str) -> str:
    """`pub in the basement` as `pub in basement`; nothing where there is no article within."""
    first, *rest = phrase.split() or [""]
    kept = [each for each in rest if each.casefold() not in _SAYING_LITTLE]
    return " ".join((first, *kept)) if kept and len(kept) < len(rest) else ""


def _as_joined(phrase: str, hits: list[ValueHit]) -> list[ValueHit]:
    """Of a phrase with an `and`, the values that join two words, too: `vegan|spicy` lists them."""
    if _AND not in phrase.casefold().split():
        return hits
    return [each for each in hits if _AND in each.value.casefold().split() or not _SIGNS.isdisjoint(each.value)]


def _has_e_more(phrase: str, value: str) -> bool:
    """Whether a phrase ends in an `e` that a value lacks: `times` are no Tim, `home` is no HOM, `boxes` are a box."""
    return phrase.removesuffix("s") == f"{value}e" and not (phrase.endswith("s") and value.endswith(_TAKE_ES))


def _named(phrase: str, items: Iterable[Item]) -> Iterator[ValueHit]:
    """Those of `items` that `phrase` names, each once."""
    same, alike = folded(phrase), normal(phrase)
    for item in dict.fromkeys(items):
        if same == folded(item[3]):
            yield ValueHit(*item, 1.0)
        elif (name := normal(item[3])) in (same, alike) and name and not _has_e_more(same, folded(item[3])):
            yield ValueHit(*item, 1.0 if name == same else 0.9)


class _Misspelt:
    """The values that one text may be a misspelling of.

    All texts one edit away are looked up; where none is a value, those with more edits whose words are stored ones.
    """

    def __init__(self, shelf: Shelf, wanted: str) -> None:
        self._shelf = shelf
        self._wanted = wanted
        self._edits = len(wanted) // 5
        more = [letter for letter, _ in shelf.letters.most_common() if letter not in _ALPHABET]
        self._letters = _ALPHABET + "".join(more[:_MORE_LETTERS])

    def hits(self) -> list[ValueHit]:
        """The nearest first."""
        found = self._hits(one_edit(self._wanted, self._letters + " "))
        if not found and self._edits > 1:
            found = self._hits(self._further())
        return sorted(found, key=lambda hit: -hit.score)

    def _hits(self, texts: Sequence[str]) -> list[ValueHit]:
        from pluto_duck_text2sql.data.hashing import distinct_keys

        refs = [ref for some in self._shelf.find(distinct_keys(texts)).values() for ref in some[:_MOST_ALIKE]]
        items = dict.fromkeys(self._shelf.items(refs[:_MOST_TRIED]))
        apart = ((item, self._apart(item[3])) for item in items)
        return [ValueHit(*item, round(0.8 - 0.1 * edits, 6)) for item, edits in apart if edits <= self._edits]

    def _apart(self, value: str) -> int:
        """How many edits are between; more than allowed where it is none of a misspelling's."""
        names = [name for name in {folded(value), normal(value)} if _alike(self._wanted, name)]
        return min((distance(self._wanted, name, self._edits) for name in names), default=self._edits + 1)

    def _further(self) -> list[str]:
        """Texts of stored words, each a letter or two from the word in its place."""
        choices = [self._words_like(word) for word in WORD.findall(self._wanted)]
        ways = ([(word, edits) for word, edits in way] for way in islice(product(*choices), _WAYS))
        return [" ".join(word for word, _ in way) for way in ways if 0 < sum(n for _, n in way) <= self._edits]

    def _words_like(self, word: str) -> list[tuple[str, int]]:
        """The word, and stored words that it may be meant for, with the letters between."""
        once = self._stored(one_edit(word, self._letters, keep=0)) if len(word) > 2 else []
        twice = self._two_wrong(word) if len(word) >= _LONG_WORD and not once else []
        return [(word, 0), *((each, 1) for each in once), *((each, 2) for each in twice)]

    def _stored(self, words: Sequence[str]) -> list[str]:
        from pluto_duck_text2sql.data.hashing import word_hashes

        return list(compress(words, self._shelf.knows(word_hashes(words))))

    def _two_wrong(self, word: str) -> list[str]:
        """Stored words two edits from a long one: an edit here, then a letter left out here, there, or in both."""
        from pluto_duck_text2sql.data.hashing import word_hashes

        once = one_edit(word, self._letters)
        tried = sorted({*once, *(less for each in once for less in without_one(each))})
        hashes = word_hashes(tried)
        half_way = list(compress(tried, self._shelf.nears(hashes)))[:_HALF_WAYS]
        shorter = compress(tried, self._shelf.knows(hashes))
        longer = self._stored(sorted({more for each in half_way for more in with_one(each, self._letters)}))
        return [each for each in dict.fromkeys([*shorter, *longer]) if distance(word, each, 2) <= 2]


def _alike(wanted: str, name: str) -> bool:
    """A misspelling keeps the first letter, and is more than a word with something appended but its last letter."""
    appended = name.startswith(wanted) and name != wanted + wanted[-1]
    return name[:1] == wanted[:1] and not appended and len(name) in _NAMES
