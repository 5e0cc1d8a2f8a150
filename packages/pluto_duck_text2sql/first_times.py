"""When something first or last happened to each: `for each segment, when was the first order placed`, `when did each
member last borrow something`.

How many there are by the same groups is a question of its own; the earliest or latest date then stands for the number.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.compounds import Compounds
from pluto_duck_text2sql.deed_verbs import rows_of
from pluto_duck_text2sql.frames import same
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Order, Query, Rows, is_total

_EACH = r"(?:each|every)(?: one)?(?: of)?(?: the| our)?"
_WHICH = r"(?:very )?(?P<which>first|earliest|last|latest|most recent)"
_TRADED = re.compile(r"buy|purchase|shop", re.IGNORECASE)
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:for|in|of) {_EACH} (?P<by>[a-z]+(?: [a-z]+)?),? when (?:was|were) (?:the|its|their) {_WHICH}"
        r" (?P<what>[a-z]+)(?: \w+ed| made| sold| bought)?$",
        rf"^when (?:was|were) (?:the )?{_WHICH} (?P<what>[a-z]+)(?: \w+ed| made)?"
        rf" (?:for|in|of|by) {_EACH} (?P<by>[a-z]+(?: [a-z]+)?)$",
        rf"^when did {_EACH} (?P<by>[a-z]+) {_WHICH} (?P<did>[a-z]+)(?: \w+thing)?$",
        rf"^when did {_EACH} (?P<by>[a-z]+) (?P<did>[a-z]+)(?: \w+thing)? for the {_WHICH} time$",
    )
)


class FirstTimes(Compounds):
    """Answers when something first or last happened to each."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The dates; None where the question asks none, or what is counted keeps none."""
        main, phrases = split_spec(question)
        found = next((match for each in _ASKED if (match := each.match(same(main)))), None)
        what = self._what(found) if found else ""
        part = self._part(f"number of {what} by {found['by']}", run) if found and what else None
        is_first = found is not None and found["which"].lower() in ("first", "earliest")
        query = self._at_times(part.tree, "min" if is_first else "max") if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _what(self, found: re.Match[str]) -> str:
        """The rows that are dated, as one says them: those said, or those of what was done."""
        did = found.groupdict().get("did")
        if did is None:
            return f"{found['what'].removesuffix('s')}s"
        bought = "purchases" if _TRADED.match(did) else ""
        return rows_of(did, self.reader.catalog) or bought

    def _at_times(self, tree: Query, function: str) -> Query | None:
        """The tree with the date of what it counts in place of the number; None where it counts no rows by groups."""
        counted = [each for each in tree.select if is_total(each)]
        if len(counted) != 1 or not isinstance(counted[0], Agg) or not isinstance(counted[0].of, Rows | Col):
            return None
        home = counted[0].of.table
        date = next(
            (each for _, each in self.reader.resolver.time_column([home], frozenset()) if each.table == home), None
        )
        if date is None or not tree.group or tree.limit or tree.having:
            return None
        shown = tuple(Agg(function, date) if each == counted[0] else each for each in tree.select)  # type: ignore[arg-type]
        keys = tuple(each for each in tree.select if each != counted[0])
        return replace(tree, select=shown, order=tuple(Order(each) for each in keys))
