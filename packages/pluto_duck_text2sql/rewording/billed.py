"""`billing by segment`, `the billed amount per quarter`: what was invoiced, where invoices or bills are kept.

Where the data calls a table or a column so the words are left, and so is what is only called after it: a billing
address, or whatever else a name begins with it. A value that is stored so, a topic of tickets, is meant where its rows
are named. Asked by rewordings.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_KEPT = (
    r"(?! (?:address|street|city|town|country|state|region|zip|postal|code|email|e-?mail|contact|name|account|system"
    r"|cycle|period|plan|frequency|method|ticket|issue|problem|question|case|complaint|topic|team|department)s?\b)"
)
_BILLING = Pattern(
    rf"(?<!about )(?<!topic )(?<!category )(?<!for )\b(?:(?:total|our|the) )*"
    rf"(?:billings?(?: (?:amount|total|volume)s?)?{_KEPT}"
    r"|(?:billed (?:amount|total)|(?:amount|total) billed))\b",
    re.IGNORECASE,
)
_AFTER = Pattern(r" ([a-z]+)", re.IGNORECASE)
_ROWS = (("invoice", "total invoiced"), ("bill", "total billed"))
_NAMED = 0.9


def as_invoiced(text: str, names: NameIndex) -> str:
    """The question with what was billed as the total of the invoices."""
    if not _BILLING.search(text) or any(each.score >= _NAMED for each in names.called((stem("billing"),))):
        return text
    said = next((said for rows, said in _ROWS if _is_table(rows, names)), None)
    return _BILLING.sub(lambda found: found[0] if _names_more(found, names) else said, text) if said else text


def _names_more(found: re.Match[str], names: NameIndex) -> bool:
    """Whether a name is the words' last one and that after them: `billing_interval`."""
    after = _AFTER.match(found.string[found.end() :])
    stems = (stem(found[0].split()[-1].lower()), stem(after[1].lower())) if after else ()
    return bool(stems) and any(each.score >= _NAMED for each in names.called(stems))


def _is_table(word: str, names: NameIndex) -> bool:
    """Whether the one kind of rows is called so."""
    found = [each for each in names.called((stem(word),)) if each.column is None and each.score >= _NAMED]
    return len({each.table.key for each in found}) == 1
