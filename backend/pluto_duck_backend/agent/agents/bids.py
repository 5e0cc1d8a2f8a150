"""Which agent a question goes to that names none: the one whose scope holds all that it reads, the narrowest of them.

The embedded analyst reads the question once, over all that the asker may see. Its confidence in that reading times the
share of the read tables that a scope holds is the scope's bid. An agent without a scope would hold everything, so it
bids for nothing; it answers where it is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pluto_duck_backend.agent.agents.held import Held
from pluto_duck_backend.agent.agents.scopes import Patterns
from pluto_duck_text2sql.analysis import Analysis

LEAST = 0.4
"""A reading that is less sure than this names no agent."""
_TOLD = 3


@dataclass(frozen=True)
class Bid:
    """`holds` of the tables read, of `size` tables in its scope; `sure` is from 0 to 1."""

    agent: str
    sure: float
    holds: int
    size: int


@dataclass(frozen=True)
class Choice:
    """Who answers (empty: nobody in particular), why in words, and the bids, the best first."""

    agent: str
    why: str
    bids: tuple[Bid, ...] = ()


def choose(scopes: Mapping[str, Patterns], analysis: Analysis, tables: Sequence[str]) -> Choice:
    """`scopes` by their agents; `tables`: all that the asker may see, as `schema.table`."""
    read = analysis.candidates[0].tables if analysis.candidates else ()
    sure = analysis.candidates[0].confidence if analysis.candidates else 0.0
    if not read or analysis.status == "cannot_answer":
        return Choice("", "The question names nothing that is in an agent's scope.")
    bids = _bids(scopes, read, sure, tables)
    best = bids[0] if bids else None
    if best is None or best.holds < len(read):
        return Choice("", f"No agent's scope holds all of {', '.join(read)}.", tuple(bids[:_TOLD]))
    if best.sure < LEAST:
        return Choice("", f"The reading over {', '.join(read)} is not sure enough ({sure:.2f}).", tuple(bids[:_TOLD]))
    return Choice(best.agent, _why(best, bids, read), tuple(bids[:_TOLD]))


def _bids(scopes: Mapping[str, Patterns], read: Sequence[str], sure: float, tables: Sequence[str]) -> list[Bid]:
    """The bids, the best first: all that hold everything, of the others as many as are told."""
    held, sizes = Held(read), Held(tables)
    holds = {agent: len(found) for agent, scope in scopes.items() if (found := held.by(scope))}
    bids = list[Bid]()
    for most, agents in groupby(sorted(holds, key=lambda agent: -holds[agent]), holds.__getitem__):
        if most == len(read) or len(bids) < _TOLD:
            alike = [Bid(agent, sure * most / len(read), most, len(sizes.by(scopes[agent]))) for agent in agents]
            bids += sorted(alike, key=lambda bid: (bid.size, bid.agent))
    return bids


def _why(best: Bid, bids: Sequence[Bid], read: Sequence[str]) -> str:
    whole = [bid for bid in bids if bid.holds == len(read)]
    narrowest = f", the narrowest of {len(whole)} that do" if len(whole) > 1 else ""
    return f"{best.agent}'s scope holds {', '.join(read)}{narrowest} (confidence {best.sure:.2f})."
