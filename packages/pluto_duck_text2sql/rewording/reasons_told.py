"""Reasons that are written down: `why do people leave us` is how often each was given.

Called by `rewordings`. A query shows what happened, not why (refusals.py), unless the rows of the deed keep one column
of reasons; what is asked of a trend, or of anybody but those who gave them, stays as it is.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words

_WHY = Pattern(
    r"^\W*(?:for what reasons?|why) (?:do|does|did|have|are|were)"
    r" (?:people|customers|clients|users|members|accounts"
    r"|subscribers|guests|patients|they|we|buyers|shoppers|tenants|employees|staff)"
    r" (?P<deed>[a-z]+(?:ing|ed)?)(?: (?:us|(?:the )?(?:company|service|[a-z]+s)|here))?"
    r"(?P<rest>(?: (?:in|since|during|last|this) [\w ]+)?)\W*$",
    re.IGNORECASE,
)
_REASONS = frozenset(map(stem, ("reason", "cause")))
_LEAVING = frozenset(
    map(stem, "leave leaving left quit cancel cancelling canceling cancelled churn go going stop".split())
)
_LEFT = frozenset(map(stem, "cancel cancellation churn leave leaving left exit quit end termination departure".split()))


def as_reasons(text: str, catalog: Catalog) -> str:
    """`how often was each cancel reason given`, where the deed's rows keep it."""
    said = _WHY.match(text)
    deed = stem(said["deed"].lower()) if said else ""
    found = [words for each in catalog.tables if said and (words := _reason_of(each, deed))]
    return f"how often was each {found[0]} given{said['rest']}" if said and len(found) == 1 else text


def _reason_of(table: Table, deed: str) -> str:
    """What the one column of a table's reasons for a deed is called; nothing where there is none."""
    told = [each.name for each in table.columns if each.kind == "text" and _REASONS & set(table.stems(each.name))]
    if len(told) != 1:
        return ""
    own = {*table.stems(told[0]), *table_stems(table.name)}
    is_of_deed = deed in own or (deed in _LEAVING and bool(_LEFT & own))
    return " ".join(table_words(told[0])) if is_of_deed else ""
