"""Dialogues in a report: how many of their turns are right, and how many are right from the first turn to the last.

Called by `evaluation_report`. A turn is a case that names its `dialogue` or has a history; one with a history and no
name is a dialogue of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_backend.agent.evaluation_scored import Scored, Share, ratio, share


@dataclass(frozen=True)
class Dialogues:
    """`whole` of `count` dialogues have every turn right; `follow_ups` are the turns that have a history."""

    count: int
    whole: int
    turns: Share
    follow_ups: Share

    @property
    def whole_share(self) -> float:
        return ratio(self.whole, self.count)

    def to_dict(self) -> dict[str, float]:
        """Every figure by its name."""
        return {
            "count": self.count,
            "right": self.whole_share,
            "turns": self.turns.cases,
            "turns_right": self.turns.strict_share,
            "follow_ups": self.follow_ups.cases,
            "follow_ups_right": self.follow_ups.strict_share,
        }


def dialogues_in(results: Sequence[Scored]) -> Dialogues | None:
    """The dialogues among the results; None where there are none."""
    grouped: dict[tuple[str, str], list[Scored]] = {}
    for each in results:
        if each.dialogue or each.history:
            name = ("dialogue", each.dialogue) if each.dialogue else ("case", each.id)
            grouped.setdefault(name, []).append(each)
    turns = [turn for group in grouped.values() for turn in group]
    whole = sum(all(turn.right for turn in group) for group in grouped.values())
    follow_ups = share([turn for turn in turns if turn.history])
    return Dialogues(len(grouped), whole, share(turns), follow_ups) if grouped else None
