"""Where a word of a question stands for rows shown before, and the question with a name or a noun in its place.

`each of them`, `the first one`, `that vet`, `in those`, `his`, `it`: what says most clearly whom it stands for is found
first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.followups.referents import is_called
from pluto_duck_text2sql.followups.there import THERE
from pluto_duck_text2sql.followups.trees import RANKS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import TableKey

SUCH = r"(?:that|this|those|these|the same)"
_NUMBER = rf"(?!one\b){A_NUMBER}"
_MANY = rf"(?: {_NUMBER})?"
_ONES = rf"(?:them|those{_MANY}|these{_MANY}|the {_NUMBER})"
_SOME = "each|every one|any|all|how many|which|most|none|some"
_SUBJECT = "|".join(f"(?<=\\b{each} )" for each in "does did do has have had at in from".split())
"""What is asked of the best one, where `which is the best one?` asks for it."""


def _compiled(*patterns: str) -> tuple[Pattern, ...]:
    return tuple(Pattern(pattern, re.IGNORECASE) for pattern in patterns)


OF_EACH = _compiled(
    r"\b(?:of|for|at|in|from) (?P<every>each)(?: one)?"
    r"(?=\W*$| (?:is|are|was|were|has|have|had|went|goes|came|did|do)\b)"
)
OF_SOME = _compiled(
    rf"\b(?P<each>{_SOME}) of {_ONES}(?! [a-z]+s\b)",
    rf"\b(?P<each>{_SOME}) of (?:those|these|the){_MANY} (?P<noun>[a-z]+s)\b",
    r"\b(?P<each>each) one\b(?! of)",
    r"\bthe (?P<nth>first|second|third|fourth|fifth|last|top) one\b(?! of)"
    r"|\b(?:the )?number (?P<number>one|two|three)\b",
    rf"(?:{_SUBJECT})\bthe (?P<ranked>{'|'.join(RANKS)}) one\b(?! of)",
    rf"\b{SUCH}{_MANY} (?P<noun>[a-z]+(?:[ -][a-z]+)?)\b(?P<s>['’]s?)?",
)
_OF_ALL = _compiled(
    rf"\b(?P<of>in|of|among|from|across) (?:{_ONES}|there)(?! [a-z]+s\b)",
    rf"(?P<there>{THERE})",
    r"\bthe (?P<such>[\w-]+) (?P<ones>ones)\b",
    r"\b(?P<of>of) (?:that|it)(?= (?:is|are|was|were|has|have|had|did|does|came|comes|went|goes)\b|\W*$)",
    r"\b(?P<one>(?:that|this|the same) one)\b|\b(?P<whose>his|her|its|their)\b(?! own\b)|\b(?P<he>he|she|him)\b",
    rf"\b(?:them|(?:those|these){_MANY}(?! [a-z]+s\b)|they)\b",
    r"\b(?P<it>it)\b",
)
_NTH = [each for each in OF_SOME if not {"nth", "ranked"}.isdisjoint(each.compiled.groupindex)]
_PRONOUNS = (*OF_EACH, *OF_SOME, *_OF_ALL)
"""What stands for rows shown before, what says most of them first: `it` alone may stand for nothing."""
_PARTS = dict.fromkeys(
    (
        "every",
        "each",
        "of",
        "noun",
        "nth",
        "number",
        "ranked",
        "s",
        "whose",
        "one",
        "he",
        "it",
        "such",
        "ones",
        "there",
    ),
    "",
)


def asks_of_nth(question: str) -> bool:
    """Whether it asks of one of several rows by its place: `the first one`, `number two`."""
    return any(each.search(question) for each in _NTH)


@dataclass(frozen=True)
class Place:
    """Where a word stands for rows, and how."""

    start: int
    end: int
    said: dict[str, str]

    def __getitem__(self, part: str) -> str:
        return self.said[part]

    def saying(self, **parts: str) -> Place:
        """The same place, said otherwise."""
        return replace(self, said=self.said | parts)


def is_of_one(place: Place) -> bool:
    """Whether the word stands for a single one."""
    return not (place["each"] or place["of"] or place["every"]) and any(
        place[each] for each in ("noun", "one", "whose", "he", "it")
    )


def pronoun_of(text: str, of: set[TableKey], reader: Reader) -> Place | None:
    """The word that says most clearly that it stands for rows of a table."""
    for pattern in _PRONOUNS:
        for found in pattern.finditer(text):
            if found[0] == "IT" and (not text.isupper() or text.strip(" ?!.") == "IT"):
                continue  # a department, not a pronoun
            said = _PARTS | {name: part or "" for name, part in found.groupdict().items()}
            if not said["noun"] or any(is_called(said["noun"], each, reader) for each in of):
                return Place(found.start(), found.end(), said)
    return None


def put_in_place(text: str, place: Place, name: str) -> str:
    """The text with a name, or a noun, where the word stood that stands for it."""
    is_name = not name.islower()
    the = name if is_name else f"the {name}"
    if place["ones"]:
        the = f"the {place['such']} {name}"
    elif place["every"]:
        before = text[place.start :].split(maxsplit=1)[0]
        the = f"{before} each {singular(name)}"
    elif place["each"]:
        of_each = place["each"].lower() in ("each", "every one")
        the = f"each {singular(name)}" if of_each else f"{place['each']} {name}"
    elif place["of"] or place["there"]:
        the = f"{place['of'] or 'at'} {the}"
    elif place["whose"] or place["s"]:
        the += "'" if the.endswith("s") and not is_name else "'s"
    rest = place["noun"].split()[1:] if place["noun"] else []
    said = " ".join(filter(None, [text[: place.start].strip(), the, *rest]))
    return said + text[place.end :]


def singular(noun: str) -> str:
    """A noun of several in the singular: `each teacher`."""
    for many, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if noun.endswith(many) and not noun.endswith("ss"):
            return noun.removesuffix(many) + one
    return noun
