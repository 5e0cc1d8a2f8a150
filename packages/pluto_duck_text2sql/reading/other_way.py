"""Is an amount held against an average as the question says? `cheaper than the average` is below it.

Called by `accounts` for trees of any origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.tree import Agg, Compare, Fold, Own, Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.cues import Cue
    from pluto_duck_text2sql.trees.marks import Marks

_PLAIN = frozenset(
    "more less fewer above below higher lower greater smaller cheaper longer shorter larger bigger over under".split()
)
"""What says of any amount whether it is more or less; who is younger may have the later day of birth."""


def is_other_way(cue: Cue, marks: Marks) -> bool:
    """Whether something is held against an average in the other way than a cue says."""
    return cue.data.get("adj") in _PLAIN and any(_differs(each, cue.data["op"]) for each in marks.nodes)


def _differs(node: Any, operator: str) -> bool:
    if not isinstance(node, Compare) or node.operator[0] not in "<>":
        return False
    return _is_mean(node.right) and node.operator[0] != operator[0]


def _is_mean(value: Any) -> bool:
    """Whether a value is an average: of all, of a part, a multiple of one."""
    value = value.query if isinstance(value, Fold) else value.of if isinstance(value, Own) else value
    if isinstance(value, Query):
        value = value.select[0] if len(value.select) == 1 else None
    return isinstance(value, Agg) and value.function == "avg"
