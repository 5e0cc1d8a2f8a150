"""How many rows are below each, and who is above: `who has the most direct reports`, `members who referred two others`.

Of a table whose rows point at rows of their own (selves.py): the rows that most others point at, those that a number of
others point at, how many point at each, what these are on average, and each row beside the name of the one above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, sure
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import number_of, stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Expr, Missing, Operator, Order, Own, Query, Rows
from pluto_duck_text2sql.trees.selves import Ladder

_PIECE = Pattern(r"[a-z]+|[^a-z]", re.IGNORECASE)
_FOLK = frozenset("who people person persons staff colleagues others members anybody anyone one ones those".split())
_HOW_MANY = ", and how many"
_TAIL = Pattern(
    r",? (?:and|with|show(?:ing)?|give)? ?(?:how many(?: each| of them| others)?|how often"
    r"|(?:the |that |their )?(?:number|count))$"
)
_ASIDE = Pattern(r" (?:to us|in total|at all|so far)$")
_COUNTED = Pattern(r"^(?:the |their )?(?:how many\b|(?:number|count) of (?:[a-z]+ ){0,2}[a-z]+$)")
_CHIEFS = r"(?:boss(?:es)?|managers?|supervisors?|superiors?|heads?|chiefs?|team leads?|leaders?)"
_CHIEF = Pattern(rf"{_CHIEFS}|UP|UPER")
_THING, _WHOM = r"(?P<who>[a-z]+|UP|UPER)", r"(?P<whom>[a-z]+)"
_OTHER = "(?:other |new |of the |of our )?"
_HAVE, _DOES = "(?:has|have|had|having|with)", "(?:does|do|did|has|have)"
_REPORTS = r"(?:direct )?(?:reports|subordinates|underlings|UP)"
_UNDER = (
    rf"(?:{_REPORTS}|(?P<below>[a-z]+) (?:who )?(?:report(?:ing)? to|UP(?:ING)? (?:to|for|under)"
    r"|work(?:ing)? (?:for|under)|under|below) (?:them|him|her))"
)
_WHO = rf"(?:(?:which|what) )?{_THING}(?: (?:who|that))?"
_WAYS: dict[str, Operator] = {"at least": ">=", "no fewer than": ">=", "more than": ">", "over": ">", "exactly": "="}
_WAYS |= {"just": "=", "fewer than": "<", "less than": "<", "at most": "<="}
_SO_MANY = rf"(?:(?P<way>{'|'.join(_WAYS)}) (?P<n>\w+)|(?P<more>\w+) or more|(?P<plain>\w+))"
_MOST, _FIRST = r"(?:the )?(?P<most>most|fewest)", r"(?P<first>\w+)"
_EACH = r"(?:each|every|per|by|for each|for every)(?: of (?:the|our))?"
_COUNT = r"(?:how many|(?:the )?(?:number|count|headcount) of|(?:the )?total(?: number of)?)"
_MANAGES = r"(?:manag|supervis|lead|head|boss)(?:e?s|ing|e)?"
_FIGURE = r"(?P<figure>(?:average|total|median|highest|lowest) [a-z ]+?)"
ABOVE = rf"(?:{_CHIEFS}|UPER|UP|parent(?: [a-z]+)?)"
"""What the row above is called, in a text with marks (`marked_words`)."""
_WITH_ONE = rf"(?P<has>(?:who|that|which) {_HAVE} an? {ABOVE}),? "
_EVERY = "(?:all |every |each )?(?:of the |of our |the |our )?"
_BESIDES = "(?:with|and|(?:together|along) with|alongside)"
_THEIR = "(?:their|its|his or her|his|her|the)"


def _patterns(*patterns: str) -> tuple[Pattern, ...]:
    return tuple(Pattern(f"^{each}$") for each in patterns)


_TOP = _patterns(
    rf"{_WHO} (?:is|was) (?:the )?{_CHIEFS} (?:of|for|to) {_MOST} {_OTHER}{_WHOM}",
    rf"{_WHO} (?:{_MANAGES}|is in charge of) {_MOST} {_OTHER}{_WHOM}",
    rf"{_WHO} {_HAVE} {_MOST} {_UNDER}",
    rf"(?:whom?|(?:which|what) {_THING}) (?:do|does) {_MOST} {_WHOM} (?:report|UP|work|answer) (?:to|for)",
    rf"{_WHO} (?:has |have )?UP {_MOST} {_OTHER}{_WHOM}",
    rf"{_WHO} (?:has|have|made) {_MOST} UPAL",
    rf"(?:the )?top {_FIRST} {_THING} by (?:the )?(?:number of )?(?:{_REPORTS}|UPAL)",
    rf"(?:the )?(?:top|best) {_FIRST} UPER",
    rf"(?:which|what) {_FIRST} {_THING} (?:(?:has |have )?UP|have) {_MOST} {_OTHER}{_WHOM}",
)
_BOUND = _patterns(
    rf"{_WHO} (?:{_HAVE}|{_MANAGES}) {_SO_MANY} {_UNDER}",
    rf"{_WHO} {_MANAGES} {_SO_MANY} (?:other )?{_WHOM}",
    rf"{_WHO} (?:has |have |had )?UP {_SO_MANY}(?: other)? {_WHOM}",
    rf"{_WHO} (?:{_HAVE}|made) {_SO_MANY} UPAL",
)
_PER = _patterns(
    rf"{_COUNT} {_UNDER} {_DOES} {_EACH} {_THING}(?: have| has)?",
    rf"{_COUNT} {_WHOM} (?:report|UP|work)(?:ING|ing)? (?:directly )?(?:to|for|under) {_EACH} {_THING}",
    rf"{_COUNT} {_WHOM} {_DOES} {_EACH} {_THING} (?:manage|supervise|lead|UP|have)",
    rf"{_COUNT} {_WHOM} (?:were |was |are )?UP by {_EACH} {_THING}",
    rf"(?:{_COUNT} )?(?:{_REPORTS}|UPAL) {_EACH} {_THING}",
    rf"{_EACH} {_THING} (?:and|with) {_COUNT} {_UNDER}(?: they have)?",
    rf"{_THING} (?:and|with) (?:their )?{_COUNT} {_UNDER}",
)
_OF_THEIRS = _patterns(
    rf"(?:each |every )?{_THING} (?:and|with) the {_FIGURE} of (?:their|his or her) {_REPORTS}",
    rf"(?:the )?{_FIGURE} of {_REPORTS} {_EACH} {_THING}",
)
_BESIDE = _patterns(
    rf"(?:the )?(?:names? of )?{_EVERY}{_THING}(?: names?)?,? (?:{_WITH_ONE})?{_BESIDES}"
    rf" (?:also )?(?:the )?(?:names? of )?{_THEIR} (?:direct )?{ABOVE}(?:['’]s?)?(?: names?)?",
    rf"who is (?:the )?{ABOVE} of (?:each|every) {_THING}",
    rf"who (?:has |have )?(?:UP|{_MANAGES}) (?:each|every)(?: one)?(?: of)?(?: the| our)? {_THING}",
    rf"{_EVERY}{_THING},? (?:with|and) whom? (?:they|he or she) (?:reports?|UP) to",
    rf"{_EVERY}{_THING},? (?:with|and) who UP (?:them|him or her)",
)


@dataclass(frozen=True)
class _Match:
    """What was said of a ladder: the words of a pattern by their names."""

    ladder: Ladder
    words: dict[str, str]
    counts: bool = False

    def word(self, name: str) -> str:
        return self.words.get(name) or ""

    @property
    def first(self) -> int:
        """How many of the first are asked for."""
        return int(number_of(self.word("first")) or 1)

    @property
    def bound(self) -> tuple[Operator, int] | None:
        """What the number of those below is compared with; None where no number is said."""
        said = next((self.word(name) for name in ("n", "more", "plain") if self.word(name)), "")
        number = number_of(said)
        return None if number is None else (_WAYS.get(self.word("way"), ">="), int(number))


class Below(Compounds):
    """Answers who is above or below whom, and how often."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rows; None where the question asks no such, or not one table has rows below its own."""
        main, phrases = split_spec(question)
        text = _bare(main)
        counted = [each for each in phrases if _COUNTED.match(each.lower())]
        phrases = [each for each in phrases if each not in counted]
        made = self._made(f"{text}{_HOW_MANY if counted else ''}", run) or self._made(_bare(question), run)
        if len(made) != 1:
            return None
        query, line = made[0]
        found = self.candidate(query, [sure(query, line)], phrases, run)
        if found and phrases and counted:
            query = replace(found.tree, select=(*found.tree.select, query.select[-1]))
            found = self.candidate(query, [sure(query, line)], (), run)
        return Analysis("answered", (found, *plain.candidates), links=plain.links) if found else None

    def _made(self, text: str, run: Run | None) -> list[tuple[Query, str]]:
        """What the ladders make of the question."""
        return [each for each in self._readings(text, run) if each]

    def _readings(self, text: str, run: Run | None) -> Iterator[tuple[Query, str] | None]:
        for table in self.reader.catalog.tables:
            ladder = Ladder.of(table, text)
            marked = _marked(ladder, text) if ladder else ""
            if ladder and (match := self._match(ladder, _TOP, marked)):
                yield self._top(match), f"{match.word('most') or 'most'} below them → {_name(ladder)}"
            elif ladder and (match := self._match(ladder, _BOUND, marked)) and match.bound:
                yield self._bounded(match, *match.bound), f"how many below them → {_name(ladder)}"
            elif ladder and (match := self._match(ladder, _PER, marked)):
                yield self._per(ladder), f"how many below each → {_name(ladder)}"
            elif ladder and (match := self._match(ladder, _OF_THEIRS, marked)):
                query = self._of_theirs(match, run)
                yield (query, f"{match.word('figure')} below each → {_name(ladder)}") if query else None
            elif ladder and (match := self._match(ladder, _BESIDE, marked)):
                yield self._beside(match), f"who is above → {_name(ladder)}"

    def _match(self, ladder: Ladder, patterns: Sequence[Pattern], marked: str) -> _Match | None:
        """What the first fitting pattern says, where those above and below are called as the table's rows are."""
        plain = _ASIDE.sub("", _TAIL.sub("", marked))
        found = next((match for each in patterns if (match := each.match(plain))), None)
        if found is None:
            return None
        words = {name: word for name, word in found.groupdict().items() if word}
        named = [words[name] for name in ("who", "whom", "below") if name in words]
        counts = _TAIL.search(marked) is not None
        return _Match(ladder, words, counts) if all(self._calls(each, ladder) for each in named) else None

    def _calls(self, word: str, ladder: Ladder) -> bool:
        """Whether a word is for rows of the ladder's table."""
        if word in _FOLK or _CHIEF.fullmatch(word):
            return True
        return self.table(word) is ladder.table

    def _top(self, match: _Match) -> Query:
        """The rows that are pointed at most, or least; with how often where several are asked for."""
        ladder, descends = match.ladder, match.word("most") != "fewest"
        label, count = self.reader.resolver.label(ladder.table), _count(ladder)
        shown: tuple[Expr, ...] = (*label, count) if match.word("first") or match.counts else tuple(label)
        order = (Order(count, descends), Order(ladder.key, settles=True))
        return Query(ladder.table.key, shown, (Compare(count, ">", 0),), order=order, limit=match.first)

    def _bounded(self, match: _Match, way: Operator, number: int) -> Query:
        """The rows that so many others point at."""
        table, count = match.ladder.table, _count(match.ladder)
        label = self.reader.resolver.label(table)
        return Query(table.key, (*label, count) if match.counts else tuple(label), (Compare(count, way, number),))

    def _per(self, ladder: Ladder) -> Query:
        """Every row that others point at, and how many."""
        label, count = self.reader.resolver.label(ladder.table), _count(ladder)
        return Query(ladder.table.key, (*label, count), (Compare(count, ">", 0),), order=(Order(count, True),))

    def _of_theirs(self, match: _Match, run: Run | None) -> Query | None:
        """Every row that others point at, and a figure of those."""
        ladder = match.ladder
        found = self._part(f"{match.word('figure')} of {ladder.table.name}", run)
        figure = found.tree.select[0] if found and len(found.tree.select) == 1 else None
        if not found or not isinstance(figure, Agg) or found.tree.where or found.tree.anchor != ladder.table.key:
            return None
        own = Own(figure, ladder.up, here=ladder.key)
        label = self.reader.resolver.label(ladder.table)
        return Query(ladder.table.key, (*label, own), (Compare(_count(ladder), ">", 0),))

    def _beside(self, match: _Match) -> Query:
        """Every row, or those that have one above, and what that one is called."""
        ladder = match.ladder
        label = self.reader.resolver.label(ladder.table)
        has = has_one(ladder) if match.word("has") else ()
        return Query(ladder.table.key, (*label, *above_of(ladder, label)), has)


