"""Amounts held against those of all others or of any: what is dearer than all red ones is above the dearest of them.

Called by `corrections` for every tree, whoever wrote it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Compare, Query, mapped

_THAN = r"\b(?:than|above|below|before|after)(?: (?:that of|those of|the [a-z]+ (?:of|for)|for|in))?"
_ALL = Pattern(rf"{_THAN} (?:all|every|each)\b(?! of\b.*\b(?:average|mean)\b)")
_SOME = Pattern(rf"{_THAN} (?:some|at least one|any one|one of)\b")
_END_SAID = Pattern(
    r"\b(?:min(?:imum)?|max(?:imum)?|average|mean|[a-z]{2,}est|most|least|first|last|not|no|never|none)\b"
)
_ENDS = ("max", "min")


def of_said_others(query: Query, question: str) -> Query:
    """The tree with the end that all, or one, of those compared with stand for; as it is where an end is said."""
    said = question.lower()
    of_all, of_some = _ALL.search(said), _SOME.search(said)
    if bool(of_all) == bool(of_some) or _END_SAID.search(said.replace("at least one", "")):
        return query
    return mapped(query, partial(_compared, of_all=bool(of_all)), (Compare,))


def _compared(node: Any, *, of_all: bool) -> Any:
    """What is above all is above the highest, what is above some above the lowest."""
    found = node.right if isinstance(node, Compare) else None
    if not isinstance(found, Query) or len(found.select) != 1 or found.group or node.operator[0] not in "<>":
        return node
    figure = found.select[0]
    if not isinstance(figure, Agg) or figure.function not in _ENDS:
        return node
    function: Any = "max" if (node.operator[0] == ">") == of_all else "min"
    if function == figure.function:
        return node
    return replace(node, right=replace(found, select=(replace(figure, function=function),)))
