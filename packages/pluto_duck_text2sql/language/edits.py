"""How words are misspelt: what is one letter away from a text, and how far two texts are apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

_MOST_COMPARED = 300


def one_edit(text: str, alphabet: Collection[str], keep: int = 1) -> list[str]:
    """What becomes of `text` by one letter left out, swapped, changed or put in, after the first `keep` letters."""
    cuts = [(text[:place], text[place:]) for place in range(keep, len(text) + 1)]
    left_out = {left + right[1:] for left, right in cuts if right}
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    changed = {left + letter + right[1:] for left, right in cuts if right for letter in alphabet}
    put_in = {left + letter + right for left, right in cuts for letter in alphabet}
    return sorted((left_out | swapped | changed | put_in) - {text})


def without_one(text: str) -> list[str]:
    """`text` with one letter left out, in all ways."""
    return [text[:place] + text[place + 1 :] for place in range(len(text))]


def with_one(text: str, alphabet: Collection[str]) -> list[str]:
    """`text` with one letter put in, in all ways."""
    return [text[:place] + letter + text[place:] for place in range(len(text) + 1) for letter in alphabet]


def distance(left: str, right: str, most: int) -> int:
    """Damerau-Levenshtein distance (adjacent swaps count one), or more than `most`."""
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most and min(previous) >= most:  # a swap goes on from the row before
            return most + 1
        before, previous = previous, current
    return min(previous[-1], most + 1)


class Spellings:
    """Words to which others are compared as `difflib.get_close_matches` does, with hardly any looked at."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [(each, len(each), _letters(each)) for each in sorted(set(words))]

    def close(self, word: str, count: int, cutoff: float) -> list[str]:
        """The `count` words most like `word`, of those with a ratio of `cutoff` at least."""
        size, letters, less = len(word), _letters(word), 1 - cutoff + 1e-9
        maybe = []
        for each, length, others in self._words:
            apart = max((letters ^ others).bit_count(), abs(size - length))
            if apart <= less * (size + length):
                maybe.append((apart, each))
        nearest = sorted(maybe)[:_MOST_COMPARED] if len(maybe) > _MOST_COMPARED else maybe
        return get_close_matches(word, [each for _, each in nearest], n=count, cutoff=cutoff)

    def shuffled(self, word: str) -> list[str]:
        """Those of the same letters with two of them in each other's place: `costumer` is meant for customer."""
        letters = sorted(word)
        alike = (each for each, length, _ in self._words if length == len(word) and sorted(each) == letters)
        return [each for each in alike if distance(word, each, 2) <= 2][:1]


def _letters(word: str) -> int:
    """A bit for each letter; each that only one of two words has is one less that they share."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) % 61)
    return bits
