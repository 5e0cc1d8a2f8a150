"""When somebody became one: the date on which a customer signed up, an account was created; and the words for it."""

from __future__ import annotations

from collections.abc import Collection

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col

_STARTED = frozenset(
    stem(each)
    for each in "signup subscribed created creation registered registration joined since enroll became".split()
)


_SINCE = stem("since")


_SIGNED_UP = (stem("signed"), stem("up"))


def started(owner: Table) -> Col | None:
    """The date from which an owner is one: when it signed up, was created."""
    times = [each for each in owner.columns if each.is_time]
    begun = [each for each in times if is_start(owner.stems(each.name))]
    return Col(owner.key, begun[0].name) if begun else None


def is_start(stems: tuple[str, ...]) -> bool:
    """Whether words say that somebody became one: signed up, joined, was created."""
    return not _STARTED.isdisjoint(stems) or stems[:2] == _SIGNED_UP


def says_start(said: Collection[str]) -> bool:
    """Whether the words of a question tell that somebody became one; `since 2023` does not."""
    return not (_STARTED - {_SINCE}).isdisjoint(said) or all(each in said for each in _SIGNED_UP)
