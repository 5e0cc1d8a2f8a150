"""What part of some rows did something: `what percentage of the claims that were filed in 2025 ended up rejected`.

The rows that the share is of are one question, those of them that did it another; the words up to the main verb say the
first, all words the second. Both are answered as any other question, and what only the second is restricted by
restricts the upper part. `of_those.py` is the same for questions that name the rows first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.frames.compounds import Compounds, grouped_last, split_order
from pluto_duck_text2sql.frames.of_those import counted_alone
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Cond, During, Expr, Query, Ratio
from pluto_duck_text2sql.trees.parts import home

_EACH = r"(?:by|per|for each|for every|in each|in every)"
_ASKED = Pattern(
    r"^(?:(?:what|which)(?: is| was|'s)? |show (?:me )?|give (?:me )?|tell me )?(?:the )?"
    r"(?P<part>percentage|percent|%|share|proportion|fraction|part) of (?:(?:all|the|our|those) )*"
    rf"(?P<rest>[a-z][^.?!]+?)(?P<tail>,? {_EACH} (?:[a-z]+ ?){{1,4}})?(?:,? (?P<as>(?:in|as a) percent(?:age)?))?$",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset("was were is are has have had did do does got get".split())
_PAST = frozenset("came went took left led found lost made paid gave won fell rose bought sold kept ran met".split())
_BOUND = frozenset(
    "that which who whose and or not never been be being to was were is are has have had got without by in on at of for"
    " from with among the all".split()
)
"""After these a verb is none of the whole sentence, no longer its first, or tells of what kind things are."""
_SURE = 0.95
_MOST = 3


@dataclass(frozen=True)
class _Halves:
    """The rows that a share is of, in words, and those of them that did it."""

    base: str
    part: str


class SharesOfSome(Compounds):
    """Answers what part of some rows did something."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The part; None where the question asks none, `plain` is sure of it, or the halves do not fit."""
        main, phrases = split_spec(question)
        ordered = split_order(same(without_remarks(main)).rstrip("?. "))
        found = _ASKED.match(grouped_last(ordered.text))
        sure = plain.candidates[0].confidence if plain.status == "answered" and plain.candidates else 0.0
        if found is None or sure >= _SURE:
            return None
        scale = 100 if found["as"] or found["part"].lower() in ("percentage", "percent", "%") else 1
        for halves in _halves(found["rest"], found["tail"] or ""):
            if known := self._both(halves, run):
                query = _of_some(known[0].tree, known[1].tree, scale, self)
                made = self.candidate(ordered.of(query), known, phrases, run) if query else None
                if made:
                    return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None

    def _both(self, halves: _Halves, run: Run | None) -> list[Candidate]:
        """The answers of both halves, the part first; none where one has none."""
        return self._answers((halves.part, halves.base), run, counted_alone)


def _halves(rest: str, tail: str) -> Iterator[_Halves]:
    """The ways to take the words apart at their main verb, the likeliest first."""
    for place in _verbs(rest.split())[:_MOST]:
        base = " ".join(rest.split()[:place]).strip(" ,")
        yield _Halves(f"how many {base}{tail}", f"how many {rest}{tail}")


def _verbs(words: list[str]) -> list[int]:
    """Where the main verb may be: an auxiliary of no clause, then other verbs in the past, the last one first."""
    low = [each.lower().strip(",") for each in words]
    free = [n for n in range(1, len(low)) if low[n - 1] not in _BOUND]
    helping = [n for n in free if low[n] in _AUXILIARIES]
    others = [n for n in free if low[n] in _PAST or (low[n].endswith("ed") and len(low[n]) > len("need"))]
    return [*helping, *reversed([n for n in others if not helping or n > helping[0]])]


def _of_some(part: Query, base: Query, scale: int, parts: Compounds) -> Query | None:
    """The base's rows with what only the part is restricted by on the upper side; None where the one's conditions are
    not all the other's. Where only the part tells a time of the rows, both are of that time."""
    at, count = home(base), counted_alone(base)
    further = tuple(each for each in part.where if each not in base.where)
    if at is None or count is None or counted_alone(part) != count or home(part) != at or part.group != base.group:
        return None
    if not further or not base.where or set(base.where) - set(part.where):
        return None  # of all rows a share is read as a whole
    times = tuple(each for each in further if isinstance(each, During))
    when = times if len(times) < len(further) and not any(isinstance(each, During) for each in base.where) else ()
    did: tuple[Cond, ...] = tuple(each for each in further if each not in when)
    ratio = Ratio(replace(count, where=parts.of_rows(at, did)), count, scale)
    select: tuple[Expr, ...] = tuple(ratio if each == count else each for each in base.select)
    return replace(base, select=select, where=(*base.where, *when), order=())
