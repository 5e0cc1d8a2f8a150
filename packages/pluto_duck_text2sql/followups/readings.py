"""What a follow-up may mean: its readings, the answers that it leans on, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.certainty import TurnGrounds, certainty_in_turn
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Unreachable
from pluto_duck_text2sql.followups.frames import framed
from pluto_duck_text2sql.refusing.offers import quoted
from pluto_duck_text2sql.tree import (
    Query,
    columns_in,
)
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.titles import title

Run = Callable[[str], list[tuple[Any, ...]]]
Ask = Callable[[str, Run | None, str | None], Analysis]
_MOST_MISSED = 8
"""How many words that nothing explains a refusal tells."""
CERTAIN = 0.97
"""What an edit that explains every word keeps of the confidence of the answer before."""
_READ_ALONE = 0.6


@dataclass(frozen=True)
class Shown:
    """An answer that a later question may lean on: its tree and how sure it is."""

    query: Query
    confidence: float


@dataclass(frozen=True)
class Edited:
    """A reading of a follow-up: the tree, its SQL, what was kept and changed, how sure it is, and whether it shows what
    the question asks for by name."""

    query: Query
    sql: str
    lines: tuple[str, ...]
    confidence: float
    fits: bool = True


@dataclass(frozen=True)
class FollowUp:
    """What a leaning question may mean, the likeliest first; `missed` are words that nothing explains; `stands` where
    one of its words stands for what was shown, so that it means nothing alone, `person` where that is one of them, who
    is `nobody` where the answer is of several."""

    readings: tuple[Edited, ...]
    missed: tuple[str, ...] = ()
    stands: bool = False
    person: str = ""
    nobody: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether it is read as what it asks for, and no name or number in it is left over."""
        is_read = bool(self.readings) and self.readings[0].fits
        return is_read and not any(not word.islower() for word in self.missed)

    @property
    def explains(self) -> bool:
        """Whether it is read with every word, and shows what is asked for."""
        return self.is_clear and not self.missed


def read_alone(alone: Analysis) -> Analysis:
    """A question that may lean, but was read without those before it: less sure, and it says so."""
    line = "Read as a question of its own, not of the answers before."
    said = tuple(
        replace(each, confidence=round(each.confidence * _READ_ALONE, 3), assumptions=(*each.assumptions, line))
        for each in alone.candidates
    )
    return replace(alone, candidates=said)


def as_turn(found: Analysis, question: str, before: int) -> Analysis:
    """The answer to a question after `before` others, as sure as answers to such turns are right (certainty.py)."""
    return replace(found, candidates=tuple(_in_turn(each, question, before) for each in found.candidates))


def _in_turn(reading: Candidate, question: str, before: int) -> Candidate:
    rests = TurnGrounds.of(reading.confidence, question, before)
    return replace(reading, confidence=round(certainty_in_turn(rests), 3), grounds=rests)


def rows_of(sql: str, run: Run | None) -> list[tuple[Any, ...]] | None:
    """What is found, [(True,)] where nothing is run, None where it does not run."""
    if run is None:
        return [(True,)]
    try:
        return run(sql)
    except Exception:  # noqa: BLE001 - whatever the caller's runner raises, this reading does not run
        return None


def candidate(reading: Edited, missed: Sequence[str]) -> Candidate:
    """A reading as an answer; words of which nothing was made are told."""
    names = tuple(sorted({f"{each.table[0]}.{each.table[1]}" for each in columns_in(reading.query)}))
    left = (f"Nothing was made of {' or '.join(map(repr, missed))}.",) if missed else ()
    sure = round(reading.confidence, 3)
    return Candidate(reading.sql, sure, title(reading.query), reading.lines, left, reading.query, names)


def unclear(question: str, stack: Sequence[Shown], found: FollowUp) -> str:
    """What to say where a follow-up fits nothing."""
    if framed(question).has("undo"):
        return "There is no answer before this one to go back to."
    if found.nobody:
        before = title(stack[-1].query)
        return f"The answer before ({before}) shows no single one that {found.nobody!r} stands for: say the name."
    said = " or ".join(map(quoted, found.missed[:_MOST_MISSED])) or quoted(question.strip())
    return (
        f"This leans on the answer before ({title(stack[-1].query)}), but {said} names nothing that could change in it."
        " Say a period, a stored value, a column to group or sort by, or ask the whole question."
    )


@dataclass(frozen=True)
class Writer:
    """Writes trees as SQL over one catalog."""

    catalog: Catalog
    joins: JoinGraph

    def write(self, query: Query) -> str | None:
        """The SQL of a tree; None where no keys join its tables, or it names what is not there."""
        try:
            return render(query, self.catalog, self.joins)
        except (Unreachable, KeyError, AttributeError):
            return None
