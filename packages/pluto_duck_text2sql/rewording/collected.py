"""`rent collected`, `the fees that came in`: money that was received, whatever the amounts themselves are called.

Where the data calls something collected so the words are left. Asked by rewordings.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_MONEY = (
    r"(?:rents?|fees?|premiums?|dues|tuition|money|cash|subscriptions?|payments?|amounts?|debts?|arrears|royalties)"
)
_COLLECTED = Pattern(
    rf"\b(?P<money>{_MONEY})(?:(?: (?:that|which))?(?P<be> (?:was|were|has been|have been|is|are))? collected"
    r"| (?:that|which) (?:came|comes|come) in|(?P<did> (?:did|do|have|had) we) collect(?:ed)?)\b",
    re.IGNORECASE,
)
_NAMED = 0.9


def as_received(text: str, names: NameIndex) -> str:
    """The question with money collected as received."""
    if any(each.score >= _NAMED for each in names.called((stem("collected"),))):
        return text
    return _COLLECTED.sub(_received, text)


def _received(found: re.Match[str]) -> str:
    return f"{found['money']}{' was' if found['did'] else found['be'] or ''} received"
