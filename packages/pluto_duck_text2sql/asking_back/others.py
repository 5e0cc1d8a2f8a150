"""Other readings that are offered below an answer that is unsure: each in a few words that tell it from the answer.

Called by `decision`. An option that is picked is found again by these words, since the same question has the same
readings; so two that read alike are no two options.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Query
from pluto_duck_text2sql.trees.restrictions import restrictions
from pluto_duck_text2sql.trees.titles import title

_MOST = 2


def offered(scored: Sequence[tuple[Entry, float]]) -> dict[str, Entry]:
    """The next readings that find something else than the first, the likeliest first, by what each is called."""
    (first, _), *rest = scored
    told, found = {called(first.query)}, dict[str, Entry]()
    for entry, _ in rest:
        label = called(entry.query)
        is_new = entry.rows and all(not entry.finds_as(each) for each in (first, *found.values()))
        if is_new and label not in told:
            found[label] = entry
        told.add(label)
    return dict(islice(found.items(), _MOST))


def other(scored: Sequence[tuple[Entry, float]], label: str) -> Entry | None:
    """The reading that is called so."""
    return next((entry for entry, _ in scored if called(entry.query).casefold() == label.casefold()), None)


def called(query: Query) -> str:
    """What a reading shows, of which rows, and how many: `Number of orders by city, 2024, completed, the first 5`."""
    which = restrictions(query.where)
    first = "" if query.limit is None else "the first" if query.limit == 1 else f"the first {query.limit}"
    return ", ".join(part for part in (title(query), which, first) if part)
