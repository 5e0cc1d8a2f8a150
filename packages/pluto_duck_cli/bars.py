"""What an evaluation has to reach: the options of `eval` that make it exit 1.

Called by the `eval` command, before with the cases and after with the report. A bar over a figure that is not known is
not reached: a gate must not open because nothing was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pluto_duck_backend.app.core.errors import InvalidInput

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Case, Report


@dataclass(frozen=True)
class Bars:
    """Each as its option says; None asks nothing."""

    min_accuracy: float = 0.0
    max_ece: float | None = None
    min_refused: float | None = None
    fail_on_flips: bool = False

    def check(self, cases: Sequence[Case]) -> None:
        """Raises InvalidInput for a bar that these cases can never reach."""
        if self.min_refused is not None and all(case.answerable for case in cases):
            raise InvalidInput(
                "--min-refused is about questions that the data cannot answer, and there are none among these.",
                code="no_unanswerable",
                hint='Mark them with "answerable": false, or leave the option out.',
            )

    def missed(self, report: Report) -> Iterator[str]:
        """A sentence for each bar that the report does not reach."""
        right = report.total.strict_share
        if right < self.min_accuracy:
            yield f"accuracy {right:.3f} is below --min-accuracy {self.min_accuracy:g}"
        ece, refused = report.ece, report.declined_of_unanswerable
        if self.max_ece is not None and (ece is None or ece > self.max_ece):
            yield f"calibration error {_figure(ece)} is above --max-ece {self.max_ece:g}"
        if self.min_refused is not None and (refused is None or refused < self.min_refused):
            yield f"unanswerable refused {_figure(refused)} is below --min-refused {self.min_refused:g}"
        if self.fail_on_flips and report.flips.lost:
            yield f"no longer right, with --fail-on-flips: {', '.join(report.flips.lost)}"


def _figure(value: float | None) -> str:
    return "(not known)" if value is None else f"{value:.3f}"
