"""Those who come again, where nobody has a table of their own: `repeat purchase rate`, `how many repeat customers` are
told by how many orders each has.

Of flat files whose rows share customers and orders (data/things.py); frames/repeat_rates.py is for those with tables.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.things import things
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_WHO = r"(?:customers?|buyers?|clients?|shoppers?)"
_AGAIN = r"(?:repeat|returning|recurring|loyal)"
_SHARE = r"(?P<share>(?:share|percentage|percent|proportion|fraction|part) of)"
_RATE = Pattern(
    rf"\b(?:repeat|repurchase|returning)(?:[- ](?:purchase|customer|order|buyer|client))? (?:rate|ratio)\b"
    rf"|{_SHARE} (?:the |our )?{_WHO} (?:(?:who|that) )?(?:are|is|were) (?:repeat|returning)(?: {_WHO})?"
    rf"|(?<=customers )(?:(?:who|that|have) )?(?:come|came|order|ordered|buy|bought) (?:back|again)\b",
    re.IGNORECASE,
)
_MANY = Pattern(
    rf"\b(?:how many|(?:the )?number of) {_AGAIN} (?P<who>{_WHO})(?: (?:do we have|have we got|are there))?\b",
    re.IGNORECASE,
)
_REPEAT = Pattern(rf"\b{_AGAIN} (?P<who>{_WHO})\b", re.IGNORECASE)
_CUSTOMER, _ORDER = stem("customer"), stem("order")


class ComeAgain:
    """Says who came again in orders, over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        found = {each.stems[0] for each in things(catalog) if len(each.stems) == 1}
        is_called = any(names.called((stem(word),)) for word in ("repeat", "returning", "loyal"))
        self._is_told = {_CUSTOMER, _ORDER} <= found and not is_called

    def said(self, question: str) -> str:
        """The question with numbers of orders in place of coming again."""
        if not self._is_told:
            return question
        question = _MANY.sub(r"how many \g<who> ordered more than once", _RATE.sub(_told, question))
        return _REPEAT.sub(r"\g<who> with more than one order", question)


def _told(found: re.Match[str]) -> str:
    if found[0].lower().endswith(("back", "again")):
        return "who ordered more than once"
    return f"{found['share'] or 'share of'} customers with more than one order"
