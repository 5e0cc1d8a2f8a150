"""What an evaluation found: every case with its verdict, and the figures over them.

Built by `evaluation.evaluate`; read by the command line and by `evaluation_html`. A report is a pure value: all figures
are computed from its results, `Report.from_dict(report.to_dict())` equals the report, and shares are fractions of
one over all cases unless a docstring says otherwise.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pluto_duck_backend.agent.evaluation_suite import KINDS, UNKNOWN_KIND
from pluto_duck_backend.app.core.errors import InvalidInput

ANSWERED, REFUSED, ASKED_BACK = "succeeded", "cannot_answer", "needs_input"
BINS = 10
PRECISION = 0.9

Head = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Scored:
    """One case with its verdict: `right` implies `lenient`, and both imply an answer.

    `expected` and `actual` are the first rows as JSON values; `elapsed_ms` is the time of the question.
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


@dataclass(frozen=True)
class Share:
    """`right` and `lenient` of `cases` questions, as counts."""

    cases: int
    right: int
    lenient: int

    @property
    def strict_share(self) -> float:
        return _ratio(self.right, self.cases)

    @property
    def lenient_share(self) -> float:
        return _ratio(self.lenient, self.cases)


@dataclass(frozen=True)
class Flips:
    """Ids whose verdict changed since the previous report: now right, and no longer right."""

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """All results in suite order; `previous` maps the ids of an earlier report to whether they were right."""

    results: tuple[Scored, ...]
    previous: Mapping[str, bool] | None = None

    @property
    def total(self) -> Share:
        return _share(self.results)

    @property
    def by_kind(self) -> dict[str, Share]:
        """A case counts in each of its kinds, so the cases add up to more than the suite."""
        return {
            kind: _share(found)
            for kind in (*KINDS, UNKNOWN_KIND)
            if (found := [each for each in self.results if kind in each.kinds])
        }

    @property
    def by_db(self) -> dict[str, Share]:
        names = sorted({each.db for each in self.results if each.db})
        return {name: _share([each for each in self.results if each.db == name]) for name in names}

    @property
    def refused(self) -> float:
        return self._with_status(REFUSED)

    @property
    def asked_back(self) -> float:
        return self._with_status(ASKED_BACK)

    @property
    def failed(self) -> float:
        """The share that ended neither with an answer nor with a refusal or a question."""
        return _ratio(
            sum(each.status not in (ANSWERED, REFUSED, ASKED_BACK) for each in self.results), len(self.results)
        )

    @property
    def ece(self) -> float | None:
        """Expected calibration error over 10 equal bins of confidence; None without confidences."""
        rated = self._rated()
        bins = [[pair for pair in rated if _bin(pair[0]) == number] for number in range(BINS)]
        gaps = [abs(sum(c for c, _ in some) - sum(right for _, right in some)) for some in bins]
        return sum(gaps) / len(rated) if rated else None

    @property
    def brier(self) -> float | None:
        """Mean squared distance of confidence to the verdict (0 or 1); None without confidences."""
        rated = self._rated()
        return statistics.fmean((c - right) ** 2 for c, right in rated) if rated else None

    @property
    def coverage_at_precision(self) -> float | None:
        """The largest share of all cases that a confidence threshold answers at 90 % precision or better."""
        rated = sorted(self._rated(), reverse=True)
        if not rated:
            return None
        rights, best = 0, 0
        for count, (confidence, right) in enumerate(rated, 1):
            rights += right
            threshold_ends = count == len(rated) or rated[count][0] < confidence
            if threshold_ends and rights >= PRECISION * count:
                best = count
        return _ratio(best, len(self.results))

    @property
    def median_ms(self) -> float:
        return statistics.median(self._times()) if self.results else 0.0

    @property
    def p95_ms(self) -> float:
        """The smallest time that at least 95 % of the questions stay within."""
        times = sorted(self._times())
        return times[math.ceil(0.95 * len(times)) - 1] if times else 0.0

    @property
    def flips(self) -> Flips:
        before, now = self.previous or {}, self.rights()
        changed = [id_ for id_ in now if id_ in before and before[id_] != now[id_]]
        return Flips(tuple(i for i in changed if now[i]), tuple(i for i in changed if not now[i]))

    def rights(self) -> dict[str, bool]:
        """id → right: what a later report takes as `previous`."""
        return {each.id: each.right for each in self.results}

    def wrong(self) -> list[Scored]:
        return [each for each in self.results if not each.right]

    def to_dict(self) -> dict[str, Any]:
        """`{summary, results, previous}`, all JSON values; `summary` is for reading, the rest rebuilds the report."""
        previous = None if self.previous is None else dict(self.previous)
        return {
            "summary": self.summary(),
            "results": [_jsonable(asdict(each)) for each in self.results],
            "previous": previous,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_dict` wrote; unknown fields are passed over. Raises InvalidInput for anything else."""
        try:
            return cls(tuple(_scored(each) for each in data["results"]), data.get("previous"))
        except (AttributeError, KeyError, TypeError) as error:
            raise InvalidInput(
                f"Not an evaluation report: {error!r}.", hint="Give a report this program wrote."
            ) from error

    def summary(self) -> dict[str, Any]:
        """Every figure by its name, shares as fractions of one, times in milliseconds."""
        return {
            "cases": self.total.cases,
            "strict": self.total.strict_share,
            "lenient": self.total.lenient_share,
            "by_kind": _shares(self.by_kind),
            "by_db": _shares(self.by_db),
            "refused": self.refused,
            "asked_back": self.asked_back,
            "failed": self.failed,
            "ece": self.ece,
            "brier": self.brier,
            "coverage_at_90_precision": self.coverage_at_precision,
            "median_ms": self.median_ms,
            "p95_ms": self.p95_ms,
            "flips": _jsonable(asdict(self.flips)),
        }

    def to_markdown(self) -> str:
        from pluto_duck_backend.agent.evaluation_markdown import report_markdown

        return report_markdown(self)

    def _with_status(self, status: str) -> float:
        return _ratio(sum(each.status == status for each in self.results), len(self.results))

    def _rated(self) -> list[tuple[float, bool]]:
        """(confidence, right) of every answered case that has a confidence."""
        return [
            (each.confidence, each.right)
            for each in self.results
            if each.status == ANSWERED and each.confidence is not None
        ]

    def _times(self) -> list[float]:
        return [each.elapsed_ms for each in self.results]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _share(results: Sequence[Scored]) -> Share:
    return Share(len(results), sum(each.right for each in results), sum(each.lenient for each in results))


def _shares(groups: Mapping[str, Share]) -> dict[str, dict[str, float]]:
    return {
        name: {"cases": each.cases, "strict": each.strict_share, "lenient": each.lenient_share}
        for name, each in groups.items()
    }


def _bin(confidence: float) -> int:
    return min(BINS - 1, max(0, int(confidence * BINS)))


def _jsonable(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    if isinstance(value, dict):
        return {key: _jsonable(each) for key, each in value.items()}
    return [_jsonable(each) for each in value] if isinstance(value, tuple | list) else value


def _scored(data: Mapping[str, Any]) -> Scored:
    known = {field.name: data[field.name] for field in fields(Scored) if field.name in data}
    read: dict[str, Callable[[Iterable[Any]], Any]] = {"kinds": tuple, "expected": _head, "actual": _head}
    return Scored(**{name: read[name](value) if name in read else value for name, value in known.items()})


def _head(rows: Iterable[Iterable[Any]]) -> Head:
    return tuple(tuple(row) for row in rows)
