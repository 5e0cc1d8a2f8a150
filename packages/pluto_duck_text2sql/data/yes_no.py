"""Columns that say yes or no, however these are stored: `Y`, `Yes`, `1`, `ja`, `O`.

Some have a third word for what is not known. The pairs are a list, yes_no.txt; asked wherever a column may be a flag.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Col, Compare

_MOST_WORDS = 4
"""A column of more different texts says something else than yes, no, and what is not known."""
_LETTER = 1


def is_yes_or_no(column: Column) -> bool:
    """Whether a column holds yes or no."""
    return column.kind == "flag" or _pair(column) is not None


def yes_of(column: Column) -> Any:
    """What stands for yes in a column, as it is stored; None where it says no such."""
    return True if column.kind == "flag" else (_pair(column) or (None, None))[0]


def denied(at: Col, column: Column) -> Compare:
    """What a flag denies: not yes, and no where a third word says that it is not known."""
    yes, no = _pair(column) or (True, False)
    has_others = column.kind == "text" and (column.n_distinct or 0) > len(("yes", "no"))
    return Compare(at, "=", no) if has_others else Compare(at, "!=", yes)


def says_no(value: Any) -> bool:
    """Whether a value stands for no in any column."""
    return as_word(value) in {no for _, no in _pairs()}


def says_either(value: Any) -> bool:
    """Whether a value stands for yes or for no in any column."""
    return as_word(value) in {word for pair in _pairs() for word in pair}


def _pair(column: Column) -> tuple[Any, Any] | None:
    """The stored yes and no of a column; None in the place of one that is not stored."""
    if not column.n_distinct or column.n_distinct > _MOST_WORDS or column.kind not in ("number", "text"):
        return None
    if column.kind == "number":
        if name_stems(column.name)[-1:] == ("id",):
            return None  # the key of the one manager that all have
        return (1, 0) if (column.minimum, column.maximum) in ((0, 1), (1, 1), (0, 0)) else None
    stored = {as_word(each): each for each in column.samples}
    return next((made for pair in _pairs() if (made := _stored(stored, *pair))), None)


def _stored(stored: dict[str, Any], yes: str, no: str) -> tuple[Any, Any] | None:
    """The two as they are stored: both and nothing else, whole words and something else, or one of the usual alone."""
    found = [each for each in (yes, no) if each in stored]
    both = len(found) == len((yes, no))
    is_word = len(no) > _LETTER or (yes, no) == _USUAL
    alone = len(stored) == 1 and len(found) == 1 and (yes, no) in _pairs()[:_COMMON]
    if (both and (is_word or len(stored) == len(found))) or alone:
        return stored.get(yes), stored.get(no)
    return None


_USUAL = ("y", "n")
_COMMON = 5
"""How many pairs the list begins with of which one alone is believed: a lone `S` or `J` is some code."""


def as_word(value: Any) -> str:
    """What a value is called: a number that stands for yes or no without its fraction."""
    if isinstance(value, bool | float):
        value = int(value) if value == int(value) else value
    return str(value).casefold()


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    text = files(__package__).joinpath("yes_no.txt").read_text(encoding="utf-8")
    split = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((yes, no) for yes, no in split)
