"""Texts that list several items: what stands between these, and before the first and behind the last.

Used by who finds that a column holds lists, and by `render`, which looks for an item in them.
"""

from __future__ import annotations

MARKS = (", ", ",", "; ", ";", " | ", "|", "><")
"""What stands between items, the longer before what is a part of it."""
_ENDS = {"><": ("<", ">")}


def items_of(text: str, mark: str) -> list[str]:
    """What a text lists: `sql` and `postgresql` of `<sql><postgresql>`."""
    before, behind = ends_of(mark)
    return text.removeprefix(before).removesuffix(behind).split(mark)


def ends_of(mark: str) -> tuple[str, str]:
    """What stands before the first item and behind the last one."""
    return _ENDS.get(mark, ("", ""))
