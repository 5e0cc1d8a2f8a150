"""What a question says in parentheses of a measure: `order value (total price)`, `worth, that is price times stock`.

The question comes back with the definition in the place of what it defines.

A remark that names no number and computes nothing stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, STOP, Token, stem, tokenise
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS
from pluto_duck_text2sql.trees.term import Said

_MEANING = r"(?:that is|i\.?e\.?|meaning|namely|defined as|measured as|computed as|calculated as|taken as|=)[,:]?\s+"
_REMARK = Pattern(
    rf"\s*\(\s*(?:{_MEANING})?(?P<in>[^()]*(?:\([^()]*\)[^()]*)*?)\s*\)|,?\s+{_MEANING}(?P<after>[^,;:?.()]+)",
    re.IGNORECASE,
)
_DISCOUNTED = Pattern(r"\s+(?:after|net of|less|minus) (?:the |any |all )?discounts?$", re.IGNORECASE)
_LAST_WORD = Pattern(r"\s*([^\W_]+)$")
_AMOUNTS = AMOUNT_WORDS | frozenset("worth volume profit margin cost costs price prices spend value values".split())
_TABLE = 0.9


class Definitions:
    """Puts definitions in the place of what they define; `find` finds the terms that tokens say."""

    def __init__(self, names: NameIndex, find: Callable[[Sequence[Token]], list[Said]]) -> None:
        self._names, self._find = names, find

    def applied(self, question: str) -> str:
        """The question with each definition in place."""
        place, parts = 0, list[str]()
        for found in _REMARK.finditer(question):
            what = found["in"] or found["after"] or ""
            if not self._is_measure(what):
                continue
            parts.append(self._before(question[place : found.start()]) + what.strip())
            place = found.end()
        return "".join([*parts, question[place:]])

    def _is_measure(self, text: str) -> bool:
        """Whether all of the words are one computation, or the name of one number."""
        tokens = tokenise(text)
        if not tokens or any(token.quoted for token in tokens):
            return False
        if any(each.term.measure and each.end - each.start == len(tokens) for each in self._find(tokens)):
            return True
        named = self._names.find(tuple(token.stem for token in tokens))
        return any(each.column and each.column.kind == "number" and each.score >= _TABLE for each in named)

    def _before(self, text: str) -> str:
        """What stands before a definition, without the name of what is defined, or with `by` where it has none."""
        text = text.rstrip()
        rest = _DISCOUNTED.sub("", text)
        found = _LAST_WORD.search(rest)
        word = found[1].lower() if found else ""
        is_name = bool(word) and (word in _AMOUNTS or stem(word) in MONEY or self._is_unknown(word))
        if not found or not is_name:
            return f"{rest} by "
        return self._without_tables(rest[: found.start()]) + " "

    def _without_tables(self, text: str) -> str:
        """`order line revenue`: the tables right before only say whose it is."""
        found = _LAST_WORD.search(text)
        if not found or found[1].lower() in STOP:
            return text
        is_table = any(each.column is None for each in self._names.find((stem(found[1].lower()),)))
        return self._without_tables(text[: found.start()]) if is_table else text

    def _is_unknown(self, word: str) -> bool:
        return word not in STOP and not self._names.find((stem(word),))
