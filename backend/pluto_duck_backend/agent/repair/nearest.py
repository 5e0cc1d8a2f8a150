"""How like a real name an invented one is: case, separators, plural, prefix, abbreviation, misspelling, synonym.

A number from 0 to 1, by the first rule that fits; the rules go from what hardly ever errs to what often does.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from pluto_duck_text2sql.language.edits import distance
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.words import name_stems

LEAST = 0.62
SURE = 0.93
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SEPARATORS = re.compile(r"[\W_]+")
_LEAST_LETTERS = 2


@lru_cache(maxsize=20_000)
def likeness(wanted: str, name: str, owner: str = "") -> float:
    """How likely `wanted` means `name`, a table or a column of the table `owner`."""
    if wanted == name:
        return 1.0
    if wanted.casefold() == name.casefold():
        return 0.99
    left, right = name_stems(wanted), name_stems(name)
    if _bare(wanted) == _bare(name) or left == right:
        return 0.97
    short = 0.86 if _abbreviates(_parts(wanted), _parts(name)) or _abbreviates(_parts(name), _parts(wanted)) else 0.0
    return max(short, _of_words(left, right, name_stems(owner)), _of_letters(_bare(wanted), _bare(name)))


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _PARTS.findall(name))


def _bare(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def _of_words(left: tuple[str, ...], right: tuple[str, ...], owner: tuple[str, ...]) -> float:
    if not left or not right:
        return 0.0
    if sorted(left) == sorted(right):
        return 0.94
    if owner and (_without(left, owner) == right or _without(right, owner) == left):
        return 0.94  # customers.customer_name for customers.name
    if owner and _abbreviates(_without(left, owner), right):
        return 0.8
    if right in alike().get(left, ()) or (len(left) == len(right) > 1 and _synonymous(left, right)):
        return 0.72
    return _overlap(left, right)


def _without(name: tuple[str, ...], owner: tuple[str, ...]) -> tuple[str, ...]:
    """The name without its table's, which it begins with."""
    for count in range(len(owner), 0, -1):
        if len(name) > count and name[:count] == owner[-count:]:
            return name[count:]
    return name


def _synonymous(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    return all(one == other or (other,) in alike().get((one,), ()) for one, other in zip(left, right, strict=True))


def _overlap(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Words in common: all of the shorter's in the longer's is a good sign, the last word counts most."""
    common = len(set(left) & set(right))
    if not common:
        return 0.0
    share = common / len(set(left) | set(right))
    whole = common == min(len(set(left)), len(set(right)))
    return 0.4 + 0.4 * share + (0.05 if left[-1] == right[-1] else 0.0) if whole else 0.6 * share


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """`cust_nm` for customer_name, `dob` for date_of_birth."""
    if len(short) == 1 and len(long) > 1 and len(short[0]) == len(long):
        return all(letter == word[0] for letter, word in zip(short[0], long, strict=True))
    return len(short) == len(long) and all(map(_shortens, short, long))


def _shortens(short: str, long: str) -> bool:
    if short == long:
        return True
    if len(short) < _LEAST_LETTERS or len(short) >= len(long) or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _of_letters(left: str, right: str) -> float:
    """Misspellings: one letter in five may be wrong."""
    longest = max(len(left), len(right), 1)
    most = max(1, longest // 4)
    if longest < 3:
        return 0.0
    apart = distance(left, right, most)
    if apart <= most:
        return 0.93 - 0.9 * apart / longest
    if len(left) > 3 and len(left) * 5 >= len(right) * 2 and _shortens(left, right):
        return 0.78  # clbnm for ClubName
    return 0.7 * SequenceMatcher(None, left, right).ratio()
