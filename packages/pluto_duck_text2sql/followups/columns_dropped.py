"""A column less: `drop the second column`, `remove the category`, `without the nights`."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import settled
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import Col, Expr, columns_in, is_total
from pluto_duck_text2sql.trees.parts import is_aggregate, without_groups

_DROPS = Pattern(
    rf"{LEAD}(?:drop|remove|hide|delete|skip|lose|omit|leave out|take out|get rid of|without) (?:the |their )?"
    r"(?:(?P<place>first|second|third|fourth|last|1st|2nd|3rd) column|(?P<noun>[a-z]+(?: [a-z]+)?)(?: column)?)$",
    re.IGNORECASE,
)
_PLACES = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "last": -1}
_NAMED = 0.75


def without_column(turn: Turn) -> Draft | None:
    """What was shown without one of its columns; None where none is so named, or it is the only one."""
    said, query = _DROPS.search(turn.frame.text), turn.earlier
    dropped = _dropped(turn, said) if said and len(query.select) > 1 else None
    if dropped is None:
        return None
    kept = tuple(each for each in query.select if each != dropped)
    is_group = is_aggregate(query) and not is_total(dropped)
    order = tuple(each for each in query.order if each.by != dropped or not is_aggregate(query))
    made = without_groups(query, [dropped]) if is_group else replace(query, select=kept, order=order)
    return Draft(query).changed(settled(made, turn.reader), f"no longer → {listed([dropped])}", _all(turn))


def _all(turn: Turn) -> range:
    return range(len(turn.fragment.tokens))


def _dropped(turn: Turn, said: re.Match[str]) -> Expr | None:
    """The column in that place, or the only one that is called so and is no stored value."""
    shown = turn.earlier.select
    if said["place"]:
        place = _PLACES[said["place"].lower()]
        return shown[place] if -1 <= place < len(shown) else None
    items = list(turn.reader.named(said["noun"]))
    if any(hit.score >= 1.0 for item in items for hit in item.hits):
        return None
    targets = [each for item in items for each in item.targets if each.column and each.score >= _NAMED]
    columns = {Col(each.table.key, each.column.name) for each in targets if each.column}
    found = [each for each in shown if columns & {one for one in columns_in(each) if isinstance(one, Col)}]
    return found[0] if len(found) == 1 else None
