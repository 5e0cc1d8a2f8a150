"""What an evaluation found: every case with its verdict, and the figures over them.

Built by `evaluation.evaluate`; read by the command line and by `evaluation_html`. A report is a pure value: all figures
are computed from its results, `Report.from_dict(report.to_dict())` equals the report, and shares are fractions of
one over all cases unless a docstring says otherwise. docs/evaluation.md defines every figure for its readers.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pluto_duck_backend.agent import evaluation_calibration as calibration
from pluto_duck_backend.agent.evaluation_calibration import BINS, Bin
from pluto_duck_backend.agent.evaluation_dialogues import Dialogues, dialogues_in
from pluto_duck_backend.agent.evaluation_kinds import in_reading_order
from pluto_duck_backend.agent.evaluation_scored import (
    ANSWERED,
    ASKED_BACK,
    REFUSED,
    Head,
    Scored,
    Share,
    ratio,
    scored_from,
    share,
)
from pluto_duck_backend.app.core.errors import InvalidInput

__all__ = ["ANSWERED", "ASKED_BACK", "BINS", "PRECISION", "REFUSED", "Flips", "Head", "Report", "Scored", "Share"]

PRECISION = 0.9
HIGHER_PRECISION = 0.95


@dataclass(frozen=True)
class Flips:
    """Ids whose verdict changed since the previous report: now right, and no longer right."""

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """All results in suite order; `previous` maps the ids of an earlier report to whether they were right.

    `about` names the suite, the provider and the time, in words for readers; no figure depends on it.
    """

    results: tuple[Scored, ...]
    previous: Mapping[str, bool] | None = None
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def total(self) -> Share:
        return share(self.results)

    @property
    def answerable(self) -> Share:
        return share(self._if_answerable(True))

    @property
    def unanswerable(self) -> Share:
        """Right here means refused or asked back."""
        return share(self._if_answerable(False))

    @property
    def declined_of_answerable(self) -> float | None:
        """The share of the answerable that was refused or asked back; None where there are none."""
        return _declined(self._if_answerable(True))

    @property
    def declined_of_unanswerable(self) -> float | None:
        """The share of the unanswerable that was refused or asked back; None where there are none."""
        return _declined(self._if_answerable(False))

    @property
    def by_kind(self) -> dict[str, Share]:
        """A case counts in each of its kinds, so the cases add up to more than the suite."""
        kinds = in_reading_order({kind for each in self.results for kind in each.kinds})
        return {kind: share([each for each in self.results if kind in each.kinds]) for kind in kinds}

    @property
    def by_db(self) -> dict[str, Share]:
        return self._by("db")

    @property
    def by_split(self) -> dict[str, Share]:
        return self._by("split")

    @property
    def dialogues(self) -> Dialogues | None:
        return dialogues_in(self.results)

    @property
    def refused(self) -> float:
        return self._with_status(REFUSED)

    @property
    def asked_back(self) -> float:
        return self._with_status(ASKED_BACK)

    @property
    def failed(self) -> float:
        """The share that ended neither with an answer nor with a refusal or a question."""
        return ratio(
            sum(each.status not in (ANSWERED, REFUSED, ASKED_BACK) for each in self.results), len(self.results)
        )

    @property
    def ece(self) -> float | None:
        """Expected calibration error over 10 equal bins of confidence; None without confidences."""
        return calibration.expected_calibration_error(self._rated())

    @property
    def brier(self) -> float | None:
        """Mean squared distance of confidence to the verdict (0 or 1); None without confidences."""
        return calibration.brier(self._rated())

    @property
    def auroc(self) -> float | None:
        """How often a right answer is surer than a wrong one; None where there are not both."""
        return calibration.auroc(self._rated())

    @property
    def surest_half(self) -> float | None:
        """The share right among the surer half of the answers; None without confidences."""
        return calibration.surest_half(self._rated())

    @property
    def reliability(self) -> list[Bin]:
        """Confidence beside the share right, for each bin of confidence that holds an answer."""
        return calibration.reliability(self._rated())

    @property
    def coverage_at_precision(self) -> float | None:
        """The largest share of all cases that a confidence threshold answers at 90 % precision or better."""
        return self._coverage(PRECISION)

    @property
    def coverage_at_higher_precision(self) -> float | None:
        """The same at 95 %."""
        return self._coverage(HIGHER_PRECISION)

    @property
    def median_ms(self) -> float:
        return statistics.median(self._times()) if self.results else 0.0

    @property
    def p95_ms(self) -> float:
        """The smallest time that at least 95 % of the questions stay within."""
        times = sorted(self._times())
        return times[math.ceil(0.95 * len(times)) - 1] if times else 0.0

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens read and written, over all questions."""
        return sum(each.input_tokens for each in self.results), sum(each.output_tokens for each in self.results)

    @property
    def cost_usd(self) -> float:
        return math.fsum(each.cost_usd for each in self.results)

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
        """`{about, summary, results, previous}`, all JSON values; `summary` is for reading, the rest rebuilds it."""
        previous = None if self.previous is None else dict(self.previous)
        return {
            "about": dict(self.about),
            "summary": self.summary(),
            "results": [_jsonable(asdict(each)) for each in self.results],
            "previous": previous,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_dict` wrote; unknown fields are passed over. Raises InvalidInput for anything else."""
        try:
            results = tuple(scored_from(each) for each in data["results"])
            return cls(results, data.get("previous"), dict(data.get("about") or {}))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"Not an evaluation report: {error!r}.", hint="Give a report this program wrote."
            ) from error

    def summary(self) -> dict[str, Any]:
        """Every figure by its name, shares as fractions of one, times in milliseconds; null where not known."""
        from pluto_duck_backend.agent.evaluation_summary import summary_of

        return summary_of(self)

    def to_markdown(self) -> str:
        from pluto_duck_backend.agent.evaluation_markdown import report_markdown

        return report_markdown(self)

    def _by(self, name: str) -> dict[str, Share]:
        names = sorted({getattr(each, name) for each in self.results if getattr(each, name)})
        return {found: share([each for each in self.results if getattr(each, name) == found]) for found in names}

    def _if_answerable(self, answerable: bool) -> list[Scored]:
        return [each for each in self.results if each.answerable is answerable]

    def _with_status(self, status: str) -> float:
        return ratio(sum(each.status == status for each in self.results), len(self.results))

    def _coverage(self, precision: float) -> float | None:
        rated = self._rated()
        return ratio(calibration.answered_at(rated, precision), len(self.results)) if rated else None

    def _rated(self) -> list[tuple[float, bool]]:
        """(confidence, right) of every answered case that has a confidence."""
        return [
            (each.confidence, each.right)
            for each in self.results
            if each.status == ANSWERED and each.confidence is not None
        ]

    def _times(self) -> list[float]:
        return [each.elapsed_ms for each in self.results]


def _declined(results: Iterable[Scored]) -> float | None:
    ends = [each.declined for each in results]
    return ratio(sum(ends), len(ends)) if ends else None


def _jsonable(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    if isinstance(value, dict):
        return {key: _jsonable(each) for key, each in value.items()}
    return [_jsonable(each) for each in value] if isinstance(value, tuple | list) else value
