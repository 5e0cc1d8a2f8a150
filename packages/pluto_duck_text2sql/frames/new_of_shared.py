"""New ones of what only rows share (data/things.py): `new customers by month` of orders with an email address each.

How many there are by the same periods is a question of its own; each counts in the period of its first row alone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import Any

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.things import things
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Col, During, First, Query, is_total, mapped

_LEAD = r"(?:(?:show|give|list|tell|what(?:'s| is| are| was| were)?)(?: me| us)? )?(?:the |our )?"
_NEW = Pattern(
    rf"^{_LEAD}(?P<many>how many |number of )?(?:(?:brand[- ])?new|first[- ]time) (?P<who>[a-z]+)"
    r"(?: (?:did we (?:get|win|gain|have|acquire)|(?:bought|ordered|came|joined)|were there|do we (?:get|have)))?"
    r"(?P<rest>(?(many) (?:by|per|each|every|in|during|since|last|this|over|for)| (?:by|per|each|every)) .+)$",
    re.IGNORECASE,
)


class NewOfShared(Compounds):
    """Answers questions for the number of new ones of what rows share."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """How many were new in each period, or in the one that is said; None where the question asks no such."""
        main, phrases = split_spec(question)
        said = _NEW.match(same(main))
        key = self._keys.get(stem(said["who"].lower())) if said else None
        part = self._part(f"number of {said['who']}{said['rest']}", run) if said and key else None
        query = _by_first(part.tree, key) if part and key else None
        told = [f"new → by the first row of each {key.name}"] if key else []
        made = self.candidate(query, [part], phrases, run, told) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    @cached_property
    def _keys(self) -> dict[str, Col]:
        """What tells each thing apart, by the stem of what it is called."""
        return {each.stems[0]: each.key for each in reversed(things(self.reader.catalog)) if len(each.stems) == 1}


def _by_first(query: Query, key: Col) -> Query | None:
    """A count of different keys by the times of their first rows; None where it counts anything else."""
    if [each for each in query.select if is_total(each)] != [Agg("count", key, distinct=True)] or not query.is_plain:
        return None

    def of_first(node: Any) -> Any:
        if isinstance(node, Bucket) and isinstance(node.of, Col):
            return replace(node, of=First(node.of, key))
        return replace(node, left=First(node.left, key)) if _is_of_column(node) else node

    made: Query = mapped(query, of_first, (Bucket, During))
    return made if made != query else None


def _is_of_column(node: Any) -> bool:
    return isinstance(node, During) and isinstance(node.left, Col)
