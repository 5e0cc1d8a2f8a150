"""One period or another: `did we spend more on transport in 2023 or 2024` is told by the figures of both."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_PERIOD = (
    rf"(?:(?:19|20)\d\d|(?:q[1-4]|{_MONTH})(?: (?:19|20)\d\d)?|(?:this|last) (?:week|month|quarter|year)"
    r"|(?:spring|summer|autumn|winter)(?: (?:19|20)\d\d)?)"
)
_EITHER = Pattern(
    r"^(?:so,? |and )?did (?P<who>we|i|they|you|the [a-z]+) (?P<deed>[a-z]+) (?:more|less|fewer)"
    r"(?P<what>(?: [a-z]+){0,3}?)(?P<on> (?:on|at|to|with|from) [a-z ]+?)?,? (?:in|during)"
    rf" (?P<one>{_PERIOD}),? or (?:in |during )?(?P<other>{_PERIOD})(?P<late> (?:on|at|to|with|from) [a-z ]+?)?\W*$",
    re.IGNORECASE,
)


def of_both(question: str) -> str:
    """The question for the figure of either period."""
    found = _EITHER.match(question)
    if found is None:
        return question
    asked = f"how many{found['what']}" if found["what"].strip() else "how much"
    on = found["on"] or found["late"] or ""
    return f"{asked} did {found['who']} {found['deed']}{on} in {found['one']} vs {found['other']}"
