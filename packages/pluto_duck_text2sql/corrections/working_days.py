"""Days that are worked: `average business days from order to shipment`, `shipped after more than 10 working days`.

Called by `corrections` for every tree. Those from Monday to Friday count; which days are holidays no table tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Days, Query, mapped

_SAID = Pattern(r"(?i)\b(?:(?:business|working|work|trading)[ -]days?|workdays?)\b")


def in_working_days(query: Query, question: str) -> Query:
    """The tree with its spans of days counted in days from Monday to Friday."""
    if not _SAID.search(question):
        return query
    made: Query = mapped(query, _as_worked, (Days,))
    return made


def _as_worked(node: Any) -> Any:
    return replace(node, unit="workday") if isinstance(node, Days) and node.unit == "day" else node
