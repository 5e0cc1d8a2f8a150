"""Who did something in one period and not in another: `customers who bought in 2024 but not in 2025`.

Each period is a question of its own: those of the first are meant, but for those of the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.compounds import Compounds
from pluto_duck_text2sql.periods import Words, find_periods
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import Cond, Query, Related, TableKey, columns_in
from pluto_duck_text2sql.words import tokenise

_DID = r"(?:(?:did|do|does|have|has|had) not|(?:did|do|does|have|has|had|is|are|was|were)n['’]?t|not|never)"
_NONE = r"(?:not )?(?:nothing|none|not (?:even )?(?:once|one|a single one)|no (?:longer|more))"
_BUT = re.compile(
    rf"^(?P<main>.+?) (?P<first>(?:in|during) [^,]+?),? (?:but|and|yet)(?: (?:who|that|which|they|it))?"
    rf" (?:{_NONE}|{_DID}(?: [a-z]+)??(?: (?:anything|any|again|a single one|one|[a-z]+))??|no [a-z]+)"
    r" (?P<second>(?:in|during|since) [^,:;]+)$",
    re.IGNORECASE,
)


class ButNot(Compounds):
    """Answers questions for those of one period but not of another."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those of the first period alone; None where the question says no two, or names what is not told apart so."""
        main, phrases = split_spec(question)
        said = _BUT.match(main.strip(" .?!"))
        if said is None or not all(_is_period(said[each]) for each in ("first", "second")):
            return None
        did, again = (self._part(f"{said['main']} {said[each]}", run) for each in ("first", "second"))
        if did is None or again is None or did.tree is None or again.tree is None:
            return None
        query = _but_for(did.tree, again.tree)
        made = self.candidate(query, [did, again], phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _is_period(text: str) -> bool:
    return bool(find_periods(Words(tokenise(text))))


def _but_for(did: Query, again: Query) -> Query | None:
    """The first query without what the second finds; None where they differ in more than what was done."""
    if did.anchor != again.anchor or did.select != again.select or did.group or did.limit or did.having or did.then:
        return None
    deeds = [each for each in again.where if each not in did.where]
    tables = {column.table for each in deeds for column in columns_in(each)}
    if not deeds or len(tables) != 1 or did.anchor in tables:
        return None
    return replace(did, where=(*did.where, _nothing_of(tables.pop(), deeds)))


def _nothing_of(table: TableKey, deeds: Sequence[Cond]) -> Cond:
    """That there is no such row. What is asked of one that is there already is turned round."""
    if len(deeds) == 1 and isinstance(deeds[0], Related):
        return replace(deeds[0], negated=not deeds[0].negated)
    return Related(table, tuple(deeds), negated=True)
