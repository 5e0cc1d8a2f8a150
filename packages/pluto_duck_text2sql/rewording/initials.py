"""What the short part of a name stands for, said in full: `personal training sessions` are `pt_sessions`.

Called by `rewordings`. The words begin with the letters of the part, name nothing and no day themselves, and stand
before another word of the same name; the part is no word itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import STOP, VOCABULARY, name_parts, stem, tokenise
from pluto_duck_text2sql.times.calendar_days import MONTHS
from pluto_duck_text2sql.times.named_days import WEEKDAYS

_NAMED = 0.6
_LETTERS = range(2, 5)
_DAYS = frozenset((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS))
_WORDS = frozenset((*STOP, *VOCABULARY, "id"))


def by_initials(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with the short part of a name for the words that it stands for."""
    short = dict(_short_parts(catalog))
    tokens = tokenise(question) if short else []
    for place, token in enumerate(tokens):
        for part, rests in short.items():
            said = tokens[max(place - len(part), 0) : place]
            begins = "".join(each.lower[:1] for each in said) == part
            if begins and token.stem in rests and not any(_says(each.lower, each.stem, names) for each in said):
                return question.replace(" ".join(each.text for each in said), part, 1)
    return question


def _says(word: str, stem_: str, names: NameIndex) -> bool:
    """Whether a word names something, or nothing ever, or tells a day."""
    return word in STOP or word in _DAYS or any(each.score >= _NAMED for each in names.find((stem_,)))


def _short_parts(catalog: Catalog) -> Iterator[tuple[str, frozenset[str]]]:
    """The short parts of names of several, and the stems of the others."""
    found: dict[str, set[str]] = {}
    for table in catalog.tables:
        for name in (table.name, *(each.name for each in table.columns)):
            parts = [each.lower() for each in name_parts(name)]
            for part in parts if len(parts) > 1 else ():
                if len(part) in _LETTERS and part.isalpha() and part not in _WORDS:
                    found.setdefault(part, set()).update(stem(each) for each in parts if each != part)
    yield from ((part, frozenset(rests)) for part, rests in found.items())
