"""What the names of dates tell: that something begins or is over then, or that it was only meant to happen."""

from __future__ import annotations

from pluto_duck_text2sql.language.words import name_stems, stem


def stems_of(text: str) -> frozenset[str]:
    return frozenset(stem for word in text.split() for stem in name_stems(word))


MEANT = stems_of("due required promised expected planned estimated target deadline eta renewal next anticipated")
_BEGINS = stems_of("start begin began begun arrival arrived scheduled pickup")
_ENDS = stems_of(
    "end until expiry expired expires expiration maturity termination terminated left churned cancelled canceled"
    " dropoff"
)
_BROKEN_OFF = stems_of("terminated termination left churned cancelled canceled cancellation")
COME, _GONE = (tuple(map(stem, pair)) for pair in (("check", "in"), ("check", "out")))
"""The moments when a stay or a visit begins and is over."""


def begins(stems: tuple[str, ...]) -> bool:
    """Whether a date's name says that something begins then: `starts_at`, `check_in`, `valid_from`."""
    return bool(_BEGINS.intersection(stems)) or stems[:2] == COME or "from" in stems


def ends(stems: tuple[str, ...]) -> bool:
    """Whether a date's name says that something is over then, by no word of its own: `ended_on`, `valid_to`."""
    return bool(_ENDS.intersection(stems)) or "to" in (*stems[:1], *stems[-1:]) or stems[:2] == _GONE


def is_meant(stems: tuple[str, ...]) -> bool:
    """Whether a date's name says that something was only promised or planned for it."""
    return bool(MEANT.intersection(stems))


def is_broken_off(stems: tuple[str, ...]) -> bool:
    """Whether a date's name says that somebody ended something then, which may have been before its last day."""
    return bool(_BROKEN_OFF.intersection(stems))
