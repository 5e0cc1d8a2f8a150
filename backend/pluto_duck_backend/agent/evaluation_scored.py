"""One case with its verdict, and counts over some of them: what a report is made of.

Built by `evaluation`, grouped by `evaluation_report`, shown by the pages. Pure values, all of them JSON at heart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pluto_duck_backend.agent.evaluation_kinds import UNKNOWN_KIND

ANSWERED, REFUSED, ASKED_BACK = "succeeded", "cannot_answer", "needs_input"

Head = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Scored:
    """One case with its verdict: `right` implies `lenient`. Right is an answer, or for what is not answerable none.

    `expected` and `actual` are the first rows as JSON values, `…_count` how many there are of all; `elapsed_ms`,
    tokens and cost are those of the question itself, not of its history. `why` says what is wrong, in words.
    """

    id: str
    question: str
    status: str
    right: bool
    lenient: bool
    kinds: tuple[str, ...] = (UNKNOWN_KIND,)
    db: str | None = None
    confidence: float | None = None
    elapsed_ms: float = 0.0
    sql: str | None = None
    expected_sql: str | None = None
    expected: Head = ()
    actual: Head = ()
    error: str | None = None
    answerable: bool = True
    split: str | None = None
    dialogue: str | None = None
    history: tuple[str, ...] = ()
    expected_count: int = 0
    actual_count: int = 0
    expected_columns: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    answer: str = ""
    why: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    @property
    def declined(self) -> bool:
        """Whether it was refused or asked back."""
        return self.status in (REFUSED, ASKED_BACK)

    @property
    def outcome(self) -> str:
        """How it came out, in a word or two: what the page filters by."""
        if self.right:
            return "right"
        if self.status == ANSWERED:
            return "more columns" if self.lenient else "wrong rows" if self.answerable else "answered"
        return {REFUSED: "refused", ASKED_BACK: "asked back"}.get(self.status, "failed")


def scored_from(data: Mapping[str, Any]) -> Scored:
    """What `asdict` made of a verdict; unknown fields are passed over."""
    known = {field.name: data[field.name] for field in fields(Scored) if field.name in data}
    return Scored(**{name: _READ.get(name, _as_it_is)(value) for name, value in known.items()})


def _head(rows: Iterable[Iterable[Any]]) -> Head:
    return tuple(tuple(row) for row in rows)


def _as_it_is(value: Any) -> Any:
    return value


_READ: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("kinds", "history", "columns", "expected_columns", "reading"), tuple),
    **dict.fromkeys(("expected", "actual"), _head),
}


@dataclass(frozen=True)
class Share:
    """`right` and `lenient` of `cases` questions, as counts."""

    cases: int
    right: int
    lenient: int

    @property
    def strict_share(self) -> float:
        return ratio(self.right, self.cases)

    @property
    def lenient_share(self) -> float:
        return ratio(self.lenient, self.cases)


def share(results: Sequence[Scored]) -> Share:
    """The counts over these verdicts."""
    return Share(len(results), sum(each.right for each in results), sum(each.lenient for each in results))


def ratio(part: int, whole: int) -> float:
    """The share of `part`; 0 of nothing."""
    return part / whole if whole else 0.0