def above_of(ladder: Ladder, label: Sequence[Col]) -> tuple[Own, ...]:
    """What the row above each is called."""
    return tuple(Own(Agg("max", each), ladder.key, here=ladder.up) for each in label)


def has_one(ladder: Ladder) -> tuple[Missing, ...]:
    """That there is a row above."""
    return (Missing(ladder.up, negated=True),)


def _count(ladder: Ladder) -> Own:
    """How many rows point at this one."""
    return Own(Agg("count", Rows(ladder.table.key)), ladder.up, here=ladder.key)


def _name(ladder: Ladder) -> str:
    return f"{ladder.up.table[1]}.{ladder.up.name}"


def _bare(question: str) -> str:
    return LEAD.sub("", same(without_remarks(question)).rstrip("?.! "))


def _marked(ladder: Ladder, text: str) -> str:
    """The text in small letters with marks for the key's own word: who does it (UPER), and what there is of it (UPAL).

    Where the key says what was done, `referred_by`, only that word speaks of it.
    """
    return marked_words(ladder, text)[0]


def marked_words(ladder: Ladder, text: str) -> tuple[str, list[int]]:
    """The text with such marks, and of each of its characters, and its end, the place that it stands for in `text`."""
    pieces, places = list[str](), list[int]()
    for each in _PIECE.finditer(text):
        piece = _mark(ladder, each[0].lower())
        pieces.append(piece)
        places += [min(each.start() + n, each.end() - 1) for n in range(len(piece))]
    marked = "".join(pieces)
    return (marked if ladder.leads or "UP" in marked else "", [*places, len(text)])


def _mark(ladder: Ladder, word: str) -> str:
    if stem(word) in ladder.own:
        return "UPING" if word.endswith("ing") else "UP"
    for own in ladder.own:
        if re.fullmatch(rf"{own}{own[-1]}?[eo]rs?", word):
            return "UPER"
        if re.fullmatch(rf"{own}{own[-1]}?(?:als?|ations?)", word):
            return "UPAL"
    return word
