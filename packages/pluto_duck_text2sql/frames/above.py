"""What the row above each is called, beside the rows asked for: `each rep in Cork and the rep's manager`.

Of a table whose rows point at rows of their own (selves.py). What names the row above is taken out ("along with the
name of the customer who referred them"), and so is that there is one ("who were referred by somebody"); what is left is
asked as any other question, and to each of its rows comes what the row above it is called. `below.py` counts those
below, and lists whole tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, sure
from pluto_duck_text2sql.frames.below import ABOVE, above_of, has_one, marked_words
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import Col, Query, Rows, nodes_in
from pluto_duck_text2sql.trees.selves import Ladder

_WITH = r"(?:,? (?:each )?(?:(?:together|along) with|as well as|next to|alongside|beside|with|and|plus)(?: also)?|,)"
_NAME_OF = r"(?:(?:the )?(?:(?:full|first and last) )?names? of )"
_THEIR = r"(?:their|its|his or her|his|her|the|that)"
_DONE_TO = r"(?: (?:them|him|her|him or her|it))"
_UP = rf"(?:(?:direct |own )?{ABOVE}(?: (?P<{{}}>[a-z]+))?)"
_NAME = r"(?:['’]s? (?:full )?names?| names?)"
_ABOVE = Pattern(
    rf"{_WITH} {_NAME_OF}?(?:"
    rf"{_THEIR} (?P<own>[a-z]+(?: [a-z]+)?)['’]s? {_UP.format('one')}{_NAME}?"
    rf"|{_THEIR} {_UP.format('kind')}{_NAME}?"
    rf"|(?:the )?(?P<who>[a-z]+) (?:who|that) (?:has |had )?UP{_DONE_TO}"
    rf"|(?:who|the one who) (?:has |had )?UP{_DONE_TO}"
    rf"|whom? (?:they|he or she|it) (?:reports?|answers?|belongs?) to)"
    r"(?=$|,| (?:for|of|in|where|sorted|ordered|from|who|that)\b)"
)
_ANYBODY, _ANYBODY_ELSE = (
    rf"(?:some(?:body|one)|any(?:body|one)|others|(?:another|other|an?) (?P<{name}>[a-z]+))"
    for name in ("whom", "them")
)
_BEEN = r"(?:was|were|has been|have been|is|are|got) UP"
_HAS = Pattern(
    rf"(,? (?:who|that|which))? {_BEEN}(?(1)(?: by {_ANYBODY})?| by {_ANYBODY_ELSE})(?! by\b)(?=$|[,. ])"
    rf"|(?:,? for (?:the |those |all )?(?P<those>[a-z]+))? (?:who|that|which) (?:has|have|had) an?"
    rf" {_UP.format('above')}(?=$|[,. ])"
)
_HOLDERS = Pattern(r"\b(?:are|were) [a-z]+[eo]rs$", re.IGNORECASE)
"""Those who are managers are above others (role_holders.py)."""
_FOR_EACH = Pattern(
    r"^for (?:every|each|all|all the|the) (?P<rows>.+?), (?:show|list|give|display|return|tell|name)(?: me| us)?"
    r" (?:the |their )?(?:[a-z]+['’]s? )?(?:full )?names?$",
    re.IGNORECASE,
)
_PARTS = Pattern(r"\b(?:branch|child|sub|subordinate|lower)(?:[- ]|$)", re.IGNORECASE)
"""What rows that have one above are called."""
_WHOEVER = ("person", "one", "friend", "it", "sorted", "ordered")


@dataclass(frozen=True)
class _Asked:
    """A question without what names the row above; whether that is shown, and whether there must be one."""

    ladder: Ladder
    rest: str
    shows: bool
    has: bool


class Above(Compounds):
    """Answers who is above each of some rows."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rows; None where the question names no row above, or what is left of it asks for no such rows."""
        for asked in self._asked(question.strip().rstrip("?.! ")):
            part = self._part(asked.rest, run)
            query = self._made(asked, part.tree) if part else None
            made = self.candidate(query, [part, sure(query, _line(asked.ladder))], (), run) if part and query else None
            if made:
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None

    def _asked(self, question: str) -> Iterator[_Asked]:
        for table in self.reader.catalog.tables:
            ladder = Ladder.of(table, question)
            if ladder is None:
                continue
            rest, shows = self._without(_ABOVE, question, ladder)
            rest, has = self._without(_HAS, rest, ladder)
            if shows or has:
                each = _FOR_EACH.match(rest)
                rest = f"list all {each['rows']}" if each else rest
                yield _Asked(ladder, _PARTS.sub("", rest), shows, has or _PARTS.search(rest) is not None)

    def _without(self, pattern: Pattern, question: str, ladder: Ladder) -> tuple[str, bool]:
        """The question without what fits the pattern, where its nouns are for rows of the ladder; whether it did."""
        marked, places = marked_words(ladder, question)
        found = pattern.search(marked)
        if found is None or not all(self._calls(word, ladder) for word in found.groupdict().values() if word):
            return question, False
        if _HOLDERS.search(question[places[found.start()] : places[found.end()]]):
            return question, False
        return f"{question[: places[found.start()]]}{question[places[found.end()] :]}", True

    def _calls(self, word: str, ladder: Ladder) -> bool:
        """Whether a word is for rows of the ladder's table, or for nobody in particular."""
        return word in _WHOEVER or any(self.table(each) is ladder.table for each in (word, *word.split()))

    def _made(self, asked: _Asked, rows: Query) -> Query | None:
        """The rows, with what the one above each is called where that is asked; None where they are of other tables."""
        ladder = asked.ladder
        where = tuple(dict.fromkeys((*rows.where, *(has_one(ladder) if asked.has else ()))))
        query = replace(rows, where=where)
        if not asked.shows:
            return query if rows.then is None and _is_of(rows, ladder) else None
        own = [each for each in rows.select if isinstance(each, Col) and each.table == ladder.table.key]
        if len(own) != len(rows.select) or rows.group or rows.then:
            return None
        label = tuple(self.reader.resolver.label(ladder.table))
        shown = tuple(each for each in own if each not in (ladder.up, ladder.key)) or label
        return replace(query, select=(*shown, *above_of(ladder, label)), distinct=False, flat=False)


def _is_of(rows: Query, ladder: Ladder) -> bool:
    """Whether what is shown is rows of the ladder's table, or figures of these."""
    named = {each.table for each in nodes_in(rows.select) if isinstance(each, Col | Rows)}
    return named == {ladder.table.key}


def _line(ladder: Ladder) -> str:
    return f"who is above → {ladder.up.table[1]}.{ladder.up.name}"
