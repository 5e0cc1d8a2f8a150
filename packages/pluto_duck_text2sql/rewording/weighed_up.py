"""Two things weighed up by a figure of each: `is the fare higher in first than in second class? average for both` is
the average fare in first versus second class, `cheapest per kilo` the lowest cost per kilo.

Called by `rewordings`; whether the data knows the figure and the sides is found out by who reads the question then.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_MORE = r"(?:higher|lower|larger|smaller|bigger|greater|longer|shorter|better|worse|heavier|more|less|fewer)"
_AT = r"(?:for|at|in|on|with|among|during|of)"
_FUNCTION = r"(?P<fn>average|mean|median|total)s?(?: values?| figures?)?"
_OF_BOTH = rf"{_AT} (?:each|both|the two|either)(?: (?:of them|please|side|group)s?)*"
_LEAD = r"(?:(?:please )?(?:show|give|compare|tell)(?: me| us)? )?(?:the |their )?"
_IS_MORE = Pattern(
    rf"^(?:is|are|was|were) (?:the |our )?(?P<what>[^?;:]+?) {_MORE} (?P<at>{_AT}) (?:the )?(?P<one>[^?;:]+?)"
    rf" than (?:{_AT} )?(?:the )?(?P<two>[^?;:]+?)(?:\?|[,;:] | -+) *{_LEAD}{_FUNCTION} {_OF_BOTH}\W*$",
    re.IGNORECASE,
)
_DO_MORE = Pattern(
    rf"^(?:do|does|did) (?:the |our )?(?P<one>[^?;:]+?) [a-z]+ {_MORE} [^?;:]*?than (?:the )?(?P<two>[^?;:]+?)"
    rf"(?: do| did| does)?(?:\?|[,;:] | -+) *{_LEAD}(?P<figure>(?:average|mean|median|total) [^?;:]+?) {_OF_BOTH}\W*$",
    re.IGNORECASE,
)
_CHEAPEST_PER = Pattern(
    r"\b(?:is|are|was|were) (?:the )?(?P<way>cheapest|least expensive|most expensive|dearest) per (?P<one>[a-z]+)\b",
    re.IGNORECASE,
)
_LOW = ("cheapest", "least expensive")


def weighed_up(text: str) -> str:
    """The question by the figure of each side, or of one unit."""
    text = _IS_MORE.sub(r"\g<fn> \g<what> for both \g<at> \g<one> versus \g<two>", text)
    text = _DO_MORE.sub(r"\g<figure> for \g<one> versus \g<two>", text)
    return _CHEAPEST_PER.sub(
        lambda said: f"has the {'lowest' if said['way'].lower() in _LOW else 'highest'} cost per {said['one']}", text
    )
