"""The last touches to a question: what it shall show, politeness, capitals, marks, and a slip of the fingers."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence

_ASKING = frozenset("what which who how when where whose is are do does did on in of".split())
_HINTED = 0.1
_SLIPPED = 0.05
_LEAST = 5
_TIMES = "month quarter week year hour day monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "january february march april june july august september october november december".split()
_NUMBERS = "three seven eight eleven twelve twenty fifty hundred dozen twice times second third fourth fifth".split()
_NEVER = frozenset((*_TIMES, *_MONTHS, *_NUMBERS, *(f"{each}s" for each in _TIMES)))
"""Words that are never misspelt: what they stand for is looked up."""
_TWICE = re.compile(r"\b(the|all|a|of|in|for) (?:the )?\1\b", re.IGNORECASE)
_AN = re.compile(r"\b([Aa]) (?=[aeioAEIO]\w)")


def polished(question: str, labels: Sequence[str], fixed: Collection[str], rng: random.Random) -> str:
    """The question as somebody types it; words of `fixed` are never misspelt."""
    text = " ".join(re.sub(r"\s+([,:?])", r"\1", question).split())
    text = _AN.sub(r"\1n ", _TWICE.sub(r"\1", text))
    if rng.random() < _SLIPPED:
        text = _with_slip(text, fixed, rng)
    hint = _hint(labels, rng) if rng.random() < _HINTED else ""
    first = text.split()[0].casefold()
    is_asking = (first in _ASKING and not text.startswith(("in ", "on ", "of "))) or text.endswith("?")
    mark = rng.choice(("?", "?", "?", "")) if is_asking else rng.choice((".", "", "", "", ""))
    if hint and rng.random() < 0.5 and not is_asking:
        return _begun(f"{text}: {hint}", rng)
    if hint:
        return _begun(f"{text.rstrip('?')}{mark or '.'} {_begin(hint)}.", rng)
    return _begun(text.rstrip("?") + mark, rng)


def _begun(text: str, rng: random.Random) -> str:
    return _begin(text) if rng.random() < 0.75 else text


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _hint(labels: Sequence[str], rng: random.Random) -> str:
    """Name and amount."""
    if not 2 <= len(labels) <= 4:
        return ""
    said = f"{', '.join(labels[:-1])} and {labels[-1]}"
    return rng.choice((said, said, f"show {said}", f"return {said}"))


def _with_slip(text: str, fixed: Collection[str], rng: random.Random) -> str:
    """One long word with two letters in the wrong order, one missing, or one twice."""
    words = text.split(" ")
    places = [n for n, each in enumerate(words) if _may_slip(each, fixed)]
    if not places:
        return text
    place = rng.choice(places)
    word = words[place]
    at = rng.randrange(1, len(word) - 2)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    words[place] = rng.choice(slips)
    return " ".join(words)


def _may_slip(word: str, fixed: Collection[str]) -> bool:
    return len(word) >= _LEAST and word.isalpha() and word.casefold() not in {*_NEVER, *fixed}
