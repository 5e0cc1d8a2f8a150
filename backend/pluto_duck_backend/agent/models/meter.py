"""What one run's calls have used, and whether the next one is within the budgets of the run and of the day.

A call is let through as long as nothing is used up, calls under way counted as the most that they are expected to use:
a budget is exceeded by what one call uses, but for the seconds of a run, at whose end a call under way is ended. Where
money is limited, a model of which nobody says what it costs is not called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.ledger import Ledger
from pluto_duck_backend.agent.models.usage import Usage
from pluto_duck_backend.app.core.config import BudgetSettings
from pluto_duck_backend.app.core.errors import Refused


@dataclass
class Meter:
    """One run's; only its thread writes."""

    budget: BudgetSettings = field(default_factory=BudgetSettings)
    ledger: Ledger | None = None
    run_id: str = ""
    who: str = ""
    used: Usage = field(default_factory=Usage)
    queries: int = 0
    queries_today: Callable[[], int] = lambda: 0
    #   of all questions of the day, looked up only where that is limited

    def admit(self, provider: str, is_free: bool, expected: Usage) -> None:
        """Lets one more call begin that is `expected` to use so much. Raises ModelFault where a budget is used up."""

        def refusal(today: Usage) -> str:
            return next(self._spent(today, is_free), "")

        spent = self.ledger.reserve(expected, refusal) if self.ledger else refusal(Usage())
        if spent:
            raise ModelFault("over_budget", provider, spent)

    def add(self, provider: str, model: str, usage: Usage, expected: Usage) -> None:
        """Count a call that was let begin, however it ended."""
        self.used = self.used + usage
        if self.ledger:
            self.ledger.add(self.run_id, self.who, provider, model, usage, expected)

    @property
    def limits_money(self) -> bool:
        """Whether dollars are limited."""
        return bool(self.budget.run_usd or self.budget.day_usd)

    def seconds_left(self) -> float:
        """What calls of this run may still take; endless where that is not limited."""
        return max(0.0, self.budget.run_s - self.used.elapsed_s) if self.budget.run_s else math.inf

    def add_query(self) -> None:
        """Count a query that is about to run. Raises Refused where there were enough."""
        budget = self.budget
        if budget.run_queries and self.queries >= budget.run_queries:
            raise _enough("question", "run_queries", budget.run_queries, "Ask for less")
        if budget.day_queries and self.queries_today() >= budget.day_queries:
            raise _enough("day", "day_queries", budget.day_queries, "Ask again when a new day begins in UTC")
        self.queries += 1

    def spent(self, is_free: bool) -> Iterator[str]:
        """The budgets that are used up, by name and number; one of money keeps nobody from a model that costs none."""
        return self._spent(self.ledger.today() if self.ledger else Usage(), is_free)

    def _spent(self, today: Usage, is_free: bool) -> Iterator[str]:
        budget = self.budget
        for name, used, limit in (
            ("run_tokens", self.used.tokens, budget.run_tokens),
            ("run_usd", self.used.cost_usd, budget.run_usd),
            ("run_calls", self.used.calls, budget.run_calls),
            ("run_s", self.used.elapsed_s, budget.run_s),
            ("day_tokens", today.tokens, budget.day_tokens),
            ("day_usd", today.cost_usd, budget.day_usd),
            ("day_calls", today.calls, budget.day_calls),
            ("day_s", today.elapsed_s, budget.day_s),
        ):
            if limit and used >= limit and not (is_free and name.endswith("_usd")):
                yield f"budget.{name}={limit:g} is used up"


def _enough(whose: str, setting: str, limit: int, hint: str) -> Refused:
    queries = "query" if limit == 1 else f"{limit:,} queries"
    return Refused(
        f"This {whose} has had its {queries} (budget.{setting}={limit}).",
        code="over_budget",
        hint=f"{hint}, or raise budget.{setting}.",
    )
