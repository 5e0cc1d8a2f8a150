"""Those who did it with all: `customers who bought in every shop`, `which customers have bought in all shops`.

The question for those who did it with at least two is answered as any other; as many different ones as there are then
stand for the two (relational division, Codd 1972, by counting).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows, TableKey, mapped

_DID = r"[a-z]{3,}(?:ed|t|ght|ve|en|ld|nt)"
_ALL = Pattern(
    r"^(?P<main>(?:.* )?(?:who|that|which [a-z]+) (?:(?:have|has|had) )?(?:ever )?"
    rf"{_DID}(?: (?!but\b|and\b|or\b)[a-z]+)*?)"
    r" (?:every(?: single)?(?: one of)?|all(?: of)?)(?: the| our| these| their)?"
    r" (?P<what>[a-z]+)(?P<end>(?: (?:in|during|since) .+)?)$",
    re.IGNORECASE,
)
_OF_TIME = frozenset(map(stem, "time day week month quarter year hour weekday season".split()))
_LEAST = 2


class Everywhere(Compounds):
    """Answers questions for those who did something with all there are of a kind."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those of all; None where the question asks no such, or nothing is called as what it says."""
        main, phrases = split_spec(question)
        said = _ALL.match(main.strip(" .?!"))
        if said is None or stem(said["what"].lower()) in _OF_TIME:
            return None
        kind = self.table(said["what"])
        asked = f"{said['main']} at least two different {said['what'].removesuffix('s')}s{said['end']}"
        part = self._part(asked, run) if kind else None
        query = self._all_of(part.tree, kind.key) if part and kind else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _all_of(self, query: Query, kind: TableKey) -> Query | None:
        """The tree with the number of all of a kind where it says two different ones; None where it does not."""
        whole = Query(kind, (Agg("count", Rows(kind)),))

        def counted(node: Any) -> Any:
            of = node.left.of if isinstance(node, Compare) and isinstance(node.left, Agg) else None
            is_kind = isinstance(of, Col) and self.reader.joins.pointed(of).table == kind
            if not is_kind or not node.left.distinct or (node.operator, node.right) != (">=", _LEAST):
                return node
            return replace(node, operator="=", right=whole)

        made: Query = mapped(query, counted)
        return made if made != query else None
