"""What is given back: things that `come back` are returned, `money that went back` is refunded, where such is kept.

Called by `rewordings`. Customers who came back are none of these: they buy again (buyers.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words

_BACK = Pattern(r"\bback\b", re.IGNORECASE)
_THINGS = "thing stuff item good product article anything something everything"
_COMES = Pattern(
    r"\b(?P<what>[a-z]+)(?P<that> (?:that|which))?"
    r" (?P<how>to come|come|comes|came|(?:is|are|was|were) coming|(?:has|have) come) back\b",
    re.IGNORECASE,
)
_BACK_SO = Pattern(
    r"\b(?:comes?|came|coming|(?:have|has|had) come) back (?P<how>[a-z]+(?:ed|en|rn|ty))\b", re.IGNORECASE
)
"""In which state they come back: `came back damaged`, which is stored of them or called so."""
_SENDS = Pattern(
    r"\b(?:send|sends|sent|bring|brings|brought|give|gives|gave) (?:things|stuff|items|goods|products) back\b",
    re.IGNORECASE,
)
_MONEY = Pattern(
    r"\bhow much (?:money )?"
    r"(?:went|goes|has gone|was (?:given|paid|sent)|(?:did|do|have) we (?:given?|gave|paid|pay|sent|send))"
    r" back(?: to (?:the |our )?[a-z]+)?\b",
    re.IGNORECASE,
)
_RETURN, _REFUND = stem("return"), stem("refund")
_NAMED = 0.9


def as_given_back(text: str, names: NameIndex, catalog: Catalog) -> str:
    """`items are returned` for `things come back`, `total refund` for the money that went back."""
    if not _BACK.search(text):
        return text
    text = _BACK_SO.sub(lambda match: _in_state(match, names, catalog), text)
    if any(each.column and each.score >= _NAMED for each in names.called((_REFUND,))):
        text = _MONEY.sub("total refund", text)
    returned = next((each for each in catalog.tables if table_stems(each.name)[-1:] == (_RETURN,)), None)
    if returned is None:
        return text
    rows = _pointed(returned)
    text = _COMES.sub(lambda match: _returned(match, rows, names), text)
    return _SENDS.sub(f"return {rows}", text)


def _in_state(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`came back damaged` as `were damaged`, where that is a column's name or a stored text."""
    how = match["how"].lower()
    is_kept = any(each.column for each in names.find((stem(how),))) or bool(catalog.values.lookup(how))
    return f"were {match['how']}" if is_kept else match[0]


def _pointed(returned: Table) -> str:
    """What the rows that returns point at are called in a word."""
    word = table_words(returned.foreign_keys[0].ref_table)[-1] if len(returned.foreign_keys) == 1 else "items"
    return word if word.endswith("s") else f"{word}s"


def _returned(match: re.Match[str], rows: str, names: NameIndex) -> str:
    """`things to come back` as items to be returned, where it is things that do."""
    is_bare = stem(match["what"].lower()) in map(stem, _THINGS.split())
    table = names.rows(match["what"])
    if not is_bare and (table is None or is_of_people(table, ())):
        return match[0]
    what = rows if is_bare else match["what"]
    return f"{what}{match['that'] or ''} {'to be' if match['how'].lower() == 'to come' else 'are'} returned"
