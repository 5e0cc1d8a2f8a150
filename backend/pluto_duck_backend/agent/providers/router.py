"""Who answers a question, decided from what is known before any model is called. Pure: facts in, a route out.

sure enough ─▶ the embedded analyst, and no model
else        ─▶ by policy: local-only, prefer-local (what is in the house first), best (in the order of the chain)
               without those that are too slow or over a budget ─▶ the embedded analyst last
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.app.core.config import Policy

EMBEDDED = "embedded"
AUTO = "auto"
_SURER_FOR_BEST = 0.1
_SURER_BY_COMPLEXITY = 0.05
_LEAST_WORTH_COMPARING = 0.2


@dataclass(frozen=True)
class Option:
    """A chat model that could be asked."""

    name: str
    is_local: bool
    latency_s: float | None = None
    #   as its calls took lately; None where none was made
    spent: str = ""
    #   the budget that is used up, if any
    missing: str = ""
    #   why it cannot be asked at all: no key, no library


@dataclass(frozen=True)
class Facts:
    """What is known of the question."""

    confidence: float
    #   the embedded analyst's, 0 where it has no answer
    is_clear: bool
    #   whether it needs nothing of the user
    complexity: int
    #   0 for one thing of one table, up to 3

    @property
    def is_worth_comparing(self) -> bool:
        """Whether the embedded analyst's answer is worth holding against another's."""
        return self.confidence >= _LEAST_WORTH_COMPARING


@dataclass(frozen=True)
class Route:
    """Who is asked, in this order, and why; `compares` where two answers are compared before one is given."""

    policy: Policy
    order: tuple[str, ...]
    reasons: tuple[str, ...]
    compares: bool = False
    barred: tuple[str, ...] = ()
    #   why nobody else can be asked, where somebody should be

    def to_dict(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "order": list(self.order),
            "reasons": list(self.reasons),
            "compares": self.compares,
        }


def route(policy: Policy, sure: float, max_latency_s: float, options: Sequence[Option], facts: Facts) -> Route:
    """The order in which to ask."""
    needed = _needed(policy, sure, facts.complexity)
    models, reasons = _usable(policy, max_latency_s, options)
    said = f"the embedded analyst is {facts.confidence:.0%} sure, {needed:.0%} needed for this question"
    if facts.confidence >= needed and facts.is_clear:
        return Route(policy, (EMBEDDED, *models), (f"{said}: no model is asked", *reasons))
    if not models:
        return Route(policy, (EMBEDDED,), (said, *reasons, "no model is left to ask"), barred=reasons)
    compares = facts.is_worth_comparing
    why = "; its answers are compared with the model's" if compares else ""
    return Route(policy, (*models, EMBEDDED), (f"{said}: {models[0]} is asked{why}", *reasons), compares)


def named(policy: Policy, name: str, max_latency_s: float, others: Sequence[Option]) -> Route:
    """The order where the user said who answers: that one, whom the policy allows after it, the embedded analyst."""
    models, reasons = _usable(policy, max_latency_s, others)
    return Route(policy, (name, *models, EMBEDDED), (f"{name} was named", *reasons))


def from_memory(route: Route) -> Route:
    """The order where a person has confirmed the SQL of this very question: the embedded analyst gives it."""
    others = tuple(name for name in route.order if name != EMBEDDED)
    why = "a person confirmed the SQL of this very question: no model is asked"
    return replace(route, order=(EMBEDDED, *others), reasons=(why, *route.reasons), compares=False, barred=())


def _needed(policy: Policy, sure: float, complexity: int) -> float:
    """More where the best answer is wanted, and more where there is more to get wrong."""
    return min(
        0.99, sure + (_SURER_FOR_BEST if policy == "best" else 0) + _SURER_BY_COMPLEXITY * max(0, complexity - 1)
    )


def _usable(policy: Policy, max_latency_s: float, options: Sequence[Option]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The models to ask in order, and why others are not."""
    left_out = {each.name: _why_not(policy, max_latency_s, each) for each in options}
    kept = [each for each in options if not left_out[each.name]]
    if policy == "prefer-local":
        kept = [*(each for each in kept if each.is_local), *(each for each in kept if not each.is_local)]
    return tuple(each.name for each in kept), tuple(f"{name} {why}" for name, why in left_out.items() if why)


def _why_not(policy: Policy, max_latency_s: float, option: Option) -> str:
    if option.missing:
        return f"cannot be asked: {option.missing}"
    if policy == "local-only" and not option.is_local:
        return "is not in the house, and the policy is local-only"
    if option.spent:
        return f"is not asked: {option.spent}"
    if max_latency_s and option.latency_s is not None and option.latency_s > max_latency_s:
        return f"is too slow: {option.latency_s:.1f} s, at most {max_latency_s:g} s"
    return ""


def complexity(question: str, tables: int) -> int:
    """How much there is to get wrong: many words, many tables, several clauses."""
    words = len(question.split())
    clauses = sum(question.count(mark) for mark in (",", ";", ":", " and ", " or ", " but ", " than "))
    return min(3, (words > 14) + (tables > 2) + (clauses > 1))
