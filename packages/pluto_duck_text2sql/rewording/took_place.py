"""What took place is what was not called off: `lessons that took place`, `lessons held in May`, `how many went ahead`.

Where a table keeps in one column both what is done and what was called off, such rows are those that are done; the
question is put so (`Paraphrases.states` knows the values). Elsewhere all rows took place, and nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import TableKey

_REALLY = r"(?:(?:really|actually|in fact|indeed) )?"
_HAPPENED = rf"{_REALLY}(?:took place|went ahead|(?:were|was) {_REALLY}held|ha(?:ve|s) {_REALLY}taken place|happened)"
_NOUN = r"(?P<noun>[a-z]+)"
_WAYS = tuple(
    (Pattern(pattern, re.IGNORECASE), shape)
    for pattern, shape in (
        (rf"\b{_NOUN} (?:that|which) {_HAPPENED}\b", "{value} {noun} held"),
        (rf"(?P<before>\b(?:how many|which) ){_NOUN} {_HAPPENED}\b", "{before}{value} {noun} were held"),
        (
            rf"(?P<before>\bhow many ){_NOUN} (?:did|does|do|has|have) (?P<who>[^,?]+?) {_REALLY}"
            r"(?:completed?|finish(?:ed)?)(?=\W*$| (?:in|during|since|last|this|on|at|from)\b)",
            "{before}{value} {noun} did {who} have",
        ),
        (rf"(?P<before>\b(?!we|they|you|i|has|have|had)[a-z]+ )held {_NOUN}\b", "{before}had {value} {noun} held"),
        (rf"\b{_NOUN} {_REALLY}held\b(?! back| up| over)", "{value} {noun} held"),
    )
)
_DONE = ("completed", "done", "held", "attended", "checked out")
_OFF = ("cancelled", "missed")
_NAMED = 0.6
States = Callable[[str], Sequence[ValueHit]]


class TookPlace:
    """Puts what took place into the words of one catalog; `states` finds the values that a word is stored as."""

    def __init__(self, names: NameIndex, states: States) -> None:
        self._names, self._states = names, states
        self._known: dict[TableKey, str] = {}

    def said(self, question: str) -> tuple[str, tuple[str, ...]]:
        """The question with the value of what is done, and what is told of it; as it is where none is spoken of."""
        for pattern, shape in _WAYS:
            found = pattern.search(question)
            value = self._value(found["noun"]) if found else ""
            if found and value and not question[: found.start("noun")].rstrip().endswith(value):
                parts = {"before": "", **found.groupdict(), "value": value}
                text = question[: found.start()] + shape.format(**parts) + question[found.end() :]
                return text, (f'"{found[0]}" is those that are {value} (others were called off)',)
        return question, ()

    def _value(self, noun: str) -> str:
        """What is stored of rows that are done, where the same column tells which were called off."""
        named = self._names.find((stem(noun.lower()),))
        tables = [each.table.key for each in named if each.column is None and each.score >= _NAMED]
        if len(tables) != 1:
            return ""
        if tables[0] not in self._known:
            self._known[tables[0]] = self._done(tables[0])
        return self._known[tables[0]]

    def _done(self, table: TableKey) -> str:
        done, off = ([hit for word in words for hit in self._states(word)] for words in (_DONE, _OFF))
        columns = {(hit.schema, hit.table, hit.column) for hit in off}
        values = {
            hit.value
            for hit in done
            if (hit.schema, hit.table, hit.column) in columns and (hit.schema, hit.table) == table
        }
        return next(iter(values)) if len(values) == 1 else ""
