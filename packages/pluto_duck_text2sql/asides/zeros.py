"""Those that have nothing count as well: `calls per agent, including agents without any`, `show 0 if there are none`.

What is said of them is an aside (asides.py). The rest is read as ever; its groups are then taken from the table whose
rows they are, with or without rows of what is counted, and what restricts these restricts the figures alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Nested,
    Query,
    TableKey,
    nodes_in,
)
from pluto_duck_text2sql.trees.whole_groups import whole

_NONE = r"(?:none|nothing|nobody|no one|no \w+|zero|0|never|not (?:any|a single)|without|any)"
_LACKING = (
    r"(?:without|with (?:no|none|zero|0)|having (?:no|none)|lacking"
    r"|(?:that|who|which) (?:(?:have|has|had) (?:nobody|nothing|no|none|never|not)"
    r"|(?:do|did|does|have|has|had|was|were)(?: not|n['’]t)|never|(?:got|get|gets|made|saw|took|gave) (?:no|none))"
    r"|(?:that |who |whom |which )?(?:nobody|no one|nothing)\b)"
)
_INCLUDING = r"(?:includ(?:e|ing)|count(?:ing)?|list(?:ing)?|show(?:ing)?|keep(?:ing)?|with)"
_ZERO = r"(?:a )?(?:zero|0)"
_AS_ZERO = rf"(?:,? (?:(?:shown|counted|count|counts|showing|then) )*(?:as|with|at) {_ZERO})"
_SHOWN = (
    r"(?:(?:should|must|may|can|will|are to|also|still|then|please) )*"
    r"(?:show(?:s|ing)?(?: up)?|appear(?:s|ing)?|be (?:shown|listed|included|counted)|count(?:s|ing)?)"
)
_JOINED = r"(?:[,;(] ?)?(?:(?:and|but|please) )*"
_ENDS = r"(?=[.,;:?!()]|$)"
_UNTIL = r"[^.,;:?!()]*"
_WAYS = (
    rf"\b(?:includ(?:e|ing)|incl\.?|counting|(?<=[,;.] )count|add(?:ing)?|plus|even"
    rf"|with(?= (?:those|the ones|all|also)\b)|also(?: {_INCLUDING})?|{_INCLUDING} also"
    r"|(?<=[.?!;,] )keep(?:ing)?(?! (?:only|just)))"
    r"(?: (?:also|even|too|as well|all|any|the|those|ones|our))*"
    rf"(?P<who>(?: [a-z-]+){{0,3}}?) {_LACKING}{_UNTIL}?(?:{_AS_ZERO})?{_ENDS}\)?",
    rf"(?:\b(?:an?|any|the|those|all) )?\b(?P<whose>[a-z-]+(?: [a-z-]+)?) {_LACKING}(?:[^.;:?!()]*? )??"
    rf"{_SHOWN}{_AS_ZERO}",
    rf"(?<=[(,;.]|\?) ?(?P<such>[a-z-]+(?: [a-z-]+)?) {_LACKING}[^.,;:?!()]*? (?:too|as well|also|included){_ENDS}\)?",
    rf"\b{_INCLUDING} (?:the |all |any )?(?:zero(?:e?s)?|0s?)(?: (?:counts?|values?|rows?|too|as well))*{_ENDS}",
    r"\bzeroe?s(?: are)? (?:included|too|as well|to be included)\b",
    rf"\b(?:(?:show|put|give|use|write|print|with|count|say|as)(?:ing)? )?{_ZERO} (?:if|where|when|for)"
    rf" {_UNTIL}?{_NONE}\b{_UNTIL}",
    rf"\beven (?:if|when|though|where) {_UNTIL}?{_NONE}\b{_UNTIL}",
)
_ASIDE = Pattern("|".join(f"{_JOINED}{each}" for each in _WAYS), re.IGNORECASE)
_PRONOUNS = frozenset("those ones these them anyone everyone somebody".split())
_OF_NAME = 0.6
_TOLD = "Those that have none are shown too, with 0."


class Zeros:
    """Reads over one catalog whether groups of nothing are wanted."""

    def __init__(self, reader: Reader) -> None:
        self._joins, self._names = reader.joins, reader.names

    def aside(self, question: str) -> Aside | None:
        """What to take out of the question, and what it changes; None where nothing is said of it."""
        found = _ASIDE.search(question)
        if found is None:
            return None
        text = tidy(f"{question[: found.start()]} {question[found.end() :]}")
        who = (found["who"] or found["whose"] or found["such"] or "").strip()
        return Aside(text, lambda query: self._whole(query, who), (_TOLD,)) if text else None

    def _whole(self, query: Query, who: str) -> Query | None:
        """The query over all groups; None where it has none that could be empty, or others are spoken of."""
        made = whole(query, self._joins)
        return made if made and self._is_of(made, who) else None

    def _is_of(self, query: Query, who: str) -> bool:
        """Whether who is spoken of are the groups."""
        if not who or who.lower() in _PRONOUNS:
            return True
        return any(each.table.key in _anchors(query) for each in self._named(who))

    def _named(self, who: str) -> Iterator[Target]:
        """What the last of the words name."""
        words = [token.stem for token in tokenise(who)]
        for start in range(len(words)):
            yield from (each for each in self._names.find(tuple(words[start:])) if each.score >= _OF_NAME)


def says_zeros(text: str) -> bool:
    """Whether a text says that those which have none are wanted too, and nothing else."""
    found = _ASIDE.search(text)
    return found is not None and not tidy(f"{text[: found.start()]} {text[found.end() :]}")


def without_zeros(text: str) -> str:
    """A text less what it says of those that have none."""
    return tidy(_ASIDE.sub(" ", text))


def _anchors(query: Query) -> set[TableKey]:
    """The tables whose rows are the groups."""
    inner = [each.query for each in nodes_in(query.select) if isinstance(each, Nested)]
    return {each.anchor for each in inner or (query,)}
