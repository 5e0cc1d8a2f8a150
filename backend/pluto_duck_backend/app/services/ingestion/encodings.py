"""Which encoding bytes are in that are no UTF-8: by how the words look under each.

`text` asks. What must stay true: the Windows encoding of the West stays the answer unless its words look odd and those
of another do not; bytes alone decide, never a language.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator

MIXED = "utf-8 and cp1252"
"""Files put together: UTF-8, and bytes among it that are none."""
_WESTERN = "cp1252"
_OTHERS = ("cp850", "cp1250", "cp1251", "cp866", "koi8-r", "cp1253", "mac-roman")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_ENOUGH = 5_000  # words
_JOINS = "’'-–‑­·"  # marks that stand between letters
_DRAWINGS = "".join(map(chr, range(0x2500, 0x2600)))
_CLEARLY = 4  # times as many odd words


def _windows(error: UnicodeError) -> tuple[str, int]:
    """The bytes that are no UTF-8, as Windows would write them."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode(_WESTERN, "replace"), error.end


codecs.register_error("windows", _windows)


def decoder_of(encoding: str, errors: str = "strict") -> codecs.IncrementalDecoder:
    """Raises LookupError for an encoding that there is not."""
    if encoding == MIXED:
        return codecs.getincrementaldecoder("utf-8")("windows")
    return codecs.getincrementaldecoder(encoding)(errors)


def encoding_of(pieces: Iterable[bytes]) -> str:
    """The encoding of bytes that are not all UTF-8; `pieces` end where lines do."""
    words: list[bytes] = []
    good = bad = 0
    for piece in pieces:
        for line in piece.splitlines():
            if line.isascii():
                continue
            good, bad = (good + 1, bad) if _is_in([line], "utf-8") else (good, bad + 1)
            words += _WORD.findall(line)
        if len(words) >= _ENOUGH:
            break
    if good * _CLEARLY >= bad:
        return MIXED
    return _eastern(words) or _likeliest(words)


def _eastern(words: list[bytes]) -> str | None:
    """Japanese Windows where every word agrees; asked where there are bytes that no Western character has."""
    if _is_in(words, _WESTERN) or not _is_in(words, "cp932"):
        return None
    among_latin = sum(re.search("[A-Za-z]", each.decode("cp932")) is not None for each in words)
    return "cp932" if among_latin * _CLEARLY <= len(words) else None


def _is_in(words: list[bytes], encoding: str) -> bool:
    try:
        b" ".join(words).decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _likeliest(words: list[bytes]) -> str:
    """The Western one, unless its words are odd several times as often as those of another."""
    western = _odd(words, _WESTERN)
    found = min(_OTHERS, key=lambda each: _odd(words, each)) if western else _WESTERN
    if western > _CLEARLY * _odd(words, found):
        return found
    return _WESTERN if _is_in(words, _WESTERN) else "latin-1"


def _odd(words: Iterable[bytes], encoding: str) -> int:
    return sum(_is_odd(each.decode(encoding, "replace")) for each in words)


def _is_odd(word: str) -> bool:
    """Signs between letters, a capital behind a small letter, letters of several scripts, accents on each letter."""
    if "\ufffd" in word or any(unicodedata.category(each) == "Cc" for each in word):
        return True
    letters = [each for each in word if each.isalpha()]
    scripts = {unicodedata.name(each, "?").split()[0] for each in letters} - {"MICRO", "FEMININE", "MASCULINE"}
    is_accented = len(letters) > 3 and scripts == {"LATIN"} and not any(each.isascii() for each in letters)
    return len(scripts) > 1 or is_accented or any(_pairs_oddly(*three) for three in _threes(word))


def _threes(word: str) -> Iterator[tuple[str, str, str]]:
    return zip(f" {word}", word, f"{word[1:]} ", strict=False)


def _pairs_oddly(before: str, each: str, after: str) -> bool:
    if each.isascii():
        return False
    if each.isalpha():
        return each.isupper() and before.isalpha() and (before.islower() or after.islower())
    is_within = before.isalpha() and after.isalpha()
    return (is_within and each not in _JOINS) or each in _DRAWINGS
