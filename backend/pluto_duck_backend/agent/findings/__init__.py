"""What is suspicious about a result: the graph calls `suspicious` when a query has run, before it is believed.

Each check is one function: what was asked, what ran and what came of it go in, findings come out. What must stay true:
a finding states what was seen (a number, a name), never a guess; what is `doubt` the model could do otherwise, what is
`note` is for the user alone.
"""

from __future__ import annotations

from pluto_duck_backend.agent.findings.asked import asked_otherwise
from pluto_duck_backend.agent.findings.finding import Finding, caveats, facts, is_broken, stopped
from pluto_duck_backend.agent.findings.nothing import found_nothing
from pluto_duck_backend.agent.findings.outcome import Outcome
from pluto_duck_backend.agent.repair.data import Data

__all__ = ["Finding", "Outcome", "caveats", "facts", "is_broken", "stopped", "suspicious"]


def suspicious(outcome: Outcome, data: Data) -> tuple[Finding, ...]:
    """What the user should hear of a result, and what the model should look at once more."""
    findings = [*found_nothing(outcome, data), *asked_otherwise(outcome, data)]
    if " JOIN " in outcome.sql.upper():
        from pluto_duck_backend.agent.findings.repeats import repeated_rows

        findings += repeated_rows(outcome, data)
    return tuple(findings)
