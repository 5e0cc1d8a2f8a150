"""Another date in the place of the one that the answer before went by: `no, I meant by ship date`, `use the order date
instead`.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.times import exchanged
from pluto_duck_text2sql.followups.trees import kind_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Col, During, Query, all_nodes_in, mapped

_GOES_BY = Pattern(
    r"^(?:no+|nope|sorry|oops|wait|actually)\b|^(?:do|make|count|show|measure) (?:it|that|this|them) by\b"
    r"|\b(?:i mean|meant|instead|rather|us(?:e|ing)|based on|go(?:ing)? by|according to|not (?:by|the))\b",
    re.IGNORECASE,
)
_REGRETS = Pattern(r"^(?:no+|nope|sorry|oops|wait|actually)\b|\bi mean(?:t)?\b", re.IGNORECASE)
_NAMED = 0.55


def by_other_date(turn: Turn) -> Draft | None:
    """The answer before by the date that is named, where it went by another of the same rows; None where more is
    said."""
    fragment, query = turn.fragment, turn.earlier
    asks = turn.frame.has("count", "which", "show") or fragment.asks_a_total
    if asks or not _GOES_BY.search(turn.frame.text) or fragment.grains:
        return None
    periods = fragment.when(query) if fragment.periods and _REGRETS.search(turn.frame.text) else []
    if bool(periods) != bool(fragment.periods):
        return None
    old = _dates_gone_by(query)
    new = ({each.left for each in periods if isinstance(each, During)} if periods else _dates_named(turn)) - old
    if len(old) != 1 or len(new) != 1:
        return None
    (before,), (now,) = old, new
    if not isinstance(now, Col) or now.table != before.table:
        return None
    made: Query = mapped(query, lambda node: now if node == before else node)
    made = exchanged(made, periods, turn.reader) if periods else made
    return Draft(query).changed(made, f"date → {listed([now])}", range(len(fragment.tokens)))


def _dates_gone_by(query: Query) -> set[Col]:
    """The dates that periods or grains of the answer are of."""
    spans = (each for each in all_nodes_in(query) if isinstance(each, During | Bucket))
    dates = (each.left if isinstance(each, During) else each.of for each in spans)
    return {each for each in dates if isinstance(each, Col)}


def _dates_named(turn: Turn) -> set[Col]:
    """The columns that hold times and that the follow-up names; none where it names anything else well."""
    found = [
        {Col(t.table.key, t.column.name) for t in item.targets if t.column and t.score >= _NAMED}
        for item in turn.fragment.mentions
    ]
    dates = [{each for each in columns if kind_of(each, turn.reader) == "time"} for columns in found]
    return set().union(*dates)
