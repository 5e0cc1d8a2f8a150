"""The three questions the demo asks, with their true answers.

Called by `pluto-duck demo`, which shows the analyst's answers, and by tests, which compare them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from pluto_duck_backend.app.services.demo.truth import DemoTruth

Rows = list[tuple[str | int | Decimal, ...]]


@dataclass(frozen=True, slots=True)
class Showcase:
    """A question about schema `marts` and the rows that answer it, by the truth."""

    question: str
    answer: Callable[[DemoTruth], Rows]


def _revenue_2025(truth: DemoTruth) -> Rows:
    return [(truth.revenue_by_year[2025],)]


def _best_products(truth: DemoTruth) -> Rows:
    return list(truth.top_products[:5])


def _never_ordered(truth: DemoTruth) -> Rows:
    return [(truth.customers_never_ordered,)]


SHOWCASE = (
    Showcase("What was the total revenue in 2025?", _revenue_2025),
    Showcase("What are the top 5 products by revenue?", _best_products),
    Showcase("How many customers have never ordered?", _never_ordered),
)
"""In the order the demo asks them."""
