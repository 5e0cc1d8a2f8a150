"""Other readings that are offered below an answer that is unsure: each in a few words that tell it from the answer.

Called by `decision`. An option that is picked is found again by these words, since the same question has the same
readings; so two that read alike are no two options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Agg, Among, Compare, Cond, Query, all_nodes_in, is_total, nodes_in
from pluto_duck_text2sql.trees.restrictions import restriction
from pluto_duck_text2sql.trees.titles import cut, title, words

_MOST, _LONGEST = 2, 120


def offered(scored: Sequence[tuple[Entry, float]]) -> tuple[str, ...]:
    """What the next readings are called that find something else than the first, the likeliest first."""
    (first, _), *rest = scored
    told, found = {called(first.query)}, dict[str, Entry]()
    for entry, _ in rest:
        label = called(entry.query)
        is_new = entry.rows and all(not entry.finds_as(each) for each in (first, *found.values()))
        if is_new and label not in told and len(label) <= _LONGEST and _is_told_whole(entry.query):
            found[label] = entry
        if len(found) == _MOST:
            break
        told.add(label)
    return tuple(found)


def other(scored: Sequence[tuple[Entry, float]], label: str) -> Entry | None:
    """The reading that is called so."""
    return next((entry for entry, _ in scored if called(entry.query).casefold() == label.casefold()), None)


def called(query: Query) -> str:
    """What a reading shows, of which rows, and how many: `Number of orders by city, 2024, "completed", the first 5`.

    What is stored stands in quotes, so that whoever may not see it is not told it (privacy.py).
    """
    parts = (_shown(query), *map(_quoted, query.where), *map(_passing, query.having), _first(query))
    return ", ".join(part for part in parts if part)


def _first(query: Query) -> str:
    """`the first`, `the first 3 of each city`."""
    if query.limit is None:
        return ""
    first = "the first" if query.limit == 1 else f"the first {cut(query)}"
    return f"{first} of each {' and '.join(map(words, query.per))}" if query.per else first


def _passing(condition: Cond) -> str:
    """`number of orders over 3`; empty where no words say it."""
    is_of_groups = isinstance(condition, Compare) and is_total(condition.left)
    said = _quoted(condition) if is_of_groups else ""
    return f"{words(condition.left)} {said}" if said and isinstance(condition, Compare) else ""


def _shown(query: Query) -> str:
    """The title, with what is stored in quotes where a figure is of some rows alone."""
    text = title(query)
    for each in (cond for agg in nodes_in(query.select) if isinstance(agg, Agg) for cond in agg.where):
        text = text.replace(restriction(each) or text, _quoted(each) or text, 1)
    return text


def _quoted(condition: Cond) -> str:
    """A condition in words, in quotes where it holds what is stored."""
    said = restriction(condition)
    return f'"{said}"' if said and _holds_text(condition) else said


def _holds_text(condition: Cond) -> bool:
    return any(isinstance(each, str) for each in _values(condition))


def _values(condition: Cond) -> Iterator[Any]:
    """What a condition and those in it compare with."""
    for each in all_nodes_in(condition):
        yield from (each.right,) if isinstance(each, Compare) else each.values if isinstance(each, Among) else ()


def _is_told_whole(query: Query) -> bool:
    """Whether its words leave nothing out: one place of several, what other queries find."""
    is_more = query.nth or query.then or query.beside
    return not is_more and all(map(restriction, query.where)) and all(map(_passing, query.having))
