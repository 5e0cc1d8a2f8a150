"""A user's glossary: list items of Markdown that say what a word means here. Text in, items out; never raises.

`- turnover, takings: invoices.total` and `- client = customer` are items; headings, paragraphs, code blocks, comments
and list items in sentences are prose. What an item's meaning stands for is found in terms.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pluto_duck_text2sql.language.patterns import Pattern

_ITEM = Pattern(r"\s{0,7}[-*+]\s+(?:\[[ xX]\]\s+)?(?P<terms>[^:=`]{1,120}?)\s*(?P<sign>:|=)\s*(?P<meaning>\S.*)$")
_FENCE = Pattern(r"\s{0,3}(?P<mark>```+|~~~+)")
_COMMENT = Pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EMPHASIS = Pattern(r"\*\*|__(?=\S)|(?<=\S)__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_SAYS = Pattern(r"[.`'\"(=<>*]|\b(?:where|in|of|is|between|like)\b", re.IGNORECASE)
_LONGEST = 600
_MOST_WORDS_OF_TERM = 6
_MOST_WORDS_OF_NAME = 4


@dataclass(frozen=True)
class Item:
    """One line: its terms mean `meaning`; `place` is `file:line`.

    `metric` is what people are told of one that others defined, such as dbt; it is no one's word for something else.
    """

    terms: tuple[str, ...]
    meaning: str
    place: str
    metric: str = ""


def read_glossary(text: str, file: str) -> list[Item]:
    """The items of one Markdown file, in its order."""
    return [item for number, line in _lines(text) if (item := _item(line, f"{file}:{number}"))]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without those of code blocks and comments."""
    fence = ""
    for number, line in enumerate(_COMMENT.sub(_blank, text).split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark["mark"]
        elif not fence and len(line) <= _LONGEST:
            yield number, line.rstrip("\r")


def _blank(comment: re.Match[str]) -> str:
    return "\n" * comment[0].count("\n")


def _item(line: str, place: str) -> Item | None:
    found = _ITEM.match(line)
    if found is None:
        return None
    terms = tuple(term for part in _EMPHASIS.sub("", found["terms"]).split(",") if (term := part.strip(" \t\"'“”")))
    meaning = _meaning(found["meaning"])
    if not terms or not meaning or _is_prose(terms, meaning, found["sign"]):
        return None
    return Item(terms, meaning, place)


def _meaning(text: str) -> str:
    """What is in backticks where it begins with them; else the line without a remark after a dash."""
    quoted = re.match(r"(?:\*\*)?`+\s?(?P<code>[^`]+?)\s?`", text)
    if quoted:
        return quoted["code"].strip()
    return re.split(r"\s+[—–]\s+", text, maxsplit=1)[0].replace("`", "").strip().rstrip(";.").strip()


def _is_prose(terms: tuple[str, ...], meaning: str, sign: str) -> bool:
    """A sentence with a colon in it: `Note: invoices are booked at night`."""
    if any(len(term.split()) > _MOST_WORDS_OF_TERM for term in terms):
        return True
    return sign == ":" and len(meaning.split()) > _MOST_WORDS_OF_NAME and not _SAYS.search(meaning)
